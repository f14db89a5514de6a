// Arrays of one evaluation of a forest, and its position and velocity recursions. Algebra: PlanarAlgebra or
// SpatialAlgebra. All vectors of a tree are in world axes about one point, the tree's origin O.
#pragma once

#include <vector>

#include "freeplay/math/planar_algebra.h"
#include "freeplay/math/spatial_algebra.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay {

// Constant data of a node, in the algebra's own types.
template <class Algebra>
struct TreeNode {
  int parent = 0;
  int q = 0, u = 0, u_end = 0;
  int motion = 0, motion_end = 0;  // into TreeModel::motions
  double sign = 1;
  double mass = 0;
  Mat3 inertia;
  typename Algebra::Pose parent_frame;   // joint frame on the parent
  typename Algebra::Pose child_inverse;  // body frame seen from the joint frame on this node
};

template <class Algebra>
struct TreeModel {
  explicit TreeModel(const Mechanism& mechanism);
  std::vector<TreeNode<Algebra>> nodes;  // [0] is the ground
  std::vector<ElementaryMotion> motions;
  Vec3 gravity;
};

template <class Algebra>
struct TreeData {
  using Pose = typename Algebra::Pose;
  using Motion = typename Algebra::Motion;
  using Force = typename Algebra::Force;

  explicit TreeData(const TreeModel<Algebra>& model);

  // Set by update_positions.
  std::vector<Pose> pose;                          // per node
  std::vector<Pose> origin;                        // per node: O of its tree (only the position is used)
  std::vector<Motion> S;                           // per velocity: unit motion
  std::vector<typename Algebra::Inertia> inertia;  // per node, about O

  // Set by update_velocities.
  std::vector<Motion> v;     // per node
  std::vector<Motion> c;     // per node: rate of S times u, the acceleration that the joint adds at du/dt = 0
  std::vector<Motion> bias;  // per node: acceleration at du/dt = 0, without gravity

  // Set by the force stage.
  std::vector<Force> external;  // per node: applied forces
  VecX effort;                  // per velocity: applied joint efforts

  // Scratch of the backward passes.
  std::vector<Force> f;
  std::vector<typename Algebra::Inertia> composite;
  std::vector<typename Algebra::ArticulatedInertia> articulated;
  std::vector<Force> U;
  std::vector<double> D_inverse, residual;
  std::vector<Motion> acceleration;  // per node; [0] stays zero
};

template <class Algebra>
TreeModel<Algebra>::TreeModel(const Mechanism& mechanism) : gravity(mechanism.gravity) {
  for (const Mechanism::Node& source : mechanism.nodes) {
    TreeNode<Algebra> node;
    node.parent = source.parent;
    node.q = source.q;
    node.u = node.u_end = source.u;
    node.motion = node.motion_end = static_cast<int>(motions.size());
    node.sign = source.sign;
    const Mechanism::Body& body = mechanism.bodies[to_size(source.body)];
    node.mass = body.mass_kg;
    node.inertia = body.inertia_kg_m2;
    if (source.type != nullptr) {
      motions.insert(motions.end(), source.type->motions.begin(), source.type->motions.end());
      node.motion_end = static_cast<int>(motions.size());
      node.u_end = source.u + source.type->u_count();
    }
    node.parent_frame = Algebra::pose(source.parent_frame.R, source.parent_frame.p);
    const Mat3 R_inverse = source.child_frame.R.transpose();
    node.child_inverse = Algebra::pose(R_inverse, -R_inverse * source.child_frame.p);
    nodes.push_back(node);
  }
}

template <class Algebra>
TreeData<Algebra>::TreeData(const TreeModel<Algebra>& model) {
  const std::size_t n = model.nodes.size();
  const std::size_t velocities = n == 0 ? 0 : static_cast<std::size_t>(model.nodes.back().u_end);
  pose.resize(n), origin.resize(n), inertia.resize(n), v.resize(n), c.resize(n), bias.resize(n), external.resize(n),
      acceleration.resize(n);
  f.resize(n), composite.resize(n), articulated.resize(n);
  S.resize(velocities), U.resize(velocities), D_inverse.resize(velocities), residual.resize(velocities);
  effort = VecX::Zero(static_cast<Eigen::Index>(velocities));
}

namespace detail {

inline Mat3 ball_rotation(SpatialAlgebra, const double* e) {
  return rotation_from_quaternion(Vec4(e[0], e[1], e[2], e[3]));
}
// The planar joint table has no ball; this keeps the recursion one piece of code.
inline PlanarAlgebra::Rotation ball_rotation(PlanarAlgebra, const double*) {
  return {};
}

}  // namespace detail

// Writes pose, origin, S, inertia.
template <class Algebra>
void update_positions(const TreeModel<Algebra>& model, const ConstVecRef& q, TreeData<Algebra>& data) {
  using Kind = ElementaryMotion::Kind;
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    const bool is_root = node.parent == 0;
    typename Algebra::Pose frame =
        Algebra::compose(data.pose[static_cast<std::size_t>(node.parent)], node.parent_frame);
    const typename Algebra::Pose O = is_root ? frame : data.origin[static_cast<std::size_t>(node.parent)];
    const double* coordinate = q.data() + node.q;
    typename Algebra::Motion* column = data.S.data() + node.u;

    for (int m = node.motion; m < node.motion_end; ++m) {
      const ElementaryMotion& motion = model.motions[static_cast<std::size_t>(m)];
      switch (motion.kind) {
        case Kind::kTranslate:
          *column = Algebra::scaled(Algebra::translation(frame, O, motion.axis), node.sign);
          Algebra::shift(frame, motion.axis, node.sign * *coordinate);
          break;
        case Kind::kRotate:
          *column = Algebra::scaled(Algebra::rotation(frame, O, motion.axis), node.sign);
          frame.rotation =
              Algebra::compose(frame.rotation, Algebra::rotation_about_axis(motion.axis, node.sign * *coordinate));
          break;
        case Kind::kBall:
          frame.rotation = Algebra::compose(frame.rotation, detail::ball_rotation(Algebra(), coordinate));
          for (int axis = 0; axis < 3; ++axis) column[axis] = Algebra::rotation(frame, O, axis);
          break;
      }
      coordinate += motion.q_count();
      column += motion.u_count();
    }
    data.pose[i] = Algebra::compose(frame, node.child_inverse);

    // O is the centre of mass of the tree's root body: it moves along, so that a tree far from the world's origin
    // loses no digits in its moments.
    data.origin[i] = is_root ? data.pose[i] : O;
    if (is_root) {
      for (int k = node.u; k < node.u_end; ++k) {
        data.S[static_cast<std::size_t>(k)] = Algebra::moved(data.S[static_cast<std::size_t>(k)], O, data.pose[i]);
      }
    }
    data.inertia[i] = Algebra::inertia(node.mass, node.inertia, data.pose[i], data.origin[i]);
  }
}

// Writes v, c, bias.
template <class Algebra>
void update_velocities(const TreeModel<Algebra>& model, const ConstVecRef& u, TreeData<Algebra>& data) {
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    typename Algebra::Motion v = data.v[static_cast<std::size_t>(node.parent)];
    typename Algebra::Motion c{};
    int k = node.u;
    for (int m = node.motion; m < node.motion_end; ++m) {
      // The unit motion is carried along by everything before it; a ball's three axes ride on the child, which makes
      // no difference because a motion does not carry itself along (x cross x = 0).
      typename Algebra::Motion added{};
      for (const int end = k + model.motions[static_cast<std::size_t>(m)].u_count(); k < end; ++k) {
        added += Algebra::scaled(data.S[static_cast<std::size_t>(k)], u[k]);
      }
      c += Algebra::cross(v, added);
      v += added;
    }
    data.v[i] = v;
    data.c[i] = c;
    data.bias[i] = data.bias[static_cast<std::size_t>(node.parent)];
    data.bias[i] += c;
  }
}

}  // namespace freeplay

// Arrays of one evaluation of a forest, and its position and velocity recursions. Algebra: PlanarAlgebra or
// SpatialAlgebra. All vectors of a tree are in world axes about one point, the tree's origin O. Along a deep tree O
// moves on: far from it, the small moments of one body would be differences of large numbers.
#pragma once

#include <type_traits>
#include <vector>

#include "freeplay/math/planar_algebra.h"
#include "freeplay/math/spatial_algebra.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

// Coordinates and velocities in the numbers of an algebra: VecX, but where they are recorded.
template <class Algebra>
using VectorOf = Eigen::Matrix<typename Algebra::Scalar, Eigen::Dynamic, 1>;
// Elastic bodies and deep trees compute with plain numbers only.
template <class Algebra>
inline constexpr bool kIsPlain = std::is_same_v<typename Algebra::Scalar, double>;

// An elementary motion with its place in q and u.
struct TreeMotion : ElementaryMotion {
  int q = 0, u = 0;
  double sign = 1;  // of its joint
};

// Constant data of a node, in the algebra's own types.
template <class Algebra>
struct TreeNode {
  int parent = 0;
  int origin = 0;             // the node whose centre of mass is O for this one; the ground is its own
  bool moves_origin = false;  // O is not that of the parent
  int q = 0, u = 0, u_end = 0;
  int motion = 0, motion_end = 0;  // into TreeModel::motions
  double mass = 0;
  Mat3 inertia;
  typename Algebra::Pose parent_frame;   // joint frame on the parent
  typename Algebra::Pose child_inverse;  // body frame seen from the joint frame on this node
  // Whether these two are turned at all. Most are not, and to compose two poses is mostly to compose their rotations.
  bool is_parent_frame_turned = true, is_child_turned = true;
  int section = -1;  // into TreeModel::sections, if it is one: a place on the elastic body that its parent node is
  int elastic = -1;  // into TreeModel::elastic_bodies, if it is the floating frame of one
  bool is_memory = false;  // the integral of a controller: no body, and no energy
};

// A section of an elastic body. Its directions are the translations along the axes of the floating frame and then the
// rotations that follow each other, about z, y, x (in the plane: about z).
struct TreeSection {
  int q = 0, u = 0, count = 0;         // of the modes
  Vec3 rest = Vec3::Zero();            // in the floating frame, not deformed
  std::vector<double> shapes;          // per direction, per mode
  std::vector<double> foreshortening;  // per mode, per mode; empty: none
  bool is_inverse = false;             // from the section to the floating frame: the frame's own node
  std::size_t along = 0;               // first of its entries in TreeData::along
  std::size_t unit = 0;                // first of its entries in TreeData::section_unit
};

template <class Algebra>
struct TreeModel {
  explicit TreeModel(const Mechanism& mechanism);
  std::vector<TreeNode<Algebra>> nodes;  // [0] is the ground
  std::vector<TreeMotion> motions;
  std::vector<TreeSection> sections;
  std::vector<Mechanism::ElasticBody> elastic_bodies;
  Vec3 gravity;
  int velocity_count = 0;

  bool is_elastic() const { return !elastic_bodies.empty(); }

 private:
  // The next one of `nodes`.
  void place_origin(const Mechanism& mechanism, const Mechanism::Node& source, TreeNode<Algebra>& node) const;
};

template <class Algebra>
struct TreeData {
  using Pose = typename Algebra::Pose;
  using Motion = typename Algebra::Motion;
  using Force = typename Algebra::Force;

  explicit TreeData(const TreeModel<Algebra>& model);

  // Set by update_positions.
  std::vector<Pose> pose;                          // per node
  std::vector<typename Algebra::Rotation> turn;    // per elementary motion that rotates
  std::vector<Motion> S;                           // per velocity: unit motion
  std::vector<typename Algebra::Inertia> inertia;  // per node, about O
  std::vector<Motion> section_unit;                // per section and direction: unit motion
  std::vector<double> along;                       // per section and mode: displacement along x per modal velocity
  std::vector<typename Algebra::Offset> offset;    // per node that moves the origin: from that of the parent

  // Set by update_velocities.
  std::vector<Motion> v;     // per node
  std::vector<Motion> c;     // per node: rate of S times u, the acceleration that the joint adds at du/dt = 0
  std::vector<Motion> bias;  // per node: acceleration at du/dt = 0, minus gravity

  // Set by the force stage.
  std::vector<Force> external;  // per node: applied forces
  VectorOf<Algebra> effort;     // per velocity: applied joint efforts

  // Scratch of the backward passes.
  std::vector<Force> f;
  std::vector<typename Algebra::Inertia> composite;
  std::vector<typename Algebra::ArticulatedInertia> articulated;
  std::vector<Force> U;
  std::vector<typename Algebra::Scalar> D_inverse, residual;
  std::vector<Motion> acceleration;   // per node, minus gravity
  std::vector<Force> modal_momentum;  // per velocity; of modes only
};

template <class Algebra>
TreeSection tree_section(const Mechanism::ElasticBody& body, const Mechanism::Section& source) {
  TreeSection section;
  section.q = body.q;
  section.u = body.u;
  section.count = body.count;
  section.rest = source.rest;
  for (int d = 0; d < Algebra::kDegrees; ++d) {
    const int row = d < Algebra::kTranslations ? d : 5 - (d - Algebra::kTranslations);  // about z first
    for (int j = 0; j < body.count; ++j) section.shapes.push_back(source.shapes(row, j));
  }
  for (Eigen::Index i = 0; i < source.foreshortening.size(); ++i) {
    section.foreshortening.push_back(source.foreshortening.data()[i]);  // symmetric: rows or columns are the same
  }
  return section;
}

template <class Algebra>
TreeModel<Algebra>::TreeModel(const Mechanism& mechanism)
    : elastic_bodies(mechanism.elastic_bodies), gravity(mechanism.gravity), velocity_count(mechanism.velocity_count()) {
  std::size_t along = 0;
  for (const Mechanism::Section& section : mechanism.sections) {
    sections.push_back(tree_section<Algebra>(elastic_bodies[static_cast<std::size_t>(section.elastic)], section));
    sections.back().along = along;
    sections.back().unit = (sections.size() - 1) * static_cast<std::size_t>(Algebra::kDegrees);
    along += static_cast<std::size_t>(sections.back().count);
  }
  for (const Mechanism::Node& source : mechanism.nodes) {
    TreeNode<Algebra> node;
    node.parent = source.parent;
    node.q = source.q;
    node.u = node.u_end = source.u;
    node.motion = node.motion_end = static_cast<int>(motions.size());
    const Mechanism::Body& body = mechanism.bodies[to_size(source.body)];
    node.section = source.section;
    node.elastic = source.elastic;
    node.mass = body.mass_kg;
    node.inertia = body.inertia_kg_m2;
    if (node.elastic >= 0 || node.section >= 0) {  // an elastic body's mass is in its sections
      node.mass = 0;
      node.inertia.setZero();
    }
    if (node.section >= 0) {
      const Mechanism::Section& section = mechanism.sections[static_cast<std::size_t>(node.section)];
      node.mass = section.mass_kg;
      node.inertia = section.inertia_kg_m2.asDiagonal();
    }
    if (source.is_memory) {
      node.is_memory = true;
      node.inertia.setIdentity();  // its velocity is then the integral of the effort
    }
    place_origin(mechanism, source, node);
    if (source.type != nullptr) {
      int q = node.q;
      for (const ElementaryMotion& motion : source.type->motions) {
        motions.push_back({motion, q, node.u_end, source.sign});
        q += motion.q_count();
        node.u_end += motion.u_count();
      }
      node.motion_end = static_cast<int>(motions.size());
    }
    const Frame on_parent = mechanism.frame_on_node(mechanism.marker(source.parent_marker));
    // Where the joint of an elastic body sits on a section that moves in the floating frame, the node is that section.
    const Marker& child_marker = mechanism.marker(source.child_marker);
    const bool is_section = child_marker.section >= 0 && source.elastic >= 0 &&
                            mechanism.sections[static_cast<std::size_t>(child_marker.section)].moves();
    const Frame on_child = is_section ? mechanism.frame_on_node(child_marker) : child_marker.place;
    if (source.section >= 0) sections[static_cast<std::size_t>(source.section)].is_inverse = source.sign < 0;
    node.parent_frame = Algebra::pose(on_parent.R, on_parent.p);
    const Mat3 R_inverse = on_child.R.transpose();
    node.child_inverse = Algebra::pose(R_inverse, -R_inverse * on_child.p);
    node.is_parent_frame_turned = on_parent.R != Mat3::Identity();
    node.is_child_turned = R_inverse != Mat3::Identity();
    nodes.push_back(node);
  }
}

template <class Algebra>
void TreeModel<Algebra>::place_origin(const Mechanism& mechanism, const Mechanism::Node& source,
                                      TreeNode<Algebra>& node) const {
  node.origin = static_cast<int>(nodes.size());
  if (source.parent == 0) return;
  const MassStructure& structure = mechanism.mass_structure();
  const bool has_velocities = source.type != nullptr && source.type->u_count() > 0;
  const bool is_deep =
      structure.deep != DeepTrees::kNone && has_velocities &&
      structure.blocks[static_cast<std::size_t>(structure.block_of[static_cast<std::size_t>(source.u)])].is_deep;
  if (!is_deep) node.origin = nodes[static_cast<std::size_t>(source.parent)].origin;
  node.moves_origin = is_deep;
}

template <class Algebra>
TreeData<Algebra>::TreeData(const TreeModel<Algebra>& model) {
  const std::size_t n = model.nodes.size();
  const std::size_t velocities = static_cast<std::size_t>(model.velocity_count);
  pose.resize(n), turn.resize(model.motions.size()), inertia.resize(n), v.resize(n), c.resize(n), bias.resize(n),
      external.resize(n), acceleration.resize(n), offset.resize(n);
  f.resize(n), composite.resize(n), articulated.resize(n);
  S.resize(velocities), U.resize(velocities), D_inverse.resize(velocities), residual.resize(velocities);
  effort = VectorOf<Algebra>::Zero(static_cast<Eigen::Index>(velocities));
  section_unit.resize(model.sections.size() * static_cast<std::size_t>(Algebra::kDegrees));
  if (model.is_elastic()) {
    modal_momentum.resize(velocities);
    along.resize(model.sections.empty()
                     ? 0
                     : model.sections.back().along + static_cast<std::size_t>(model.sections.back().count));
  }
  // Gravity enters here and nowhere else: as an upward acceleration of the ground, which everything inherits.
  bias[0] = acceleration[0] = Algebra::uniform_acceleration(-model.gravity);
}

// The rotation that a joint's coordinates stand for.
template <class Algebra>
typename Algebra::Rotation rotation_of(const TreeMotion& motion, const typename Algebra::Scalar* q) {
  // The planar joint table has no ball.
  if constexpr (std::is_same_v<Algebra, SpatialAlgebra>) {
    if (motion.kind == ElementaryMotion::Kind::kBall) {
      return rotation_from_quaternion(Vec4(q[motion.q], q[motion.q + 1], q[motion.q + 2], q[motion.q + 3]));
    }
  }
  return Algebra::rotation_about_axis(motion.axis, motion.sign * q[motion.q]);
}

// A forest of rigid bodies, which does not even ask which nodes are sections.
struct NoSections {};

// Writes pose, turn, S, inertia. `place(node)` does it for a section.
template <class Algebra, class PlaceSection = NoSections>
void update_positions_of(const TreeModel<Algebra>& model, const VectorOf<Algebra>& q, TreeData<Algebra>& data,
                         [[maybe_unused]] const PlaceSection& place = {}) {
  using Kind = ElementaryMotion::Kind;
  // Sines and cosines first: calls inside the recursion would cost it its registers.
  for (std::size_t m = 0; m < model.motions.size(); ++m) {
    if (model.motions[m].kind != Kind::kTranslate) data.turn[m] = rotation_of<Algebra>(model.motions[m], q.data());
  }
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    if constexpr (!std::is_same_v<PlaceSection, NoSections>) {
      if (node.section >= 0) {
        place(i);
        continue;
      }
    }
    const bool is_origin = node.origin == static_cast<int>(i);
    typename Algebra::Pose frame;
    Algebra::compose(data.pose[static_cast<std::size_t>(node.parent)], node.parent_frame, node.is_parent_frame_turned,
                     frame);
    // Not a copy of the root's pose, which has just been written number by number: the processor would wait for it.
    const typename Algebra::Pose first_frame = frame;
    const typename Algebra::Pose& O = is_origin ? first_frame : data.pose[static_cast<std::size_t>(node.origin)];

    for (std::size_t m = static_cast<std::size_t>(node.motion); m < static_cast<std::size_t>(node.motion_end); ++m) {
      const TreeMotion& motion = model.motions[m];
      typename Algebra::Motion* column = data.S.data() + motion.u;
      switch (motion.kind) {
        case Kind::kTranslate:
          *column = Algebra::scaled(Algebra::translation(frame, O, motion.axis), motion.sign);
          Algebra::shift(frame, motion.axis, motion.sign * q[motion.q]);
          break;
        case Kind::kRotate:
          *column = Algebra::scaled(Algebra::rotation(frame, O, motion.axis), motion.sign);
          frame.rotation = Algebra::compose(frame.rotation, data.turn[m]);
          break;
        case Kind::kBall:
          frame.rotation = Algebra::compose(frame.rotation, data.turn[m]);
          for (int axis = 0; axis < 3; ++axis) column[axis] = Algebra::rotation(frame, O, axis);
          break;
      }
    }
    typename Algebra::Pose& pose = data.pose[i];
    Algebra::compose(frame, node.child_inverse, node.is_child_turned, pose);

    // O is the centre of mass of the tree's root body: it moves along, so that a tree far from the world's origin
    // loses no digits in its moments. In a deep tree it is that of the body itself.
    if (is_origin) {
      for (int k = node.u; k < node.u_end; ++k) {
        data.S[static_cast<std::size_t>(k)] = Algebra::moved(data.S[static_cast<std::size_t>(k)], O, pose);
      }
    }
    data.inertia[i] = Algebra::inertia(node.mass, node.inertia, pose, is_origin ? pose : O);
    if (node.moves_origin) {
      const int before = model.nodes[static_cast<std::size_t>(node.parent)].origin;
      data.offset[i] = Algebra::offset(data.pose[static_cast<std::size_t>(before)], pose);
    }
  }
}

// With sections of elastic bodies: tree_sections.cpp.
template <class Algebra>
void update_elastic_positions(const TreeModel<Algebra>& model, const VecX& q, TreeData<Algebra>& data);
template <class Algebra>
void update_elastic_velocities(const TreeModel<Algebra>& model, const VecX& u, TreeData<Algebra>& data);

template <class Algebra>
void update_positions(const TreeModel<Algebra>& model, const VecX& q, TreeData<Algebra>& data) {
  if (model.is_elastic()) return update_elastic_positions(model, q, data);
  update_positions_of(model, q, data);
}

// What node i takes over from its parent, about its own origin.
template <class Algebra>
typename Algebra::Motion from_parent(const TreeModel<Algebra>& model, const TreeData<Algebra>& data,
                                     const std::vector<typename Algebra::Motion>& motions, std::size_t i) {
  const TreeNode<Algebra>& node = model.nodes[i];
  const typename Algebra::Motion& motion = motions[static_cast<std::size_t>(node.parent)];
  return node.moves_origin ? Algebra::shifted(motion, data.offset[i]) : motion;
}

// parts[parent] += `part` of node i, a force or an inertia. Inlined everywhere: in trees that are not deep it is a sum
// of three numbers in the plane, and a call costs more.
template <class Algebra, class Part>
[[gnu::always_inline]] inline void add_to_parent(const TreeModel<Algebra>& model, const TreeData<Algebra>& data,
                                                 std::size_t i, const Part& part, std::vector<Part>& parts) {
  const TreeNode<Algebra>& node = model.nodes[i];
  if (node.parent <= 0) return;
  if (node.moves_origin)
    parts[static_cast<std::size_t>(node.parent)] += Algebra::shifted(part, Algebra::opposite(data.offset[i]));
  else
    parts[static_cast<std::size_t>(node.parent)] += part;
}

// Writes v, c, bias. `move(node)` does it for a section.
template <class Algebra, class MoveSection = NoSections>
void update_velocities_of(const TreeModel<Algebra>& model, const VectorOf<Algebra>& u, TreeData<Algebra>& data,
                          [[maybe_unused]] const MoveSection& move = {}) {
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    if constexpr (!std::is_same_v<MoveSection, NoSections>) {
      if (node.section >= 0) {
        move(i);
        continue;
      }
    }
    typename Algebra::Motion v = from_parent(model, data, data.v, i);
    typename Algebra::Motion c{};
    for (int m = node.motion; m < node.motion_end; ++m) {
      // The unit motion is carried along by everything before it; a ball's three axes ride on the child, which makes
      // no difference because a motion does not carry itself along (x cross x = 0).
      const TreeMotion& motion = model.motions[static_cast<std::size_t>(m)];
      const typename Algebra::Motion* S = data.S.data() + motion.u;
      typename Algebra::Motion added = Algebra::scaled(S[0], u[motion.u]);
      if (motion.kind == ElementaryMotion::Kind::kBall) {
        added += Algebra::scaled(S[1], u[motion.u + 1]);
        added += Algebra::scaled(S[2], u[motion.u + 2]);
      }
      c += Algebra::cross(v, added);
      v += added;
    }
    data.v[i] = v;
    data.c[i] = c;
    c += from_parent(model, data, data.bias, i);
    data.bias[i] = c;
  }
}

template <class Algebra>
void update_velocities(const TreeModel<Algebra>& model, const VecX& u, TreeData<Algebra>& data) {
  if (model.is_elastic()) return update_elastic_velocities(model, u, data);
  update_velocities_of(model, u, data);
}

}  // namespace freeplay::mechanism

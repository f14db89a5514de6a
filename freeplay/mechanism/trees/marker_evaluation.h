// Where markers are, how they move, and what a force at one of them does to the velocities. This file and the recursion
// of the tree are all that knows how a place is attached to its body: rigidly, or by a section of a body that deforms.
// Joints, springs, loads, bushings, rows and channels ask here.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <type_traits>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/trees/tree_data.h"
#include "freeplay/mechanism/trees/tree_sections.h"

namespace freeplay::mechanism {

// A force along a line through `point` and a torque, world axes.
template <class S>
struct WrenchOf {
  using Vector3 = Eigen::Matrix<S, 3, 1>;
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero(), point = Vector3::Zero();
};
using Wrench = WrenchOf<double>;

// Reads the arrays of `data` at the stages set there. Points are carried along by the marker's axes: on a deforming
// body the place of the marker itself moves with it, and a point beside it follows the marker.
template <class Algebra>
class MarkerEvaluation {
 public:
  using Force = typename Algebra::Force;
  using Scalar = typename Algebra::Scalar;
  using Vector3 = typename Algebra::Vector3;
  using Matrix3 = typename Algebra::Matrix3;
  using Wrench = WrenchOf<Scalar>;

  MarkerEvaluation(const Mechanism& mechanism, const TreeModel<Algebra>& model, const TreeData<Algebra>& data);
  MarkerEvaluation(const MarkerEvaluation&) = delete;
  MarkerEvaluation& operator=(const MarkerEvaluation&) = delete;

  // At the position set.
  Vector3 position(MarkerIndex marker) const {
    const Place& at = place(marker);
    const typename Algebra::Pose& pose = data_.pose[at.node];
    if (!at.is_shifted) return Algebra::position(pose);
    return Algebra::position(pose) + Algebra::matrix(pose.rotation) * at.p;
  }
  Matrix3 axes(MarkerIndex marker) const {
    const Place& at = place(marker);
    const Matrix3 R = Algebra::matrix(data_.pose[at.node].rotation);
    return at.is_turned ? Matrix3(R * at.R) : R;
  }
  Vector3 axis(MarkerIndex marker, int k) const {
    const Place& at = place(marker);
    const typename Algebra::Rotation& rotation = data_.pose[at.node].rotation;
    if (!at.is_turned) return Algebra::axis(rotation, k);
    return Algebra::matrix(rotation) * at.R.col(k);
  }
  // A vector of world axes in those of the marker.
  Vector3 in_axes(MarkerIndex marker, const Vector3& vector) const {
    const Place& at = place(marker);
    const typename Algebra::Rotation& rotation = data_.pose[at.node].rotation;
    Vector3 on_node;
    if constexpr (std::is_same_v<Algebra, PlanarAlgebra>)
      on_node << rotation.cos * vector[0] + rotation.sin * vector[1],
          -rotation.sin * vector[0] + rotation.cos * vector[1], vector[2];
    else
      on_node = Algebra::matrix(rotation).transpose() * vector;
    return at.is_turned ? Vector3(at.R.transpose() * on_node) : on_node;
  }
  // The node that the marker is, frame and all; -1 if it stands beside it or is turned against it.
  int node_of(MarkerIndex marker) const {
    const Place& at = place(marker);
    return at.is_shifted || at.is_turned ? -1 : static_cast<int>(at.node);
  }
  void pose(MarkerIndex marker, Frame& out) const {
    const Place& at = place(marker);
    if (at.is_turned || at.is_shifted) {
      out.R = axes(marker);
      out.p = position(marker);
    } else {
      Algebra::place(data_.pose[at.node], out.R, out.p);
    }
  }
  // In the plane: the angle of the axes, and by how much `to` is turned against `from`. Both count turns. `at_rest` is
  // angle_at_rest(from, to), which does not change.
  Scalar angle(MarkerIndex marker) const {
    const Place& at = place(marker);
    const Scalar of_body = data_.pose[at.node].rotation.angle;
    return at.is_turned ? of_body + at.angle : of_body;
  }
  Scalar angle_between(MarkerIndex from, MarkerIndex to, double at_rest) const {
    return data_.pose[place(to).node].rotation.angle - data_.pose[place(from).node].rotation.angle + at_rest;
  }
  double angle_at_rest(MarkerIndex from, MarkerIndex to) const {
    return std::remainder(place(to).angle - place(from).angle, 2 * std::numbers::pi);
  }

  // At the position and velocity set.
  Vector3 velocity(MarkerIndex marker, const Vector3& point) const {
    const Place& at = place(marker);
    return Algebra::velocity_at(data_.v[at.node], point, data_.pose[at.origin]);
  }
  Vector3 angular_velocity(MarkerIndex marker) const { return Algebra::angular(data_.v[place(marker).node]); }
  // Acceleration at du/dt = 0, minus gravity. What is relative does not see that: the ground has it too.
  Vector3 bias(MarkerIndex marker, const Vector3& point) const {
    // A spatial acceleration is the rate of the velocity field at a fixed place; the material point adds w x v.
    const Place& at = place(marker);
    return Algebra::velocity_at(data_.bias[at.node], point, data_.pose[at.origin]) +
           Algebra::angular(data_.v[at.node]).cross(velocity(marker, point));
  }
  Vector3 angular_bias(MarkerIndex marker) const { return Algebra::angular(data_.bias[place(marker).node]); }

  // `scale` times a wrench that enters the body at the marker, added to the forces on the nodes ...
  void add(MarkerIndex marker, const Wrench& wrench, double scale, std::vector<Force>& on_nodes) const {
    const Place& at = place(marker);
    on_nodes[at.node] += Algebra::scaled(force_of(at, wrench), scale);
  }
  // ... or as a generalised force to a column of W ...
  void add(MarkerIndex marker, const Wrench& wrench, double scale, Eigen::Ref<MatX> W, Eigen::Index column) const {
    for_each_velocity(marker, wrench, [&](int k, double effort) { W(k, column) += scale * effort; });
  }
  // ... or to a column that is kept to the velocities of the trees of two markers. begin() says which these are, sets
  // their values to zero and returns how many there are.
  int begin(MarkerIndex a, MarkerIndex b, std::array<RowPart, 2>& parts, Scalar* values) const;
  // The same for any number of markers that lie in no more than two blocks of the mass matrix.
  int begin(std::span<const MarkerIndex> markers, std::array<RowPart, 2>& parts, double* values) const;
  // Where velocity u stands among the values of the parts.
  static int place_of(int u, const std::array<RowPart, 2>& parts) {
    const bool is_in_first = parts[0].first <= u && u < parts[0].first + parts[0].size;
    return is_in_first ? u - parts[0].first : parts[0].size + u - parts[1].first;
  }
  void add(MarkerIndex marker, const Wrench& wrench, double scale, const std::array<RowPart, 2>& parts,
           Scalar* values) const {
    const bool is_in_first = parts[0].size > 0 && tree(marker).first == parts[0].first;
    const int shift = is_in_first ? -parts[0].first : parts[0].size - parts[1].first;
    for_each_velocity(marker, wrench, [&](int k, const Scalar& effort) { values[k + shift] += scale * effort; });
  }
  // The same for a force between two bodies of which each is free or the ground, as in a pile: velocities along the
  // world's axes, and about the body's own axes through its centre of mass. False where one of them is something else.
  bool write_between_free_bodies(MarkerIndex a, MarkerIndex b, const Vec3& force, const Vec3& point_a,
                                 const Vec3& point_b, std::array<RowPart, 2>& parts, double* values) const {
    if constexpr (std::is_same_v<Algebra, SpatialAlgebra>) {
      const std::size_t node_a = place(a).node, node_b = place(b).node;
      if (!is_free_[node_a] || !is_free_[node_b] || node_a == node_b) return false;
      parts = {trees_[node_a], trees_[node_b]};
      if (parts[0].size > 0) write_on_free_body(node_a, force, point_a, values);
      if (parts[1].size > 0) write_on_free_body(node_b, -force, point_b, values + parts[0].size);
      return true;
    }
    return false;
  }

 private:
  static bool is_free_body(const TreeModel<Algebra>& model, std::size_t node);
  void write_on_free_body(std::size_t node, const Vec3& force, const Vec3& point, double* values) const {
    if constexpr (std::is_same_v<Algebra, SpatialAlgebra>) {
      const Vec3 moment = (point - data_.pose[node].p).cross(force);
      const Mat3& axes = data_.pose[node].rotation;
      for (int k = 0; k < 3; ++k) {
        values[k] = force[k];
        values[3 + k] = axes(0, k) * moment[0] + axes(1, k) * moment[1] + axes(2, k) * moment[2];
      }
    }
  }

  // A marker in the terms of the tree.
  struct Place {
    std::size_t node = 0, origin = 0;
    bool is_shifted = false, is_turned = false;
    double angle = 0;  // planar
    Vector3 p = Vector3::Zero();
    Matrix3 R = Matrix3::Identity();
  };

  const Place& place(MarkerIndex marker) const { return places_[to_size(marker)]; }
  const RowPart& tree(MarkerIndex marker) const { return trees_[place(marker).node]; }
  // About the origin of the marker's node.
  Force force_of(const Place& at, const Wrench& wrench) const {
    return Algebra::force_at(wrench.force, wrench.torque, wrench.point, data_.pose[at.origin]);
  }
  template <class Function>
  void for_each_velocity(MarkerIndex marker, const Wrench& wrench, Function&& function) const {
    const Place& at = place(marker);
    if (at.node == 0) return;  // the ground, the other side of many contacts
    Force force = force_of(at, wrench);
    for (std::size_t node = at.node; node > 0; node = static_cast<std::size_t>(model_.nodes[node].parent)) {
      if constexpr (kIsPlain<Algebra>) {
        if (is_elastic_ && model_.nodes[node].section >= 0) {
          const TreeSection& section = model_.sections[static_cast<std::size_t>(model_.nodes[node].section)];
          for_each_mode(section, data_, section_components(section, data_, force), function);
        }
      }
      for (int k = model_.nodes[node].u; k < model_.nodes[node].u_end; ++k) {
        function(k, Algebra::dot(data_.S[static_cast<std::size_t>(k)], force));
      }
      if (model_.nodes[node].moves_origin) force = Algebra::shifted(force, Algebra::opposite(data_.offset[node]));
    }
  }

  const TreeModel<Algebra>& model_;
  const TreeData<Algebra>& data_;
  const bool is_elastic_;
  std::vector<Place> places_;   // per marker
  std::vector<RowPart> trees_;  // per node: the velocities of its tree; none for what is fixed to the ground
  std::vector<char> is_free_;   // per node: a free body alone in its tree, or the ground
};

// Six velocities: along the axes of the world, then of a ball about the centre of mass.
template <class Algebra>
bool MarkerEvaluation<Algebra>::is_free_body(const TreeModel<Algebra>& model, std::size_t node) {
  if constexpr (std::is_same_v<Algebra, SpatialAlgebra>) {
    using Kind = ElementaryMotion::Kind;
    const TreeNode<Algebra>& body = model.nodes[node];
    if (node == 0) return true;
    if (body.parent != 0 || body.section >= 0 || body.elastic >= 0 || body.is_memory || body.moves_origin) return false;
    if (body.origin != static_cast<int>(node) || body.motion_end - body.motion != 4) return false;
    if (body.is_parent_frame_turned || body.is_child_turned || body.child_inverse.p != Vec3::Zero()) return false;
    const TreeMotion* motion = model.motions.data() + body.motion;
    for (int k = 0; k < 3; ++k) {
      if (motion[k].kind != Kind::kTranslate || motion[k].axis != k || motion[k].sign != 1) return false;
    }
    return motion[3].kind == Kind::kBall;
  }
  return false;
}

template <class Algebra>
MarkerEvaluation<Algebra>::MarkerEvaluation(const Mechanism& mechanism, const TreeModel<Algebra>& model,
                                            const TreeData<Algebra>& data)
    : model_(model), data_(data), is_elastic_(model.is_elastic()) {
  places_.reserve(mechanism.markers.size());
  for (const Marker& marker : mechanism.markers) {
    Place at;
    const Frame frame = mechanism.frame_on_node(marker);
    at.node = static_cast<std::size_t>(mechanism.node_of(marker));
    at.origin = static_cast<std::size_t>(model.nodes[at.node].origin);
    at.p = frame.p.template cast<Scalar>();
    at.R = frame.R.template cast<Scalar>();
    at.is_shifted = frame.p != Vec3::Zero();
    at.is_turned = frame.R != Mat3::Identity();
    at.angle = std::atan2(frame.R(1, 0), frame.R(0, 0));
    places_.push_back(at);
  }
  for (std::size_t node = 0; node < model.nodes.size(); ++node) is_free_.push_back(is_free_body(model, node) ? 1 : 0);
  // Nodes and blocks stand in the order of their velocities.
  trees_.reserve(model.nodes.size());
  auto block = mechanism.mass_structure().blocks.begin();
  for (const TreeNode<Algebra>& node : model.nodes) {
    if (node.u == node.u_end && node.elastic < 0) {
      trees_.push_back(node.parent == 0 ? RowPart{} : trees_[static_cast<std::size_t>(node.parent)]);
      continue;
    }
    while (block->first + block->size <= node.u) ++block;
    trees_.push_back({block->first, block->size});
  }
  for (std::size_t node = 1; node < model.nodes.size(); ++node) {
    const TreeNode<Algebra>& body = model.nodes[node];
    if (trees_[node].size != body.u_end - body.u) is_free_[node] = 0;  // others move with it
  }
}

template <class Algebra>
int MarkerEvaluation<Algebra>::begin(MarkerIndex a, MarkerIndex b, std::array<RowPart, 2>& parts,
                                     Scalar* values) const {
  parts = {tree(a), tree(b)};
  if (parts[0].size > 0 && parts[0].first == parts[1].first) parts[1] = {};
  const int count = parts[0].size + parts[1].size;
  std::fill_n(values, count, Scalar(0));
  return count;
}

template <class Algebra>
int MarkerEvaluation<Algebra>::begin(std::span<const MarkerIndex> markers, std::array<RowPart, 2>& parts,
                                     double* values) const {
  parts = {};
  for (const MarkerIndex marker : markers) {
    const RowPart& part = tree(marker);
    if (part.size == 0 || (parts[0].size > 0 && parts[0].first == part.first)) continue;
    RowPart& own = parts[0].size == 0 ? parts[0] : parts[1];
    FREEPLAY_ASSERT(own.size == 0 || own.first == part.first);
    own = part;
  }
  const int count = parts[0].size + parts[1].size;
  std::fill_n(values, count, 0.0);
  return count;
}

}  // namespace freeplay::mechanism

// Where the shapes of a mechanism are and how they move: with the markers that carry them, with those that turn by
// themselves, and with the belts on them.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "freeplay/contact/carried/turned_shapes.h"
#include "freeplay/contact/play/belts.h"
#include "freeplay/contact/points/live_pairs.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::contact {

template <class Geometry>
class PlacedShapes {
  using Vector = typename Geometry::Vector;
  using Point = typename Geometry::Point;
  using Placement = typename Geometry::Placement;
  using Pair = typename LivePairs<Geometry>::Pair;
  static constexpr bool kIsPlanar = std::is_same_v<Geometry, InPlane>;

 public:
  PlacedShapes(const MechanismContacts& model, BodyDynamics& dynamics)
      : markers_(model.markers),
        dynamics_(dynamics),
        frames_(markers_.size()),
        placements_(markers_.size()),
        velocities_(markers_.size()),
        turned_(model),
        belts_(model) {}

  // At the position of the dynamics: markers only, or all that lies on them as well.
  void place_markers() { dynamics_.placements(markers_, frames_); }
  void place_shapes() {
    place_markers();
    for (std::size_t i = 0; i < placements_.size(); ++i) placements_[i] = Geometry::placement(frames_[i]);
    belts_.update(dynamics_.time());
    if constexpr (kIsPlanar) {
      if (!turned_.is_empty()) turned_.place(dynamics_.time(), placements_);
    }
  }
  void update_velocities() { dynamics_.velocities(markers_, velocities_); }

  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<MarkerVelocity>& velocities() const { return velocities_; }
  MarkerIndex marker_a(const Pair& pair) const { return markers_[static_cast<std::size_t>(pair.placement_a)]; }
  MarkerIndex marker_b(const Pair& pair) const { return markers_[static_cast<std::size_t>(pair.placement_b)]; }
  const Placement& placement_a(const Pair& pair) const { return placement(pair.placement_a, pair.turn_a); }
  const Placement& placement_b(const Pair& pair) const { return placement(pair.placement_b, pair.turn_b); }

  // v_A - v_B at a contact point, surfaces that turn by themselves included.
  Vector relative_velocity(const Pair& pair, const Point& at) const {
    return velocity_at(pair.placement_a, at.point_a) - velocity_at(pair.placement_b, at.point_b) +
           surface_velocity(pair, at);
  }
  // What the turning of the shapes themselves adds to v_A - v_B: n and t give w~ from it.
  Vector surface_velocity(const Pair& pair, const Point& at) const {
    if constexpr (kIsPlanar)
      return turned_.velocity(pair.turn_a, at.point_a) - turned_.velocity(pair.turn_b, at.point_b);
    else
      return Vec3::Zero();
  }
  bool has_belt(const Pair& pair) const { return pair.belt_a >= 0 || pair.belt_b >= 0; }
  PointVelocity velocity_of(const Pair& pair, const Point& at, int tangents) const {
    const Vector v = relative_velocity(pair, at);
    const Vector of_surface = surface_velocity(pair, at);
    const Vector of_belt = belt_velocity(pair, at);
    PointVelocity gamma;
    gamma.normal = at.normal.dot(v);
    gamma.driven_normal = at.normal.dot(of_surface);
    for (int k = 0; k < tangents; ++k) {
      const Vector tangent = Geometry::tangent(at, k);
      gamma.belt[k] = tangent.dot(of_belt);
      gamma.tangential[k] = tangent.dot(v) + gamma.belt[k];
      gamma.driven_tangential[k] = tangent.dot(of_surface) + gamma.belt[k];
    }
    return gamma;
  }
  // What belts add to v_A - v_B, for tangential rows only; and to the bias of such a row.
  Vector belt_velocity(const Pair& pair, const Point& at) const { return belts_.velocity(pair, at, frames_); }
  double belt_bias(const Pair& pair, const Point& at, const Vector& tangent, const Vector& normal_rate) const {
    return belts_.bias(pair, at, tangent, normal_rate, frames_, velocities_);
  }

  // A unit force along `direction` from one body to the other, at the contact.
  Interaction interaction(const Pair& pair, const Point& at, const Vector& direction) const {
    return {marker_a(pair),
            marker_b(pair),
            Geometry::in_world(direction),
            Geometry::in_world(at.point_a),
            Geometry::in_world(at.point_b),
            pair.joint};
  }
  // The bias of each row of the contact, belts included.
  void write_biases(const Pair& pair, const Point& at, const ContactPoint& description, std::span<double> zeta) const {
    const auto of_pair = rates(pair, at);
    std::size_t row = 0;
    if (description.has_normal) zeta[row++] = of_pair.normal_bias;
    for (int k = 0; k < description.friction_rows(); ++k) {
      const Vector tangent = Geometry::tangent(at, k), normal_rate = Geometry::normal_rate(of_pair, at);
      zeta[row++] = Geometry::tangential_bias(of_pair, k) + belt_bias(pair, at, tangent, normal_rate);
    }
  }

  // First and second derivatives of what the pair measures at a point, at du/dt = 0; both partners' without gravity.
  auto rates(const Pair& pair, const Point& at) const {
    return pair.gap->rates(placement_a(pair), placement_b(pair), at, motion_of(pair.placement_a, pair.turn_a),
                           motion_of(pair.placement_b, pair.turn_b));
  }

 private:
  const Placement& placement(int body, int turn) const {
    if constexpr (kIsPlanar) {
      if (turn >= 0) return turned_.placement(turn);
    }
    return placements_[static_cast<std::size_t>(body)];
  }
  Vector velocity_at(int body, const Vector& point) const {
    const std::size_t i = static_cast<std::size_t>(body);
    return Geometry::velocity(velocities_[i], placements_[i], point);
  }
  typename Geometry::Motion motion_of(int body, int turn) const {
    const std::size_t i = static_cast<std::size_t>(body);
    MarkerBias bias;
    dynamics_.biases({&markers_[i], 1}, {&bias, 1});
    typename Geometry::Motion motion = Geometry::motion(placements_[i], velocities_[i], bias);
    if constexpr (kIsPlanar)
      return turned_.motion(turn, motion);
    else
      return motion;
  }

  const std::vector<MarkerIndex>& markers_;
  BodyDynamics& dynamics_;
  std::vector<Frame> frames_;
  std::vector<Placement> placements_;
  std::vector<MarkerVelocity> velocities_;
  TurnedShapes turned_;  // in the plane only
  Belts<Geometry> belts_;
};

}  // namespace freeplay::contact

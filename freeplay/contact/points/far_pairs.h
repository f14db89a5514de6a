// Pairs whose gap functions leave out what is far away (PlanarGap::reach_m): how near they may be all the same, and how
// fast that may change. Private to contact/points.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "freeplay/contact/carried/placed_shapes.h"
#include "freeplay/contact/points/live_pairs.h"
#include "freeplay/contact/points/untold_contacts.h"

namespace freeplay::contact {

template <class Geometry>
class FarPairs {
  using Pair = typename LivePairs<Geometry>::Pair;
  static constexpr bool kIsPlanar = std::is_same_v<Geometry, InPlane>;

 public:
  FarPairs(const MechanismContacts& model, const PlacedShapes<Geometry>& shapes) : model_(model), shapes_(shapes) {}

  // Points without contact have infinite gaps in `g`, which has those of the pairs.
  void fill(const std::vector<Pair>& pairs, VecRef g) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const Pair& pair : pairs) {
      if (!std::isfinite(pair.gap->reach_m())) continue;
      auto of_pair = g.segment(pair.first_point, pair.point_count);
      if (of_pair.maxCoeff() == kInfinity) of_pair = of_pair.cwiseMin(least_gap(pair));
    }
  }

  // What the gap of a contact that is not shown is at least: the reach of the gap function, or what the bounds of the
  // two shapes tell of all gaps.
  double least_gap(const Pair& pair) const {
    const auto [a, b] = surfaces_of(pair);
    if (a < 0 || b < 0) return pair.gap->reach_m();
    return std::max(pair.gap->reach_m(), gap_bound(bound_of_surface(a), bound_of_surface(b)));
  }

  UntoldContacts untold_contacts(const Pair& pair) const {
    if constexpr (!kIsPlanar) {
      if (!pair.gap->tells_deep()) return {pair.gap->reach_m(), least_gap(pair), greatest_speed(pair)};
    }
    return {};
  }

  // How fast the distance of such a pair may change, at most; none of others.
  std::optional<double> far_speed(const Pair& pair) const {
    return std::isfinite(pair.gap->reach_m()) ? std::optional(greatest_speed(pair)) : std::nullopt;
  }

  // How fast the one shape of a pair may move against the other one, at most. Seen from B the points of A move as the
  // centre of its ball does and by turning about it; and the other way round.
  double greatest_speed(const Pair& pair) const {
    const auto [a, b] = surfaces_of(pair);
    const MarkerVelocity &of_a = velocity(pair.placement_a), &of_b = velocity(pair.placement_b);
    if (a < 0 || b < 0) return (of_a.v - of_b.v).norm();
    const double turning = (of_a.w - of_b.w).norm();
    double speed = std::numeric_limits<double>::infinity();
    for (const int surface : {a, b}) {
      const Bound bound = bound_of_surface(surface);
      if (bound.kind != Bound::Kind::kBall) continue;
      const Vec3 centre =
          velocity_at(pair.placement_a, bound.ball.centre_m) - velocity_at(pair.placement_b, bound.ball.centre_m);
      speed = std::min(speed, centre.norm() + turning * bound.ball.radius_m);
    }
    if (!std::isfinite(speed)) speed = (of_a.v - of_b.v).norm();
    return speed + own_turning(pair, a, b);
  }

 private:
  std::pair<int, int> surfaces_of(const Pair& pair) const {
    return pair.is_named() ? model_.surfaces_of(static_cast<int>(pair.key))
                           : MechanismContacts::surfaces_of_key(pair.key);
  }
  Bound bound_of_surface(int surface) const {
    const MechanismContacts::Surface& of = model_.surfaces[static_cast<std::size_t>(surface)];
    return placed(of.bound, shapes_.frames()[static_cast<std::size_t>(of.placement)]);
  }
  const MarkerVelocity& velocity(int placement) const {
    return shapes_.velocities()[static_cast<std::size_t>(placement)];
  }
  Vec3 velocity_at(int placement, const Vec3& point) const {
    const MarkerVelocity& body = velocity(placement);
    return body.v + body.w.cross(point - shapes_.frames()[static_cast<std::size_t>(placement)].p);
  }
  // Of shapes that turn against their bodies: the bound is then a ball about the place where they do.
  double own_turning(Pair pair, int a, int b) const {
    if constexpr (kIsPlanar) {
      const auto rim = [&](int surface) {
        const Bound bound = bound_of_surface(surface);
        return Vec2(bound.ball.centre_m.x() + std::abs(bound.ball.radius_m), bound.ball.centre_m.y());
      };
      typename Geometry::Point at;
      at.point_a = rim(a);
      at.point_b = rim(b);
      const int turn_a = pair.turn_a;
      pair.turn_a = -1;
      const double of_b = shapes_.surface_velocity(pair, at).norm();
      pair.turn_a = turn_a;
      pair.turn_b = -1;
      return of_b + shapes_.surface_velocity(pair, at).norm();
    }
    return 0;
  }

  const MechanismContacts& model_;
  const PlacedShapes<Geometry>& shapes_;
};

}  // namespace freeplay::contact

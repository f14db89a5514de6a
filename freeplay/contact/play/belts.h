// Surfaces that run along themselves, as conveyor belts do: their matter moves, their shape stays. Private to
// contact/points.
#pragma once

#include <span>
#include <vector>

#include "freeplay/contact/points/live_pairs.h"

namespace freeplay::contact {

template <class Geometry>
class Belts {
  using Vector = typename Geometry::Vector;
  using Point = typename Geometry::Point;
  using Pair = typename LivePairs<Geometry>::Pair;
  static constexpr bool kIsPlanar = std::is_same_v<Geometry, InPlane>;

 public:
  explicit Belts(const MechanismContacts& model) : model_(model), now_(model.belts.size()) {}

  // Velocities at the time t, and their rates.
  void update(double t) {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      for (int k = 0; k < static_cast<int>(model_.belts[i].size()); ++k) {
        const TimeJet jet = model_.belts[i][static_cast<std::size_t>(k)].evaluate_jet({&t, 1});
        now_[i].velocity[k] = jet.value;
        now_[i].rate[k] = jet.rate;
      }
    }
  }

  // What belts add to v_A - v_B at a point. Only its tangential part means anything: they open and close no gaps.
  // `frames`: of MechanismContacts::markers.
  Vector velocity(const Pair& pair, const Point& at, std::span<const Frame> frames) const {
    Vector sum = Vector::Zero();
    if (pair.belt_a >= 0) sum += in_world(of(pair.belt_a).velocity, -at.normal, pair.placement_a, frames);
    if (pair.belt_b >= 0) sum -= in_world(of(pair.belt_b).velocity, at.normal, pair.placement_b, frames);
    return sum;
  }

  // Its derivative in time, as the bodies turn. In the plane the turn of the tangent, which has no part along the
  // tangent, is left out.
  Vector acceleration(const Pair& pair, const Point& at, std::span<const Frame> frames,
                      [[maybe_unused]] std::span<const MarkerVelocity> velocities) const {
    Vector sum = Vector::Zero();
    const auto add = [&](int belt, int placement, const Vector& outward, double sign) {
      if (belt < 0) return;
      const Now& now = of(belt);
      sum += sign * in_world(now.rate, outward, placement, frames);
      if constexpr (!kIsPlanar) {
        const Vec3& w = velocities[static_cast<std::size_t>(placement)].w;
        sum += sign * w.cross(in_world(now.velocity, outward, placement, frames));
      }
    };
    add(pair.belt_a, pair.placement_a, -at.normal, 1);
    add(pair.belt_b, pair.placement_b, at.normal, -1);
    return sum;
  }

  // What belts add to dgamma_T/dt of a tangent that turns with the normal and not about it, t' = -(n' . t) n.
  double bias(const Pair& pair, const Point& at, const Vector& tangent, const Vector& normal_rate,
              std::span<const Frame> frames, std::span<const MarkerVelocity> velocities) const {
    if (pair.belt_a < 0 && pair.belt_b < 0) return 0;
    return tangent.dot(acceleration(pair, at, frames, velocities)) -
           tangent.dot(normal_rate) * at.normal.dot(velocity(pair, at, frames));
  }

 private:
  struct Now {
    Vec3 velocity = Vec3::Zero(), rate = Vec3::Zero();
  };
  // In the plane, x is the speed along the boundary: towards +x where the outward normal is +y. In space a vector in
  // the axes of the body.
  static Vector in_world(const Vec3& value, const Vector& outward, int placement, std::span<const Frame> frames) {
    if constexpr (kIsPlanar)
      return value.x() * tangent_of(outward);
    else
      return frames[static_cast<std::size_t>(placement)].R * value;
  }
  const Now& of(int belt) const { return now_[static_cast<std::size_t>(belt)]; }

  const MechanismContacts& model_;
  std::vector<Now> now_;
};

}  // namespace freeplay::contact

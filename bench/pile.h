// The pile of bench/spatial.cpp as every engine gets it and answers for it. Needs no header of any engine.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace freeplay::bench {

using Vector = std::array<double, 3>;

inline double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vector add(const Vector& a, double factor, const Vector& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

// Equal spheres, at rest, in a box without a lid: its floor at z = 0, its walls at +- box/2.
struct PileScene {
  double radius_m = 0, mass_kg = 0, box_m = 0, friction = 0, gravity_m_s2 = 0, step_s = 0;
  std::vector<Vector> centres_m;
};

// A contact as an engine had it in a step, with the velocities at the end of that step.
struct PileContact {
  Vector normal{};                   // from b to a
  std::array<Vector, 2> tangents{};  // in which the engine bounds friction
  Vector velocity_m_s{};             // of a against b at the contact
  Vector impulse_N_s{};              // on a
  double aim_m_s = 0;  // normal velocity from which on the engine lets them be: > 0 pushes out, < 0 lets a gap close
  bool has_wall = false;
};

// Velocity of a point of a body.
inline Vector velocity_at(const Vector& velocity, const Vector& spin, const Vector& centre, const Vector& point) {
  return add(velocity, 1, cross(spin, add(point, -1, centre)));
}

class PilePeer {
 public:
  virtual ~PilePeer() = default;
  virtual void step() = 0;
  // Of the last step.
  virtual std::vector<PileContact> contacts() = 0;
  virtual std::vector<Vector> centres_m() const = 0;
};

// The part of a penetration that ODE and Bullet undo in a step: the default of both.
inline constexpr double kPushedOut = 0.2;

}  // namespace freeplay::bench

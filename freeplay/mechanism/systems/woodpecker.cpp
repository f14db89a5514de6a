#include "freeplay/mechanism/systems/woodpecker.h"

#include <fmt/format.h>

#include <array>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/systems/linear_system.h"
#include "freeplay/mechanism/systems/systems.h"

namespace freeplay::mechanism {

namespace {

std::vector<SystemParameter> parameters() {
  return {{"pole_radius", dimensions::kLength, 0.0025, "radius of the pole"},
          {"sleeve_radius", dimensions::kLength, 0.0031, "inner radius of the sleeve"},
          {"sleeve_half_height", dimensions::kLength, 0.0058, "half the height of the sleeve"},
          {"pivot_distance", dimensions::kLength, 0.010, "from the middle of the sleeve to the spring"},
          {"bird_distance", dimensions::kLength, 0.015, "from the spring to the centre of mass of the bird"},
          {"beak_height", dimensions::kLength, 0.02, "of the beak above the centre of mass of the bird"},
          {"beak_length", dimensions::kLength, 0.0201,
           "from the centre of mass of the bird to the tip of the beak, horizontally"},
          {"sleeve_mass", dimensions::kMass, 0.0003, "mass of the sleeve"},
          {"bird_mass", dimensions::kMass, 0.0045, "mass of the bird"},
          {"sleeve_inertia", dimensions::kInertia, 5e-9, "inertia of the sleeve"},
          {"bird_inertia", dimensions::kInertia, 7e-7, "inertia of the bird"},
          {"stiffness", dimensions::kTorque, 0.0056, "of the spring, per rad"},
          {"g", dimensions::kAcceleration, 9.81, "gravity"},
          {"beak_restitution", dimensions::kNone, 0.5, "of the beak on the pole"},
          {"sleeve_restitution", dimensions::kNone, 0, "of the edges of the sleeve on the pole"},
          {"friction", dimensions::kNone, 0.3, "of all contacts"},
          {"y", dimensions::kLength, 0, "initial height"},
          {"sleeve_angle", dimensions::kAngle, 0, "initial angle of the sleeve"},
          {"bird_angle", dimensions::kAngle, 0, "initial angle of the bird"},
          {"vy", dimensions::kVelocity, 0, "initial velocity"},
          {"sleeve_omega", dimensions::kAngularVelocity, 0, "initial angular velocity of the sleeve"},
          {"bird_omega", dimensions::kAngularVelocity, 0, "initial angular velocity of the bird"}};
}

void check(std::span<const double> values) {
  const std::vector<SystemParameter> all = parameters();
  constexpr std::size_t kPositive = 11, kFirstShare = 13, kEnd = 16;
  for (std::size_t i = 0; i < kPositive; ++i) {
    if (!(values[i] > 0))
      throw ModelError("parameters." + all[i].name, "must be greater than 0", "give a positive value");
  }
  for (std::size_t i = kFirstShare; i < kEnd; ++i) {
    const bool is_friction = i + 1 == kEnd;
    if (values[i] < 0 || (!is_friction && values[i] > 1))
      throw ModelError("parameters." + all[i].name, fmt::format("is {}", values[i]),
                       is_friction ? "give 0 or more" : "give a number from 0 to 1");
  }
}

// q = (y, phi_M, phi_S): height, angles of sleeve and bird.
std::shared_ptr<const System> make_woodpecker(std::span<const double> values) {
  check(values);
  const WoodpeckerParameters p = woodpecker_parameters(values);
  const double m = p.bird_mass, a = p.pivot_distance, b = p.bird_distance;
  LinearSystemSpec spec;
  spec.coordinates = {
      {"sleeve.y", "sleeve.vy", false}, {"sleeve.angle", "sleeve.omega", true}, {"bird.angle", "bird.omega", true}};
  spec.M = Mat3{{m + p.sleeve_mass, m * a, m * b},
                {m * a, p.sleeve_inertia + m * a * a, m * a * b},
                {m * b, m * a * b, p.bird_inertia + m * b * b}};
  spec.K = p.stiffness * Mat3{{0, 0, 0}, {0, 1, -1}, {0, -1, 1}};
  spec.h = -p.g * Vec3(m + p.sleeve_mass, m * a, m * b);
  spec.initial_q = Vec3(p.y, p.sleeve_angle, p.bird_angle);
  spec.initial_u = Vec3(p.vy, p.sleeve_omega, p.bird_omega);
  return std::make_shared<LinearSystem>(std::move(spec));
}

}  // namespace

WoodpeckerParameters woodpecker_parameters(std::span<const double> v) {
  return {v[0],  v[1],  v[2],  v[3],  v[4],  v[5],  v[6],  v[7],  v[8],  v[9],  v[10],
          v[11], v[12], v[13], v[14], v[15], v[16], v[17], v[18], v[19], v[20], v[21]};
}

SystemEntry woodpecker_entry() {
  return {"woodpecker", "the toy: a sleeve with play on a pole, a bird on it by a spring; small angles", parameters(),
          &make_woodpecker};
}

}  // namespace freeplay::mechanism

#include "freeplay/model/belt_drive.h"

#include <fmt/format.h>

#include <cmath>

#include "freeplay/model/wound_chain.h"

namespace freeplay::model {

namespace {

constexpr double kDriverRadius_m = 0.04, kDrivenRadius_m = 0.08, kCentreDistance_m = 0.25;
constexpr double kBeltMass_kg_m = 0.8;     // per length
constexpr double kBeltStiffness_N = 35e3;  // EA: force per stretch
constexpr double kBeltDamping_Ns = 0.35;   // the same per rate of stretch
constexpr double kWheelInertia_kg_m2 = 2e-3, kWheelMass_kg = 1;
constexpr double kTorqueRamp_s = 0.05;
constexpr double kMostBeltStretch = 0.05;
constexpr int kFewestPieces = 60, kMostPieces = 100'000;

Scene make_belt_drive(std::span<const double> v) {
  const double links = v[0], torque_Nm = v[1], speed = v[2], friction = v[3], tension_N = v[4], driven_speed = v[5];
  WoundChain belt{.driver_radius_m = kDriverRadius_m,
                  .driven_radius_m = kDrivenRadius_m,
                  .pulley_mass_kg = kWheelMass_kg,
                  .pulley_inertia_kg_m2 = kWheelInertia_kg_m2,
                  .centre_distance_m = kCentreDistance_m,
                  .speed = speed,
                  .driven_speed = driven_speed,
                  .torque_Nm = torque_Nm,
                  .load_ramp_s = kTorqueRamp_s,
                  .friction = friction,
                  .group = "belt"};
  check_drive_numbers(belt, links, kFewestPieces, kMostPieces);
  demand_of_parameter(
      tension_N > 0 && tension_N <= kMostBeltStretch * kBeltStiffness_N, "tension",
      fmt::format("must be greater than 0 and at most {:g} N, at which the belt is {:g} % longer, but is {:g} N",
                  kMostBeltStretch * kBeltStiffness_N, 100 * kMostBeltStretch, tension_N),
      "for example 300 N");
  belt.links = static_cast<int>(links);
  // A piece of the belt that is stretched by the tension, EA (s - p)/p = T, is as long as its part s of the way.
  const double piece_m = belt.way_m() / links;
  belt.pitch_m = piece_m / (1 + tension_N / kBeltStiffness_N);
  belt.link_mass_kg = kBeltMass_kg_m * belt.pitch_m;
  belt.pin_stiffness_N_m = kBeltStiffness_N / belt.pitch_m;
  belt.pin_damping_Ns_m = kBeltDamping_Ns / belt.pitch_m;
  return make_wound_chain(belt);
}

}  // namespace

SceneEntry belt_drive() {
  return {"belt_drive",
          "a flat belt, in short elastic links, around a small driver and a larger pulley",
          {
              {"links", dimensions::kNone, 126, "number of links that the belt is cut into"},
              {"torque", dimensions::kTorque, 5,
               "of the load on the driven pulley, reached after 0.05 s; negative: it drives the pulley; a bare number "
               "is in N m",
               true},
              {"speed", dimensions::kAngularVelocity, 100, "of the driving pulley; a bare number is in rad/s", true},
              {"friction", dimensions::kNone, 0.3, "Coulomb's coefficient between belt and pulleys"},
              {"tension", dimensions::kForce, 300, "that the belt is laid on with; a bare number is in N", true},
              {"driven_speed", dimensions::kAngularVelocity, 0,
               "of the driven pulley, prescribed in place of `torque`; 0: it turns under its load; a bare number is in "
               "rad/s",
               true, "torque"},
          },
          &make_belt_drive};
}

}  // namespace freeplay::model

#include "freeplay/model/roller_chain.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "freeplay/model/wound_chain.h"

namespace freeplay::model {

namespace {

constexpr double kPitch_m = 0.01, kLinkMass_kg = 0.012;
constexpr double kPinStiffness_N_m = 2e7, kPinDamping_Ns_m = 200;
constexpr double kPulleyRadius_m = 0.05;  // of the circle that the pins lie on
constexpr double kPulleyMass_kg = 1;      // of no effect: both turn about their centres
constexpr double kPulleyInertia_kg_m2 = 2e-3;
constexpr double kLoadRamp_s = 0.1;
constexpr double kMostStretch = 0.02;  // of a link, at the start: 4 kN
constexpr int kFewestLinks = 8, kMostLinks = 100'000;
// How much longer than its links the way is that 63 of them are wound on: what a fitting distance is taken from.
constexpr double kUsualStretch = (2 * 0.1598 + 2 * std::numbers::pi * kPulleyRadius_m) / (63 * kPitch_m) - 1;

std::string fitting_distance(int links) {
  const double fitting_m = (links * kPitch_m * (1 + kUsualStretch) - 2 * std::numbers::pi * kPulleyRadius_m) / 2;
  if (fitting_m > 2 * kPulleyRadius_m)
    return fmt::format("{} links fit a distance of {:.5g} mm", links, 1e3 * fitting_m);
  return "take more links: 63 fit a distance of 159.8 mm";
}

// The pins start at equal distances along the way, so the shortest of these, a chord of a pulley, must not be shorter
// than a link, and the longest, on a strand, not much longer.
void check_chain_closes(const WoundChain& data) {
  const double a = data.centre_distance_m, R = kPulleyRadius_m;
  demand_of_parameter(a > 2 * R, "centre_distance",
                      fmt::format("the pulleys, of {:g} mm radius, overlap at {:g} mm", 1e3 * R, 1e3 * a),
                      fitting_distance(data.links));
  const double on_strand_m = data.way_m() / data.links, on_pulley_m = 2 * R * std::sin(on_strand_m / (2 * R));
  const std::string ways =
      fmt::format("{} links of {:g} mm are {:.5g} mm long, the way around both pulleys is {:.5g} mm", data.links,
                  1e3 * kPitch_m, 1e3 * data.links * kPitch_m, 1e3 * data.way_m());
  demand_of_parameter(on_strand_m <= (1 + kMostStretch) * kPitch_m, "centre_distance",
                      fmt::format("the chain is too short to be closed: {}", ways), fitting_distance(data.links));
  demand_of_parameter(on_pulley_m >= kPitch_m, "centre_distance", fmt::format("the chain hangs loose: {}", ways),
                      fitting_distance(data.links));
}

Scene make_roller_chain(std::span<const double> v) {
  WoundChain chain{.pitch_m = kPitch_m,
                   .link_mass_kg = kLinkMass_kg,
                   .pin_stiffness_N_m = kPinStiffness_N_m,
                   .pin_damping_Ns_m = kPinDamping_Ns_m,
                   .driver_radius_m = kPulleyRadius_m,
                   .driven_radius_m = kPulleyRadius_m,
                   .pulley_mass_kg = kPulleyMass_kg,
                   .pulley_inertia_kg_m2 = kPulleyInertia_kg_m2,
                   .centre_distance_m = v[4],
                   .speed = v[2],
                   .driven_speed = v[5],
                   .torque_Nm = v[1],
                   .load_ramp_s = kLoadRamp_s,
                   .friction = v[3]};
  check_drive_numbers(chain, v[0], kFewestLinks, kMostLinks);
  chain.links = static_cast<int>(v[0]);
  demand_of_parameter(std::isfinite(chain.centre_distance_m), "centre_distance", "must be finite",
                      fitting_distance(chain.links));
  check_chain_closes(chain);
  return make_wound_chain(chain);
}

}  // namespace

SceneEntry roller_chain() {
  return {"roller_chain",
          "a closed chain of links around two pulleys that drive it by friction",
          {
              {"links", dimensions::kNone, 63, "number of links, each 10 mm long"},
              {"torque", dimensions::kTorque, 20,
               "of the load on the driven pulley, reached after 0.1 s; negative: it drives the pulley; a bare number "
               "is in N m",
               true},
              {"speed", dimensions::kAngularVelocity, 100, "of the driving pulley; a bare number is in rad/s", true},
              {"friction", dimensions::kNone, 0.4, "Coulomb's coefficient between pins and pulleys"},
              {"centre_distance", dimensions::kLength, 0.1598, "of the pulleys, whose radius is 50 mm"},
              {"driven_speed", dimensions::kAngularVelocity, 0,
               "of the driven pulley, prescribed in place of `torque`; 0: it turns under its load; a bare number is in "
               "rad/s",
               true, "torque"},
          },
          &make_roller_chain};
}

}  // namespace freeplay::model

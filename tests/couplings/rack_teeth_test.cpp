// A rack with a pressure angle: its teeth load the bearing of the pinion and the guide of the rack.
#include <cmath>
#include <numbers>

#include "couplings/flank_derivatives.h"
#include "couplings/gear_pair.h"

namespace freeplay::test::rack_teeth_test {
namespace {

using std::numbers::pi;

constexpr double kRadius = 0.03, kSpeed = 20, kLoad = 200;

struct Case {
  std::string space, model, as;
  bool is_reverse = false;
  double load = kLoad;  // on the rack, against its motion
};

bool has_impacts(const Case& one) {
  return one.model.find("contact") != std::string::npos;
}

// The pinion turns at constant speed and moves the rack against a force that acts in the pitch line.
std::string rack_model(const Case& one) {
  const bool is_planar = one.space == "planar";
  const double sign = one.is_reverse ? -1 : 1;
  const auto inertia = [&](double value) {
    return is_planar ? fmt::format("{} kg m^2", value) : fmt::format("[{0} kg m^2, {0} kg m^2, {0} kg m^2]", value);
  };
  const std::string load =
      is_planar ? fmt::format("[{} N, 0]", -sign * one.load) : fmt::format("[{} N, 0, 0]", -sign * one.load);
  const std::string place = fmt::format("[0, {} mm{}]", -sign * 30, is_planar ? "" : ", 0");
  return fmt::format(
      "freeplay: 1\nspace: {}\n"
      "bodies:\n"
      "  pinion: {{mass: 1 kg, inertia: {}}}\n"
      "  rack: {{mass: 2 kg, inertia: {}, initial: {{vx: {} m/s}}}}\n"
      "joints:\n"
      "  bearing: {{type: revolute, parent: ground, child: pinion}}\n"
      "  guide: {{type: prismatic, parent: ground, at_parent: {}, child: rack, as: {}}}\n"
      "couplings: {{teeth: {{type: rack, pinion: bearing, rack: guide, pitch_radius: 30 mm, reverse: {},\n"
      "  pressure_angle: 20 deg, {}}}}}\n"
      "forces: {{load: {{type: force, on: rack, value: {}}}}}\n"
      "drivers: {{motor: {{on: bearing, motion: {} rad/s * t}}}}\n"
      "simulate: {{{}}}\n",
      one.space, inertia(1e-3), inertia(0.01), sign * kSpeed * kRadius, place, one.as, one.is_reverse, one.model, load,
      kSpeed,
      has_impacts(one) ? simulate_by("moreau-midpoint", 0.2) + ", force_window: 0.1 ms" : simulate_by("dopri5", 0.2));
}

// Statics: the tooth pushes the rack by the load along the pitch line, and by tan(alpha) of it away from the pinion,
// whichever flank carries. The bearing holds the opposite. In the guide this force acts where pinion and rack touch,
// not where the rack's own joint has come to: a moment of the way times the radial force.
void expect_statics(const Case& one) {
  SCOPED_TRACE(one.space + ", " + one.model + ", " + one.as + (one.is_reverse ? ", reverse" : ""));
  const ModelRun run = run_text(rack_model(one));
  const double sign = one.is_reverse ? -1 : 1, tangential = sign * one.load;
  const double away = -sign * std::abs(one.load) * std::tan(20 * pi / 180);  // on the rack, along y
  EXPECT_NEAR(run["bearing.force_x"].back(), tangential, 1e-3);
  EXPECT_NEAR(run["bearing.force_y"].back(), away, 1e-3);
  EXPECT_NEAR(run["guide.force_y"].back(), -away, 1e-3);
  const double way = run["rack.x"].back();
  EXPECT_NEAR(std::abs(way), kSpeed * kRadius * 0.2, 2e-3);
  const char* moment = one.space == "planar" ? "guide.moment" : "guide.moment_z";
  // Time stepping has the forces of the middle of a step.
  const double then = has_impacts(one) ? way - 0.5e-4 * sign * kSpeed * kRadius : way;
  EXPECT_NEAR(run[moment].back(), then * away, 1e-4);
  EXPECT_NEAR(run["motor.torque"].back(), one.load * kRadius, 1e-3);
  if (has_impacts(one)) {
    const char* flank = one.load > 0 ? "teeth.normal_force_upper" : "teeth.normal_force_lower";
    EXPECT_NEAR(run[flank].back(), std::abs(one.load) / std::cos(20 * pi / 180), 1e-3);
  } else {
    EXPECT_NEAR(run["teeth.force"].back(), -one.load, 1e-3);
  }
}

TEST(RackTeeth, LoadBearingAndGuideAsStaticsSay) {
  for (const std::string model :
       {"model: ideal", "model: backlash, backlash: 0.1 mm, contact: {impact: newton, restitution: 0}",
        "model: compliant, stiffness: 1e6 N/m, damping: 2 kN s/m, backlash: 0.1 mm"}) {
    for (const std::string as : {"tree", "constraint"}) {
      expect_statics({"planar", model, as});
      expect_statics({"spatial", model, as});
    }
    expect_statics({"planar", model, "tree", true});
    expect_statics({"planar", model, "tree", false, -kLoad});
  }
}

// An arm that turns carries pinion and rack, both in bushings, so that centre and pitch line come nearer, and the rack
// tilts; in the second coupling the rack lies on the other side.
TEST(RackTeeth, RatesAndColumnsAreDerivativesOfTheirGap) {
  expect_that_flanks_fit_together(R"(
freeplay: 1
space: planar
bodies:
  arm: {mass: 1 kg, inertia: 4e-3 kg m^2}
  pinion: {mass: 0.5 kg, inertia: 2e-4 kg m^2}
  rack: {mass: 2 kg, inertia: 0.02 kg m^2}
  other: {mass: 2 kg, inertia: 0.02 kg m^2}
joints:
  shaft: {type: revolute, parent: ground, child: arm, initial: {q: 40 deg}}
  pin: {type: revolute, parent: arm, at_parent: [35 mm, 10 mm], child: pinion, model: bushing, bushing: {stiffness: 1e6 N/m}}
  guide: {type: prismatic, parent: arm, at_parent: [20 mm, -50 mm], axis: [1, 0.3], child: rack, at_child: [5 mm, 2 mm], model: bushing,
    bushing: {stiffness: 1e6 N/m, torsional_stiffness: 1e4 N m/rad}}
  rail: {type: prismatic, parent: arm, at_parent: [20 mm, 90 mm], axis: [0.2, 1], child: other, model: bushing,
    bushing: {stiffness: 1e6 N/m, torsional_stiffness: 1e4 N m/rad}}
couplings:
  near: {type: rack, pinion: pin, rack: guide, pitch_radius: 30 mm, pressure_angle: 20 deg, model: compliant,
    stiffness: 1e6 N/m, backlash: 1 mm}
  far: {type: rack, pinion: pin, rack: rail, pitch_radius: 40 mm, reverse: true, pressure_angle: 15 deg,
    model: compliant, stiffness: 1e6 N/m, backlash: 1 mm}
simulate: {duration: 1 s}
)",
                                  2);
}

// Bushings let pinion and rack give way to the teeth. Without damping nothing is lost, which it would be if gap and
// line of action did not fit each other.
TEST(RackTeeth, InElasticBearingsKeepTheirEnergy) {
  const std::string text =
      "freeplay: 1\nspace: planar\n"
      "bodies: {pinion: {mass: 1 kg, inertia: 2e-3 kg m^2}, rack: {mass: 2 kg, inertia: 0.01 kg m^2}}\n"
      "joints:\n"
      "  bearing: {type: revolute, parent: ground, child: pinion, model: bushing, bushing: {stiffness: 1e6 N/m}, "
      "initial: {u: 20 rad/s}}\n"
      "  guide: {type: prismatic, parent: ground, at_parent: [0, -30 mm], child: rack, model: bushing, "
      "bushing: {stiffness: 1e6 N/m, torsional_stiffness: 1e4 N m/rad}}\n"
      "couplings: {teeth: {type: rack, pinion: bearing, rack: guide, pitch_radius: 30 mm, pressure_angle: 20 deg,\n"
      "  model: compliant, stiffness: 2e6 N/m, backlash: 0.05 mm}}\n"
      "simulate: {" +
      simulate_by("dopri5", 0.05, 1e-5) + "}\n";
  const ModelRun run = run_text(text);
  EXPECT_GT(largest(run["bearing.eccentricity_y"]), 1e-5) << "the teeth push the pinion off the rack";
  EXPECT_GT(run["rack.x"].back(), 1e-3);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-6);
}

}  // namespace
}  // namespace freeplay::test::rack_teeth_test

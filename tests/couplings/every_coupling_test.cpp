// Every type of coupling in every model under every integrator: it runs and keeps its relation, or says what to do.
#include <cmath>

#include "couplings/flank_derivatives.h"
#include "couplings/gear_pair.h"
#include "couplings/three_wheels.h"
#include "freeplay/core/error.h"

namespace freeplay::test::every_coupling_test {
namespace {

struct Type {
  std::string keys;
  bool is_angle;
};

const std::vector<Type>& every_type() {
  static const std::vector<Type> types = {
      {"type: gear, first: a, second: b, ratio: 1.5", true},
      {"type: gear, first: a, second: b, ratio: 1.5, pitch_radius: 40 mm", false},
      {"type: gear, first: a, second: b, ratio: 1.5, pitch_radius: 40 mm, pressure_angle: 20 deg", false},
      {"type: rack, pinion: a, rack: x, pitch_radius: 30 mm", false},
      {"type: rack, pinion: a, rack: x, pitch_radius: 30 mm, pressure_angle: 20 deg", false},
      {"type: screw, turn: a, shift: x, lead: 60 mm", false},
      {"type: belt, first: a, second: b, radius_1: 40 mm, radius_2: 60 mm", false},
      {"type: differential, ring: a, left: b, right: c", true},
      {"type: clutch, first: a, second: b", true},
      {"type: coupler, joints: {a: {factor: 20 mm}, b: {factor: -10 mm}, x: {factor: 2}}", false},
  };
  return types;
}

std::string model_of(const Type& type, const std::string& model, const std::string& integrator, double angle = 1e-3) {
  std::string coupling = type.keys + ", model: " + model;
  if (model != "ideal") coupling += type.is_angle ? fmt::format(", backlash: {} rad", angle) : ", backlash: 40 um";
  if (model == "compliant")
    coupling +=
        type.is_angle ? ", stiffness: 500 N m/rad, damping: 0.05 N m s/rad" : ", stiffness: 1e6 N/m, damping: 50 N s/m";
  if (model == "backlash")
    coupling += std::string(", contact: {impact: newton, restitution: 0") +
                (type.is_angle ? "}" : ", force: {law: hunt-crossley, stiffness: 1e11 N/m^1.5}}");
  return three_wheels(coupling) +
         "forces: {motor: {type: torque, on: wheel_a, value: 3 N m}}\n"
         "simulate: {" +
         simulate_by(integrator, 0.01, 2e-5) + "}\n";
}

TEST(EveryCoupling, RunsInEveryModelUnderEveryIntegratorOrSaysWhatToDo) {
  for (const Type& type : every_type()) {
    for (const std::string model : {"ideal", "backlash", "compliant"}) {
      for (const std::string integrator : {"moreau-midpoint", "moreau-jean", "event-driven", "nlp-variable-step",
                                           "dopri5", "cvode-bdf", "cvode-adams"}) {
        SCOPED_TRACE(type.keys + ", " + model + ", " + integrator);
        const bool is_smooth = integrator == "dopri5" || integrator.starts_with("cvode");
        if (model == "backlash" && is_smooth && type.is_angle) {
          EXPECT_THROW(run_text(model_of(type, model, integrator)), ModelError);
          continue;
        }
        const ModelRun run = run_text(model_of(type, model, integrator));
        EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
        const double moved = std::abs(run["a.q"].back());
        EXPECT_GT(moved, 1e-3);
        const double half = type.is_angle ? 0.5e-3 : 20e-6, allowed = model == "ideal"       ? 1e-12
                                                                      : model == "compliant" ? 60 * half
                                                                                             : 1.5 * half;
        EXPECT_LT(largest(run["it.position"]), allowed);
        EXPECT_LT(run.summary.max_energy_drift_J, 2e-3 * run["energy.kinetic"].back());
      }
    }
  }
}

// With centres that move: wheels in bushings, and a planet between sun and ring on a carrier that turns.
TEST(GearMesh, RatesAndColumnsAreDerivativesOfItsGap) {
  const std::string text = R"(
freeplay: 1
space: planar
bodies:
  sun: {mass: 1 kg, inertia: 1e-3 kg m^2}
  arm: {mass: 1 kg, inertia: 4e-3 kg m^2}
  planet: {mass: 0.5 kg, inertia: 2e-4 kg m^2}
  ring: {mass: 2 kg, inertia: 0.02 kg m^2}
joints:
  sun_shaft: {type: revolute, parent: ground, child: sun, model: bushing, bushing: {stiffness: 1e6 N/m}}
  arm_shaft: {type: revolute, parent: ground, child: arm}
  pin: {type: revolute, parent: arm, at_parent: [35 mm, 0], child: planet, model: bushing, bushing: {stiffness: 1e6 N/m}}
  frame: {type: revolute, parent: ground, child: ring, model: bushing, bushing: {stiffness: 1e6 N/m}}
couplings:
  inner: {type: gear, first: sun_shaft, second: pin, teeth_1: 20, teeth_2: 15, module: 2 mm, carrier: arm_shaft,
    pressure_angle: 20 deg, model: compliant, stiffness: 1e6 N/m, backlash: 1 mm}
  outer: {type: gear, first: pin, second: frame, teeth_1: 15, teeth_2: 50, module: 2 mm, internal: true,
    carrier: arm_shaft, pressure_angle: 20 deg, model: compliant, stiffness: 1e6 N/m, backlash: 1 mm}
simulate: {duration: 1 s}
)";
  expect_that_flanks_fit_together(text, 2);
}

// A pair of wheels in journal bearings with play: the mesh force presses each journal against its bearing along the
// line of action, where the wheel then stays.
TEST(GearMesh, PressesWheelsIntoTheirBearings) {
  const std::string play =
      ", model: clearance, clearance: 0.02 mm, journal_radius: 10 mm, contact: {impact: newton, restitution: 0, "
      "friction: 0}";
  const ModelRun run = run_text(gear_pair(
      ", pressure_angle: 20 deg, model: backlash, backlash: 0.1 mm, contact: {impact: newton, restitution: 0}",
      "forces:\n"
      "  load: {type: torque, on: wheel_2, value: 12 N m - 0.4 N m s * wheel_2.omega}\n"
      "  motor: {type: torque, on: wheel_1, value: 8 N m - 0.4 N m s * wheel_1.omega}\n",
      simulate_by("moreau-midpoint", 0.3, 1e-5), play, play));
  const std::size_t last = run.rows() - 1;
  const double x = run["shaft_2.eccentricity_x"][last], y = run["shaft_2.eccentricity_y"][last];
  EXPECT_NEAR(std::hypot(x, y), 0.02e-3, 0.5e-6);  // and what time stepping lets it penetrate
  const double fx = run["shaft_2.force_x"][last], fy = run["shaft_2.force_y"][last];
  EXPECT_NEAR(x * fy - y * fx, 0, 2e-3 * 0.02e-3 * std::hypot(fx, fy));
  // The bearing holds against a force 20 deg off the pitch line, but for what opened play changes in the angle.
  EXPECT_NEAR(std::atan2(-fx, -fy) * 180 / 3.141592653589793, 20, 0.2);
}

}  // namespace
}  // namespace freeplay::test::every_coupling_test

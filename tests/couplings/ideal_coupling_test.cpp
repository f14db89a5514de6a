// Ideal couplings against closed forms: ratios, accelerations, forces of bearings, trains.
#include <cmath>
#include <numbers>

#include "couplings/gear_pair.h"

namespace freeplay::test::ideal_coupling_test {
namespace {

constexpr double kPi = std::numbers::pi;

const std::vector<std::string>& every_integrator() {
  static const std::vector<std::string> names = {"moreau-midpoint", "moreau-jean", "event-driven",     "dopri5",
                                                 "cvode-bdf",       "cvode-adams", "nlp-variable-step"};
  return names;
}

// A torque T on wheel 1:  (J1 + J2/i^2) q1'' = T,  i = 1.5. The mesh force on wheel 2 turns it, J2 q2'' = r2 F.
TEST(IdealGear, AcceleratesBothWheelsByTheReducedInertiaUnderEveryIntegrator) {
  const double acceleration = 3 / (2e-3 + 9e-3 / 2.25), force = -9e-3 * acceleration / 1.5 / 0.06;
  for (const std::string& integrator : every_integrator()) {
    const ModelRun run = run_text(
        gear_pair("", "forces: {motor: {type: torque, on: wheel_1, value: 3 N m}}\n", simulate_by(integrator)));
    const double t = run.time().back();
    EXPECT_NEAR(run["shaft_1.u"].back(), acceleration * t, 1e-9) << integrator;
    EXPECT_NEAR(run["mesh.force"].back(), force, 1e-7) << integrator;
    Worst ratio, drift;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      ratio(run["shaft_1.u"][i] + 1.5 * run["shaft_2.u"][i]);
      drift(run["mesh.position"][i]);
    }
    EXPECT_LT(ratio.value, 1e-12) << integrator;
    EXPECT_LT(drift.value, 1e-14) << integrator << ", m";
    EXPECT_NEAR(run["energy.input"].back(), run["energy.kinetic"].back(), 1e-7) << integrator;
    EXPECT_LT(run.summary.max_energy_drift_J, 1e-7) << integrator;
  }
}

// Without a pressure angle the wheels load their bearings by nothing but torques.
TEST(IdealGear, WithoutPressureAngleIsACoupleInEachBearing) {
  const ModelRun run =
      run_text(gear_pair("", "forces: {motor: {type: torque, on: wheel_1, value: 3 N m}}\n", simulate_by("dopri5")));
  EXPECT_NEAR(run["shaft_1.moment"].back(), -2, 1e-8);  // r1 F
  EXPECT_NEAR(run["shaft_2.moment"].back(), -3, 1e-8);  // r2 F
  EXPECT_LT(largest(run["shaft_1.force_x"]) + largest(run["shaft_2.force_y"]), 1e-9);
}

// Statics: wheel 1 drives wheel 2 at constant speed against a torque T. The tooth pushes wheel 2 by F = T/r2 along the
// pitch line and by F tan(alpha) away from wheel 1; the bearings hold against that. Turning the torque around changes
// the flank: the tangential force turns, the radial one still pushes the wheels apart.
TEST(IdealGear, LoadsItsBearingsAsStaticsSay) {
  for (const double torque : {12.0, -12.0}) {
    for (const std::string integrator : {"dopri5", "moreau-midpoint", "event-driven"}) {
      const ModelRun run =
          run_text(gear_pair(", pressure_angle: 20 deg",
                             fmt::format("forces: {{load: {{type: torque, on: wheel_2, value: {} N m}}}}\n"
                                         "drivers: {{motor: {{on: shaft_1, motion: 30 rad/s * t}}}}\n",
                                         torque),
                             simulate_by(integrator)));
      const double tangential = torque / 0.06, radial = std::abs(tangential) * std::tan(20 * kPi / 180);
      const std::size_t last = run.rows() - 1;
      EXPECT_NEAR(run["shaft_2.force_x"][last], -radial, 1e-6) << integrator;
      EXPECT_NEAR(run["shaft_2.force_y"][last], -tangential, 1e-6) << integrator;
      EXPECT_NEAR(run["shaft_1.force_x"][last], radial, 1e-6) << integrator;
      EXPECT_NEAR(run["shaft_1.force_y"][last], tangential, 1e-6) << integrator;
      EXPECT_NEAR(run["shaft_2.moment"][last], 0, 1e-6) << integrator << ": a bearing turns freely";
      EXPECT_NEAR(run["motor.torque"][last], torque / 1.5, 1e-6) << integrator;
    }
  }
}

// The same wheels, kept by constraint rows instead of by the tree: another Jacobian, the same reactions.
TEST(IdealGear, IsTheSameOnConstraintJoints) {
  const std::string rest =
      "forces: {motor: {type: torque, on: wheel_1, value: 3 N m + 1 N m * sin(400/s * t)},\n"
      "  load: {type: torque, on: wheel_2, value: 0.5 N m}}\n";
  for (const std::string coupling : {"", ", pressure_angle: 20 deg"}) {
    const ModelRun tree = run_text(gear_pair(coupling, rest, simulate_by("dopri5")));
    const ModelRun rows =
        run_text(gear_pair(coupling, rest, simulate_by("dopri5"), ", as: constraint", ", as: constraint"));
    for (const char* channel : {"shaft_1.u", "shaft_2.u", "mesh.force", "shaft_1.force_x", "shaft_1.force_y",
                                "shaft_2.force_x", "shaft_2.force_y", "shaft_1.moment", "shaft_2.moment"}) {
      EXPECT_LT(largest_difference(tree[channel], rows[channel]), 1e-6) << channel << coupling;
    }
  }
}

// Sun 20 teeth, planet 15, ring 50 with the ring held: the carrier turns by 1/(1 + 50/20) of the sun. Reduced to the
// sun,
//   J = J_sun + (m_P e^2 + J_C) k^2 + J_P w_P^2,   k = 2/7,   w_P = (k - (1 - k) 20/15).
TEST(PlanetaryGear, HasTheRatioOfWillis) {
  const std::string text = R"(
freeplay: 1
space: planar
bodies:
  sun: {mass: 1 kg, inertia: 1e-3 kg m^2}
  arm: {mass: 1 kg, inertia: 4e-3 kg m^2}
  planet: {mass: 0.5 kg, inertia: 2e-4 kg m^2}
  ring: {mass: 2 kg, inertia: 0.02 kg m^2}
joints:
  sun_shaft: {type: revolute, parent: ground, child: sun}
  arm_shaft: {type: revolute, parent: ground, child: arm}
  pin: {type: revolute, parent: arm, at_parent: [35 mm, 0], child: planet}
  frame: {type: revolute, parent: ground, child: ring}
couplings:
  inner: {type: gear, first: sun_shaft, second: pin, teeth_1: 20, teeth_2: 15, module: 2 mm, carrier: arm_shaft PRESSURE}
  outer: {type: gear, first: pin, second: frame, teeth_1: 15, teeth_2: 50, module: 2 mm, internal: true, carrier: arm_shaft PRESSURE}
  held: {type: clutch, first: frame}
forces: {motor: {type: torque, on: sun, value: 2 N m}}
simulate: {integrator: dopri5, tolerance: 1e-11, step: 1 ms, duration: 0.1 s}
)";
  const double k = 2.0 / 7, planet = k - (1 - k) * 20.0 / 15;
  const double J = 1e-3 + (0.5 * 0.035 * 0.035 + 4e-3) * k * k + 2e-4 * planet * planet;
  for (const std::string pressure : {"", ", pressure_angle: 20 deg"}) {
    std::string model = text;
    for (std::size_t at; (at = model.find(" PRESSURE")) != std::string::npos;) model.replace(at, 9, pressure);
    const ModelRun run = run_text(model);
    EXPECT_NEAR(run["sun_shaft.u"].back(), 2 / J * 0.1, 1e-7) << pressure;
    EXPECT_NEAR(run["arm_shaft.u"].back(), k * 2 / J * 0.1, 1e-7) << pressure;
    EXPECT_NEAR(run["planet.omega"].back(), planet * 2 / J * 0.1, 1e-7) << pressure;
    EXPECT_LT(std::max(largest(run["inner.position"]), largest(run["outer.position"])), 1e-12) << pressure;
    EXPECT_LT(run.summary.max_energy_drift_J, 1e-7);
  }
}

// Each side of an open differential gets half of the torque of the ring; three trees in one row.
TEST(Differential, SharesTorqueEquallyAndAddsSpeeds) {
  const std::string text = R"(
freeplay: 1
space: planar
bodies:
  cage: {mass: 1 kg, inertia: 0.01 kg m^2}
  left: {mass: 1 kg, inertia: 0.02 kg m^2}
  right: {mass: 1 kg, inertia: 0.04 kg m^2}
joints:
  ring: {type: revolute, parent: ground, child: cage}
  left_shaft: {type: revolute, parent: ground, child: left}
  right_shaft: {type: revolute, parent: ground, child: right}
couplings: {axle: {type: differential, ring: ring, left: left_shaft, right: right_shaft}}
forces: {engine: {type: torque, on: cage, value: 10 N m}}
simulate: {INTEGRATOR}
)";
  // 0.01 c'' = 10 - 2 M, 0.02 l'' = M, 0.04 r'' = M, l'' + r'' = 2 c''
  const double M = 2 * 10 / 0.01 / (1 / 0.02 + 1 / 0.04 + 4 / 0.01);
  for (const std::string& integrator : every_integrator()) {
    std::string model = text;
    model.replace(model.find("INTEGRATOR"), 10, simulate_by(integrator));
    const ModelRun run = run_text(model);
    EXPECT_NEAR(run["axle.torque"].back(), M, 1e-7) << integrator;
    EXPECT_NEAR(run["left.omega"].back(), M / 0.02 * 0.02, 1e-8) << integrator;
    EXPECT_NEAR(run["right.omega"].back(), M / 0.04 * 0.02, 1e-8) << integrator;
    EXPECT_LT(largest(run["axle.position"]), 1e-13) << integrator;
  }
}

std::string slide(const std::string& coupling) {
  return "freeplay: 1\nspace: planar\n"
         "bodies: {wheel: {mass: 1 kg, inertia: 2e-3 kg m^2}, slide: {mass: 4 kg, inertia: 1 kg m^2}}\n"
         "joints:\n"
         "  shaft: {type: revolute, parent: ground, child: wheel}\n"
         "  guide: {type: prismatic, parent: ground, at_parent: [0, 30 mm], child: slide}\n"
         "couplings: {drive: {" +
         coupling +
         "}}\n"
         "forces: {motor: {type: torque, on: wheel, value: 1 N m}}\n"
         "simulate: {integrator: dopri5, tolerance: 1e-11, step: 1 ms, duration: 0.1 s}\n";
}

// (J + m p^2) q'' = T with the way p per radian.
TEST(RackAndScrew, MoveTheSlideByTheirWayPerRadian) {
  const auto check = [](const std::string& coupling, double way) {
    const ModelRun run = run_text(slide(coupling));
    const double speed = 1 / (2e-3 + 4 * way * way) * 0.1;
    EXPECT_NEAR(run["shaft.u"].back(), speed, 1e-8 * speed) << coupling;
    EXPECT_NEAR(run["guide.u"].back(), way * speed, 1e-8) << coupling;
    EXPECT_NEAR(run["drive.force"].back(), -4 * way * speed / 0.1, 1e-6) << coupling;
    EXPECT_LT(largest(run["drive.position"]), 1e-13) << coupling;
  };
  check("type: rack, pinion: shaft, rack: guide, pitch_radius: 30 mm", 0.03);
  check("type: screw, turn: shaft, shift: guide, lead: 5 mm", 0.005 / (2 * kPi));
  check("type: screw, turn: shaft, shift: guide, lead: -5 mm", -0.005 / (2 * kPi));
  check("type: coupler, joints: {shaft: {factor: 20 mm}, guide: {factor: -1}}", 0.02);
}

// A nut on a cylindrical joint that sinks by its weight and must turn for it: (m p^2 + J) w' = m g p.
TEST(RackAndScrew, AScrewOfOneCylindricalJointTurnsWhereItSinks) {
  const ModelRun run = run_text(
      "freeplay: 1\nspace: spatial\ngravity: [0, 0, -9.81 m/s^2]\n"
      "bodies: {nut: {mass: 2 kg, inertia: [1e-3 kg m^2, 1e-3 kg m^2, 1e-3 kg m^2]}}\n"
      "joints: {bolt: {type: cylindrical, parent: ground, child: nut}}\n"
      "couplings: {thread: {type: screw, turn: bolt, lead: 60 mm}}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-11, step: 1 ms, duration: 0.3 s}\n");
  const double p = 0.06 / (2 * kPi), rate = -2 * 9.81 * p / (2 * p * p + 1e-3);
  EXPECT_NEAR(run["bolt.u_2"].back(), rate * 0.3, 1e-8);
  EXPECT_NEAR(run["bolt.u_1"].back(), p * rate * 0.3, 1e-9);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-8);
}

// A crossed belt turns the second pulley backwards.
TEST(Belt, HasTheRatioOfItsRadii) {
  for (const bool crossed : {false, true}) {
    std::string text =
        gear_pair("", "forces: {motor: {type: torque, on: wheel_1, value: 3 N m}}\n", simulate_by("dopri5"));
    const std::string gear = "type: gear, first: shaft_1, second: shaft_2, ratio: 1.5, pitch_radius: 40 mm";
    text.replace(
        text.find(gear), gear.size(),
        fmt::format("type: belt, first: shaft_1, second: shaft_2, radius_1: 40 mm, radius_2: 60 mm, crossed: {}",
                    crossed));
    const ModelRun run = run_text(text);
    EXPECT_NEAR(run["shaft_2.u"].back(), (crossed ? -1 : 1) * run["shaft_1.u"].back() / 1.5, 1e-12);
    EXPECT_NEAR(run["shaft_1.u"].back(), 3 / (2e-3 + 9e-3 / 2.25) * 0.02, 1e-9);
  }
}

// The same statics about an axis in space, in the tree and by rows, in every model: z of the joints' frames is the
// world's x, their y is the line of centres, and the pitch line is along minus their x.
TEST(SpatialGear, LoadsItsBearingsAsInThePlane) {
  const double tangential = 12 / 0.06, radial = tangential * std::tan(20 * kPi / 180);
  const std::vector<std::string> models = {
      "model: ideal", "model: backlash, backlash: 0.1 mm, contact: {impact: newton, restitution: 0}",
      "model: compliant, stiffness: 1e6 N/m, damping: 2 kN s/m, backlash: 0.1 mm"};
  for (const std::string& model : models) {
    for (const std::string as : {"tree", "constraint"}) {
      SCOPED_TRACE(model + ", " + as);
      const bool is_smooth = model.find("backlash: 0.1 mm, contact") == std::string::npos;
      const ModelRun run = run_text(
          "freeplay: 1\nspace: spatial\n"
          "bodies:\n"
          "  wheel_1: {mass: 1 kg, inertia: [2e-3 kg m^2, 1e-3 kg m^2, 1e-3 kg m^2]}\n"
          "  wheel_2: {mass: 3 kg, inertia: [9e-3 kg m^2, 5e-3 kg m^2, 5e-3 kg m^2], initial: {omega_x: -20 rad/s}}\n"
          "joints:\n"
          "  shaft_1: {type: revolute, parent: ground, child: wheel_1, axis: [1, 0, 0]}\n"
          "  shaft_2: {type: revolute, parent: ground, at_parent: [0, 100 mm, 0], child: wheel_2, axis: [1, 0, 0], "
          "as: " +
          as +
          "}\n"
          "couplings: {mesh: {type: gear, first: shaft_1, second: shaft_2, ratio: 1.5, pitch_radius: 40 mm,\n"
          "  pressure_angle: 20 deg, " +
          model +
          "}}\n"
          "forces: {load: {type: torque, on: wheel_2, value: [12 N m, 0, 0]}}\n"
          "drivers: {motor: {on: shaft_1, motion: 30 rad/s * t}}\n"
          "simulate: {" +
          simulate_by(is_smooth ? "dopri5" : "moreau-midpoint", 0.2) + "}\n");
      EXPECT_NEAR(run["shaft_2.force_y"].back(), -radial, 1e-3);
      EXPECT_NEAR(run["shaft_2.force_x"].back(), tangential, 1e-3);
      EXPECT_NEAR(run["shaft_1.force_y"].back(), radial, 1e-3);
      EXPECT_NEAR(run["shaft_1.force_x"].back(), -tangential, 1e-3);
      EXPECT_NEAR(run["motor.torque"].back(), 8, 1e-3);
    }
  }
}

// Initial values of one wheel are enough: the other follows, and the offset counts.
TEST(IdealGear, StartsWhereItsRelationHolds) {
  const ModelRun run =
      run_text(gear_pair(", offset: 2 mm", "", simulate_by("dopri5"), ", initial: {q: 0.3 rad, u: 5 rad/s}"));
  EXPECT_NEAR(run["shaft_2.q"].front(), -(0.002 + 0.04 * 0.3) / 0.06, 1e-14);
  EXPECT_NEAR(run["shaft_2.u"].front(), -5 / 1.5, 1e-14);
  EXPECT_LT(largest(run["mesh.position"]), 1e-14);
}

// A train that closes with ratios that fit has one row too many, and runs.
TEST(GearTrain, MayBeRedundantIfItsRatiosFit) {
  std::string text =
      gear_pair("", "forces: {motor: {type: torque, on: wheel_1, value: 3 N m}}\n", simulate_by("dopri5"));
  const std::string more =
      "couplings:\n  belt: {type: belt, first: shaft_1, second: shaft_2, radius_1: 40 mm, radius_2: 60 mm, crossed: "
      "true}\n";
  text.replace(text.find("couplings:\n"), 11, more);
  const ModelRun run = run_text(text);
  EXPECT_EQ(run.mechanism().degrees_of_freedom(), 1);
  EXPECT_EQ(run.mechanism().redundant_rows().size(), 1u);
  EXPECT_NEAR(run["shaft_1.u"].back(), 3 / (2e-3 + 9e-3 / 2.25) * 0.02, 1e-9);
}

}  // namespace
}  // namespace freeplay::test::ideal_coupling_test

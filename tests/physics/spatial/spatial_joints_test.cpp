// Cylindrical, planar and universal joints against closed forms.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test {
namespace {

constexpr double kPi = std::numbers::pi, kDegree = kPi / 180;

ModelRun run_text(const std::string& text, const Overrides& overrides = {}) {
  return run_model(parse_model(text, "joints.yaml", overrides));
}

// The difference of two angles, between -pi and pi.
double angle_between(double a, double b) {
  return std::remainder(a - b, 2 * kPi);
}

// ---- universal ---------------------------------------------------------------------------------------------------

// omega_2/omega_1 = cos(bend)/(1 - sin^2(bend) cos^2(theta)),  theta: angle of the first fork from the plane of the
// shafts; and its derivative by theta.
struct CardanRatio {
  CardanRatio(double bend, double theta) {
    const double sine = std::sin(bend), cosine = std::cos(theta), divisor = 1 - sine * sine * cosine * cosine;
    value = std::cos(bend) / divisor;
    rate = -std::cos(bend) * sine * sine * std::sin(2 * theta) / (divisor * divisor);
  }
  double value, rate;
};

ModelRun run_cardan_shaft(const Overrides& overrides) {
  return run_model(load_model(test_dir() + "/models/physics/cardan_shaft.yaml", overrides));
}

struct CardanCase {
  const char* name;
  double bend_deg;
  const char* closing;  // the joint that closes the loop
};

class CardanShaft : public testing::TestWithParam<CardanCase> {};

TEST_P(CardanShaft, TurnsAndLoadsAsTheClosedForm) {
  const auto [name, bend_deg, closing] = GetParam();
  const double bend = bend_deg * kDegree, speed = 5, load = 3, wheel = 0.08;
  const ModelRun run =
      run_cardan_shaft({fmt::format("bend={} deg", bend_deg), fmt::format("joints.{}.as=constraint", closing)});
  Worst angle, rate, torque;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double theta = speed * run.time()[i];
    const CardanRatio ratio(bend, theta);
    rate(run["second.omega_z"][i] / speed - ratio.value);
    // tan(theta_2) = tan(theta)/cos(bend)
    const double turned = std::atan2(std::sin(theta), std::cos(theta) * std::cos(bend));
    angle(angle_between(run["second_bearing.q"][i], turned));
    // The motor's power carries the load and speeds up the second shaft.
    torque(run["motor.torque"][i] - ratio.value * (load + wheel * speed * speed * ratio.rate));
  }
  EXPECT_LT(rate.value, 1e-9);
  EXPECT_LT(angle.value, 1e-9);
  EXPECT_LT(torque.value, 1e-8);
  EXPECT_LE(run.summary.worst_position_residual_m, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Cases, CardanShaft,
                         testing::Values(CardanCase{"row", 35, "cross"}, CardanCase{"tree", 35, "second_bearing"},
                                         CardanCase{"straight", 0, "cross"}, CardanCase{"steep", 75, "second_bearing"}),
                         [](const auto& c) { return std::string(c.param.name); });

// The cross carries a moment along the normal of its arms alone, from the driver to the load.
TEST(CardanCross, CarriesNoMomentAboutItsArms) {
  const ModelRun as_row = run_cardan_shaft({}), as_edge = run_cardan_shaft({"joints.second_bearing.as=constraint"});
  Worst about_arms, transmitted;
  for (const ModelRun* run : {&as_row, &as_edge}) {
    for (std::size_t i = 0; i < run->rows(); ++i) {
      // In the frame of the joint, x and y of the first shaft.
      const Vec3 moment = run->vector("cross.moment", i);
      const Mat3 R = run->rotation("first", i).transpose() * run->rotation("second", i);
      const Vec3 x = Vec3::UnitX(), y = R.col(1);
      about_arms(moment.dot(x));
      about_arms(moment.dot(y));
      // The first shaft turns at a constant rate: what its motor gives, the cross hands on.
      transmitted(moment.z() - (*run)["motor.torque"][i]);
    }
  }
  EXPECT_LT(about_arms.value, 1e-8);
  EXPECT_LT(transmitted.value, 1e-8);
}

// Two bends of the same size with the forks of the middle shaft in one plane: the last shaft turns evenly, the middle
// one does not. The last bearing lets it slide and turn, so nothing is redundant.
TEST(DoubleCardanShaft, TurnsEvenlyIfTheForksOfTheMiddleShaftAreParallel) {
  const std::string inertia = "inertia: [0.02 kg m^2, 0.03 kg m^2, 0.01 kg m^2]";
  const auto model = [&](const std::string& forks) {
    return "freeplay: 1\nname: double Cardan shaft\nspace: spatial\nparameters: {bend: 30 deg, speed: 4 rad/s}\n"
           "bodies:\n  first: {mass: 1 kg, " +
           inertia + "}\n  middle: {mass: 1 kg, " + inertia + "}\n  last: {mass: 1 kg, " + inertia +
           "}\n"
           "joints:\n"
           "  first_bearing: {type: revolute, parent: ground, child: first}\n"
           "  first_cross: {type: universal, parent: first, child: middle, at_child: [0, 0, -0.5 m], initial: {q: [0, "
           "bend]}}\n"
           "  last_cross: {type: universal, parent: middle, at_parent: [0, 0, 0.5 m], child: last, " +
           forks +
           "}\n"
           "  last_bearing: {type: cylindrical, parent: ground, at_parent: [1 m * sin(bend), 0, 0], child: last}\n"
           "drivers: {motor: {on: first_bearing, motion: speed*t}}\n"
           "simulate: {integrator: dopri5, tolerance: 1e-10, step: 20 ms, duration: 2*pi/speed}\n";
  };
  const ModelRun even = run_text(model("axis: [0, 1, 0], second_axis: [1, 0, 0], initial: {q: [-bend, 0]}"));
  EXPECT_EQ(even.mechanism().row_count(), 5);
  EXPECT_EQ(even.mechanism().row_rank(), 5);
  Worst last, middle;
  for (std::size_t i = 0; i < even.rows(); ++i) {
    last(even["last.omega_z"][i] - 4);
    middle(even["middle.omega_z"][i] / 4 - CardanRatio(30 * kDegree, 4 * even.time()[i]).value);
  }
  EXPECT_LT(last.value, 1e-9);
  EXPECT_LT(middle.value, 1e-9);
  EXPECT_LE(even.summary.worst_position_residual_m, 1e-12);

  // Forks crossed: both bends add their unevenness, 1/cos^2 at its largest.
  const ModelRun crossed = run_text(model("initial: {q: [0, -bend]}"));
  EXPECT_NEAR(largest(crossed["last.omega_z"]) / 4, 1 / std::pow(std::cos(30 * kDegree), 2), 1e-3);
}

// ---- cylindrical -------------------------------------------------------------------------------------------------

// Gravity along the axis and the centre of mass beside it: the sleeve falls as if it did not spin, and spins as if it
// did not fall. The bearing holds the centre on its circle.
TEST(CylindricalJoint, ShiftAndTurnDoNotKnowOfEachOther) {
  const double mass = 2, arm = 0.1, spin = 6, g = 9.81, v0 = 1.5, torque = 0.7, inertia = 0.05 + mass * arm * arm;
  for (const char* role : {"tree", "constraint"}) {
    // The constraint starts where the tree does: the body says where.
    const bool is_tree = std::string(role) == "tree";
    for (const bool driven : {false, true}) {
      const ModelRun run = run_text(fmt::format(
          "freeplay: 1\nname: sleeve\nspace: spatial\ngravity: [9.81 m/s^2, 0, 0]\n"
          "bodies:\n  sleeve: {{mass: 2 kg, inertia: [0.05 kg m^2, 0.06 kg m^2, 0.07 kg m^2], initial: "
          "{{x: 0.2 m, y: 0.1 m, z: 0, rotation: [1, 0, 0, 0], vx: 1.5 m/s, omega_x: 6 rad/s}}}}\n"
          "joints:\n  guide: {{type: cylindrical, parent: ground, child: sleeve, axis: [1, 0, 0], at_child: "
          "[0, -0.1 m, 0], as: {}}}\n"
          "forces: {{twist: {{type: torque, on: sleeve, value: [{} N m, 0 N m, 0 N m]}}}}\n"
          "simulate: {{integrator: dopri5, tolerance: 1e-11, step: 10 ms, duration: 1 s}}\n",
          role, driven ? torque : 0));
      Worst shift, turn, force;
      for (std::size_t i = 0; i < run.rows(); ++i) {
        const double t = run.time()[i], alpha = driven ? torque / inertia : 0;
        const double angle = spin * t + alpha * t * t / 2, omega = spin + alpha * t;
        shift(run["sleeve.x"][i] - (0.2 + v0 * t + g * t * t / 2));
        turn(run["sleeve.omega_x"][i] - omega);
        if (is_tree) {
          shift(run["guide.q_1"][i] - run["sleeve.x"][i]);
          turn(run["guide.q_2"][i] - angle);
          turn(run["guide.u_2"][i] - omega);
        }
        // The frame of the joint: z along x of the world, y is y.
        const double along_y = mass * arm * (-omega * omega * std::cos(angle) - alpha * std::sin(angle));
        force(run["guide.force_y"][i] - along_y);
        force(run["guide.force_z"][i]);
        force(run["guide.moment_z"][i]);
      }
      EXPECT_LT(shift.value, 1e-9) << role;
      EXPECT_LT(turn.value, 1e-9) << role;
      EXPECT_LT(force.value, 1e-7) << role;
    }
  }
}

// ---- planar ------------------------------------------------------------------------------------------------------

// A plate on an incline without friction: its centre slides down with g sin(slope) and sideways as it started, and it
// spins on. The incline pushes against the centre with the weight's share across it.
TEST(PlanarJoint, SlidesDownAnInclineAndSpinsOn) {
  const double slope = 25 * kDegree, g = 9.81, mass = 3, offset = 0.2, spin = 4;
  for (const char* role : {"tree", "constraint"}) {
    const ModelRun run = run_text(fmt::format(
        "freeplay: 1\nname: plate\nspace: spatial\ngravity: [0, 0, -9.81 m/s^2]\nparameters: {{slope: 25 deg}}\n"
        "bodies:\n  plate: {{mass: 3 kg, inertia: [0.05 kg m^2, 0.06 kg m^2, 0.1 kg m^2], initial: {{x: 0, y: 0, z: 0,"
        " rotation: {{axis: [0, 1, 0], angle: slope}}, vx: 0.5 m/s * cos(slope), vy: -1 m/s, vz: -0.5 m/s * sin(slope),"
        " omega_z: 4 rad/s}}}}\n"
        "joints:\n  incline: {{type: planar, parent: ground, child: plate, at_child: [0.2 m, 0, 0], axis: [sin(slope),"
        " 0, cos(slope)], rotation: {{axis: [0, 1, 0], angle: slope}}, as: {}}}\n"
        "simulate: {{integrator: dopri5, tolerance: 1e-11, step: 10 ms, duration: 1 s}}\n",
        role));
    Worst centre, rate, force, moment, coordinates;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double t = run.time()[i], angle = spin * t;
      const double down = 0.5 * t + g * std::sin(slope) * t * t / 2;
      centre((run.vector("plate", i, ".") - Vec3(down * std::cos(slope), -t, -down * std::sin(slope))).norm());
      rate((run.vector("plate.omega", i) - Vec3(0, 0, spin)).norm());
      const Vec3 push(0, 0, mass * g * std::cos(slope));
      force((run.vector("incline.force", i) - push).norm());
      // Taken at the joint's point on the plate.
      const Vec3 to_centre = -offset * Vec3(std::cos(angle), std::sin(angle), 0);
      moment((run.vector("incline.moment", i) - to_centre.cross(push)).norm());
      if (std::string(role) == "tree") {
        coordinates(run["incline.q_1"][i] - (down + offset * std::cos(angle)));
        coordinates(run["incline.q_2"][i] - (-t + offset * std::sin(angle)));
        coordinates(run["incline.q_3"][i] - angle);
      }
    }
    EXPECT_LT(centre.value, 1e-9) << role;
    EXPECT_LT(rate.value, 1e-9) << role;
    EXPECT_LT(force.value, 1e-8) << role;
    EXPECT_LT(moment.value, 1e-8) << role;
    EXPECT_LT(coordinates.value, 1e-9) << role;
  }
}

// ---- as bushings -------------------------------------------------------------------------------------------------

// A stiff bushing instead of the cross: the shafts turn as with the ideal joint, however far they turn, and its damping
// does not brake them.
TEST(CardanCross, AsAStiffBushingTurnsLikeTheIdealOne) {
  const Overrides bushing = {
      "joints.cross.model=bushing",
      "joints.cross.bushing={stiffness: 1e7 N/m, damping: 1e3 N s/m, torsional_stiffness: 1e5 N m, torsional_damping: "
      "20 N m s}",
      "simulate.duration=2*pi/speed", "simulate.tolerance=1e-8"};
  const ModelRun run = run_cardan_shaft(bushing);
  Worst rate;
  for (std::size_t i = run.rows() / 4; i < run.rows(); ++i)  // after the load has settled on the springs
    rate(run["second.omega_z"][i] / 5 - CardanRatio(35 * kDegree, 5 * run.time()[i]).value);
  EXPECT_LT(rate.value, 1e-3);
  EXPECT_LT(run["energy.damping_loss"].back(), 1e-3);
}

}  // namespace
}  // namespace freeplay::test

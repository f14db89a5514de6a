// What acts on an ideal joint acts on the same joint with play and as a bushing: drivers, springs, stops, dry friction,
// initial values, channels, controllers; in the plane and in space. Where no friction acts in the play, the moment
// about the axis does not depend on the play at all, so that closed forms of the ideal joint hold as they are.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::play_joints_test {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;
constexpr double kMass = 2, kArm = 0.2, kInertia = 0.03;

// An arm on a revolute joint whose axis is z; its centre of mass is `at` away from the joint.
std::string arm(const std::string& space, double at, const std::string& on_the_joint, const std::string& more,
                const std::string& gravity = "-9.81 m/s^2") {
  const bool planar = space == "planar";
  const std::string inertia = planar ? "0.03 kg m^2" : "[0.03 kg m^2, 0.03 kg m^2, 0.03 kg m^2]";
  return fmt::format(
      "freeplay: 1\nname: arm\nspace: {}\ngravity: [0, {}{}]\n"
      "parameters: {{c: 0.1 mm, k: 1e7 N/m, word: {{word: clearance}}, h: 0.1 ms}}\n"
      "bodies: {{arm: {{mass: 2 kg, inertia: {}}}}}\n"
      "joints:\n"
      "  pin: {{type: revolute, parent: ground, child: arm, at_child: [{} m, 0{}], model: word,\n"
      "    clearance: c, journal_radius: 10 mm, {}contact: {{impact: newton, restitution: 0}},\n"
      "    bushing: {{stiffness: k, damping: 4e3 N s/m{}}}{}}}\n"
      "{}\n"
      "simulate: {{integrator: moreau-midpoint, step: h, duration: 1 s}}\n",
      space, gravity, planar ? "" : ", 0", inertia, -at, planar ? "" : ", 0", planar ? "" : "length: 40 mm, ",
      planar ? "" : ", torsional_stiffness: 1e4 N m, torsional_damping: 10 N m s", on_the_joint, more);
}

ModelRun run_arm(const std::string& text, const Overrides& overrides = {}) {
  return run_model(parse_model(text, "arm.yaml", overrides));
}

const std::string kMoment[] = {"pin.moment", "pin.moment_z"};

struct PlayCase {
  std::string space, word;
};
class PlayJoints : public testing::TestWithParam<PlayCase> {
 protected:
  static bool is_planar() { return GetParam().space == "planar"; }
  static std::string word() { return "word=" + GetParam().word; }
  static std::string moment_of() { return kMoment[is_planar() ? 0 : 1]; }
};
INSTANTIATE_TEST_SUITE_P(Models, PlayJoints,
                         testing::Values(PlayCase{"planar", "ideal"}, PlayCase{"planar", "clearance"},
                                         PlayCase{"planar", "bushing"}, PlayCase{"spatial", "ideal"},
                                         PlayCase{"spatial", "clearance"}, PlayCase{"spatial", "bushing"}),
                         [](const auto& one) { return one.param.space + "_" + one.param.word; });

double mean_at_the_end(const ModelRun& run, const std::string& channel) {
  const std::vector<double>& values = run[channel];
  const std::size_t count = values.size() / 4;
  double sum = 0;
  for (std::size_t i = values.size() - count; i < values.size(); ++i) sum += values[i];
  return sum / static_cast<double>(count);
}

// M = (J + m l^2) d2phi/dt2 + m g l cos phi,  phi = 0.5 sin(2 pi t).
double worst_torque_error(const ModelRun& run) {
  Worst worst;
  const double w = 2 * kPi;
  for (std::size_t i = run.rows() / 4; i < run.rows(); ++i) {
    const double phi = 0.5 * std::sin(w * run.time()[i]);
    const double couple = -(kInertia + kMass * kArm * kArm) * w * w * phi + kMass * kGravity * kArm * std::cos(phi);
    worst(run["motor.torque"][i] - couple);
  }
  return worst.value;
}

// The error of a bushing goes with its deflection, F/k. In the play the pin lies where the load points to, and begins
// to follow it from rest: so it swings about that direction with the frequency W = sqrt(F/(m c)), by an angle of the
// load's angular velocity over W, which is of order 1/2 in the clearance.
TEST_P(PlayJoints, PrescribedMotionIsKeptAndItsCoupleIsThatOfTheIdealJoint) {
  const std::string text =
      arm(GetParam().space, kArm, "", "drivers: {motor: {on: pin, motion: 0.5 * sin(2*pi*1 Hz*t)}}");
  std::vector<double> errors;
  for (const char* size : {"1", "0.5", "0.25"}) {
    const ModelRun run = run_arm(text, {word(), "simulate.integrator=event-driven", fmt::format("c=0.1 mm * {}", size),
                                        fmt::format("k=1e6 N/m / {}", size)});
    errors.push_back(worst_torque_error(run));
    Worst angle, moment;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      angle(run["pin.q"][i] - 0.5 * std::sin(2 * kPi * run.time()[i]));
      moment(run[moment_of()][i] - run["motor.torque"][i]);
    }
    EXPECT_LT(angle.value, 1e-13);
    EXPECT_LT(moment.value, 1e-12) << "the couple is all that turns it";
    EXPECT_LT(run.summary.max_energy_drift_J, 1e-9) << "what the motor puts in is booked";
  }
  if (GetParam().word == "ideal") {
    EXPECT_LT(errors[0], 1e-12);
    return;
  }
  EXPECT_LT(errors[0], 0.01);
  const double order = std::log2(errors[0] / errors[2]) / 2;
  EXPECT_NEAR(order, GetParam().word == "bushing" ? 1 : 0.5, 0.1) << errors[0] << " " << errors[1] << " " << errors[2];
}

// k (phi - phi_0) = -m g l cos phi at rest, whatever the play. Without friction the pin goes on swinging in its play,
// so that means are compared.
TEST_P(PlayJoints, TorsionalSpringFindsTheAngleOfEquilibrium) {
  const ModelRun run =
      run_arm(arm(GetParam().space, kArm, ", initial: {q: 20 deg, u: 1 rad/s}",
                  "forces: {coil: {type: torsional_spring, on: pin, stiffness: 20 N m, damping: 1.5 N m s, "
                  "free_angle: 0.1 rad}}"),
              {word(), "simulate.duration=3 s"});
  double phi = 0;
  for (int i = 0; i < 50; ++i) {
    const double residual = 20 * (phi - 0.1) + kMass * kGravity * kArm * std::cos(phi);
    phi -= residual / (20 - kMass * kGravity * kArm * std::sin(phi));
  }
  EXPECT_NEAR(run["pin.q"].front(), 20 * kPi / 180, 1e-12);
  EXPECT_NEAR(run["pin.u"].front(), 1, 1e-12);
  EXPECT_NEAR(mean_at_the_end(run, "pin.q"), phi, 1e-6);
  // The window cuts a swing somewhere: the mean of the damper's part is what the angle has gained in it.
  const std::size_t first = run.rows() - run.rows() / 4;
  const double of_damper = 1.5 * (run["pin.q"].back() - run["pin.q"][first]) / (run.time().back() - run.time()[first]);
  EXPECT_NEAR(mean_at_the_end(run, "coil.moment") - of_damper, 20 * (phi - 0.1), 2e-5);
  EXPECT_NEAR(mean_at_the_end(run, moment_of()), kMass * kGravity * kArm * std::cos(phi), 2e-5);
  EXPECT_NEAR(mean_at_the_end(run, "pin.force_y"), kMass * kGravity, 5e-3);
  EXPECT_GT(run["energy.damping_loss"].back(), 0.3);
  EXPECT_LT(std::abs(run["energy.drift"].back()), 1e-4);
}

// The arm falls on its stop and lies there with m g l cos(phi).
TEST_P(PlayJoints, StopsHoldTheWeight) {
  const ModelRun run =
      run_arm(arm(GetParam().space, kArm, ", stops: {lower: -0.3 rad, upper: 1 rad, restitution: 0.3}", ""),
              {word(), "simulate.duration=2 s"});
  EXPECT_NEAR(run["pin.q"].back(), -0.3, 1e-4);
  EXPECT_NEAR(run["pin.gap_lower"].back(), run["pin.q"].back() + 0.3, 1e-12);
  const double moment_at_rest = kMass * kGravity * kArm * std::cos(0.3);
  EXPECT_NEAR(mean_at_the_end(run, "pin.normal_force_lower"), moment_at_rest, 5e-3);
  EXPECT_NEAR(mean_at_the_end(run, moment_of()), moment_at_rest, 5e-3);
  EXPECT_GT(run["energy.impact_loss"].back(), 0.25);
}

// A couple that grows as 4 N m/s t against dry friction of 1 N m: it sticks for 1/4 s, then
// u = 2 N m/s (t - 1/4 s)^2 / J, and the friction has taken 1 N m q. The centre of mass is on the axis.
TEST_P(PlayJoints, DryFrictionHoldsAndThenSlides) {
  const ModelRun run = run_arm(
      arm(GetParam().space, 0, ", dry_friction: 1 N m", "drivers: {motor: {on: pin, torque: 4 N m/s * t}}", "0"),
      {word()});
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i], slid = std::max(0.0, t - 0.25);
    ASSERT_NEAR(run["pin.u"][i], 2 * slid * slid / kInertia, 1e-10) << t;
    if (t < 0.2499) {
      ASSERT_LT(std::abs(run["pin.u"][i]), 1e-15);
    }
  }
  EXPECT_NEAR(run["pin.q"].back(), 2 * std::pow(0.75, 3) / 3 / kInertia, 1e-6);
  EXPECT_NEAR(run["energy.friction_loss"].back(), run["pin.q"].back(), 1e-10);
  EXPECT_NEAR(run["energy.input"].back(), run["energy.kinetic"].back() + run["energy.friction_loss"].back(), 1e-10);
}

// A controller by the joint's own channels; at rest its couple is the weight's.
TEST_P(PlayJoints, ExpressionsHoldTheArm) {
  const std::string couple = "-(200 N m * (pin.q - 0.2 rad) + 12 N m s * pin.u)";
  const std::string value = is_planar() ? "\"" + couple + "\"" : "[0, 0, \"" + couple + "\"]";
  const ModelRun run = run_arm(
      arm(GetParam().space, kArm, "", fmt::format("forces: {{hold: {{type: torque, on: arm, value: {}}}}}", value)),
      {word(), "simulate.duration=2 s"});
  double phi = 0;
  for (int i = 0; i < 50; ++i) phi = 0.2 - kMass * kGravity * kArm * std::cos(phi) / 200;
  EXPECT_NEAR(run["pin.q"].back(), phi, 1e-6);
}

// Ten turns: the angle does not jump, and a spring that has counted them says so.
TEST_P(PlayJoints, AnglesCountTurns) {
  const ModelRun run = run_arm(arm(GetParam().space, 0, "",
                                   "drivers: {motor: {on: pin, motion: 2*pi*10 Hz*t}}\n"
                                   "forces: {coil: {type: torsional_spring, on: pin, stiffness: 0.2 N m}}"),
                               {word()});
  for (std::size_t i = 0; i < run.rows(); ++i) ASSERT_NEAR(run["pin.q"][i], 20 * kPi * run.time()[i], 1e-9);
  EXPECT_NEAR(run["coil.moment"].back(), 0.2 * 20 * kPi, 1e-6);
  // The motor winds the spring up: k phi^2 / 2.
  EXPECT_NEAR(run["energy.input"].back(), 0.1 * 400 * kPi * kPi, 1e-2);
}

}  // namespace
}  // namespace freeplay::test::play_joints_test

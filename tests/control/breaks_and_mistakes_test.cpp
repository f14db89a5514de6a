// Functions of time that are not smooth, and what is wrong with drivers.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "control/control_models.h"
#include "freeplay/core/error.h"
#include "freeplay/simulation/recording/memory_sink.h"

namespace freeplay::test {
namespace {

const std::vector<std::string> kAdaptive = {"dopri5", "cvode-bdf", "cvode-adams", "event-driven"};

// A pulse of 1 ms in 10 s, far shorter than any step before it: what it leaves is its impulse over J.
TEST(Breaks, ShortPulsesAreNotSteppedOver) {
  struct Pulse {
    const char* torque;
    double impulse;
  };
  const Pulse pulses[] = {
      {"{table: {points: [[0 s, 0 N m], [5 s, 0 N m], [5.0005 s, 2 N m], [5.001 s, 0 N m]]}}", 1e-3},
      {"{table: {points: [[0 s, 0 N m], [5 s, 3 N m], [5.001 s, 0 N m]], interpolation: hold}}", 3e-3},
      {"'4 N m*(step(t - 5 s) - step(t - 5.001 s))'", 4e-3},
      {"'1000 N m/s*max(0 s, 0.001 s - abs(t - 5 s))'", 1e-3}};
  for (const Pulse& pulse : pulses) {
    for (const std::string& integrator : kAdaptive) {
      const ModelRun run =
          run_rotor(fmt::format("torque: {}", pulse.torque), fmt::format("integrator: {}, duration: 10 s", integrator));
      EXPECT_NEAR(run["a.omega"].back(), pulse.impulse / kRotorInertia, 1e-8) << integrator << ": " << pulse.torque;
      EXPECT_LT(run.rows(), 500u) << integrator << " is not to creep towards the jump";
    }
  }
}

// At rows every 10 ms a torque of 100 Hz is always 0, and was taken for it: q = A / (J w) (t - sin(w t) / w).
TEST(Breaks, APeriodicTorqueIsNotMistakenForItsValueAtTheRows) {
  const double w = 2 * std::numbers::pi * 100, t = 0.5;
  for (const std::string& integrator : kAdaptive) {
    const ModelRun run = run_rotor("torque: '1 N m*sin(2*pi*100 Hz*t)'",
                                   fmt::format("integrator: {}, step: 10 ms, duration: 0.5 s", integrator));
    EXPECT_NEAR(run["a.angle"].back(), t / (kRotorInertia * w), 2e-7) << integrator;
  }
}

std::string mistake(const std::string& driver, const std::string& simulate = "integrator: dopri5, duration: 1 s") {
  try {
    const ModelFile file = parse_model(rotor_text(driver, simulate), "rotor");
    build_simulation(file, build_model(file));
  } catch (const ModelError& error) {
    const Diagnostic& first = error.diagnostics().front();
    EXPECT_FALSE(first.hint.empty()) << first.message;
    return first.path + ": " + first.message;
  }
  return {};
}

using ::testing::HasSubstr;

// sqrt(0.5 - t/(1 s)) is no number behind half a second, and the run says whose effort that is.
TEST(EffortsThatAreNoNumbers, EndTheRunWithTheNameOfTheirDriver) {
  for (const std::string integrator : {"dopri5", "moreau-midpoint"}) {
    const std::string step = integrator == "moreau-midpoint" ? ", step: 1 ms" : "";
    const ModelFile file = parse_model(rotor_text("torque: '1 N m*sqrt(0.5 - t/(1 s))'",
                                                  fmt::format("integrator: {}{}, duration: 1 s", integrator, step)),
                                       "rotor");
    MemorySink sink;
    const Model model = build_model(file);
    const RunSummary summary = build_simulation(file, model)->run(sink, {}, {});
    EXPECT_EQ(summary.status, RunStatus::kFailed) << integrator;
    EXPECT_THAT(summary.message, HasSubstr("the torque of driver 'm' is not finite at t = 0.5")) << integrator;
  }
}

TEST(MotionsThatJump, AreRefusedForTheTrueReason) {
  const std::string points = "motion: {table: {points: [[0 s, 0 rad], [0.3 s, 1 rad], [1 s, 1 rad]], interpolation: ";
  const std::string time_stepping = "integrator: moreau-midpoint, step: 1 ms, duration: 1 s";
  EXPECT_THAT(mistake(points + "hold}}"), HasSubstr("jumps by 1 at t = 0.3 s"));
  EXPECT_THAT(mistake(points + "hold}}", time_stepping), HasSubstr("no force can follow"));
  EXPECT_THAT(mistake(points + "linear}}"), HasSubstr("the rate of the motion jumps by -3.333 at t = 0.3 s"));
  EXPECT_EQ(mistake(points + "linear}}", "integrator: dopri5, duration: 0.2 s"), "") << "it ends before";
  EXPECT_EQ(mistake(points + "linear}}", "integrator: event-driven, duration: 1 s"), "");
  EXPECT_EQ(mistake(points + "cubic}}"), "");
  EXPECT_THAT(mistake("motion: '1 rad*abs(1/s*t - 0.5)'"), HasSubstr("the rate of the motion jumps by 2 at t = 0.5 s"));
}

// Event-driven motion books what the drive puts in; time stepping does not, and says so.
TEST(MotionsThatJump, AreToldOfByTimeStepping) {
  const std::string driver = "motion: {table: {points: [[0 s, 0 rad], [0.3 s, 1 rad], [1 s, 1 rad]]}}";
  const ModelRun events = run_rotor(driver, "integrator: event-driven, duration: 1 s");
  EXPECT_NEAR(events["energy.drift"].back(), 0, 1e-12);
  const ModelRun stepped = run_rotor(driver, "integrator: moreau-midpoint, step: 1 ms, duration: 1 s");
  ASSERT_FALSE(stepped.summary.warnings.empty());
  EXPECT_THAT(stepped.summary.warnings.front(), HasSubstr("the rate of the motion 'm' jumps by -3.333 at t = 0.3 s"));
}

TEST(DriverMistakes, AnEffortThatIsNoNumberAtTheStart) {
  EXPECT_THAT(mistake("torque: '1 N m*sin(1/s*t)/(1/s*t)'"), HasSubstr("drivers.m: is not a number"));
  EXPECT_THAT(mistake("pid: {target: '1 rad/(0.1 + j.q - 0.1)', p: 1 N m}"), HasSubstr("drivers.m: is not a number"));
}

TEST(DriverMistakes, AMotionThatIsNoNumberAtTheStart) {
  EXPECT_THAT(mistake("motion: '1 rad s/t'"), HasSubstr("drivers.m.motion: is not a number at t = 0"));
  EXPECT_THAT(mistake("motion: '1 rad*sqrt(t/(1 s))'"), HasSubstr("drivers.m.motion: its rate is not a number"));
}

TEST(DriverMistakes, AreToldWithTheirPlace) {
  EXPECT_THAT(mistake("torque: 1 N m, pid: {target: 1 rad, p: 1 N m}"), HasSubstr("more than one"));
  EXPECT_THAT(mistake("torque: 1 N m, delay: 1 ms"), HasSubstr("drivers.m.delay"));
  EXPECT_THAT(mistake("torque: 1 N m, sample: 0 s"), HasSubstr("drivers.m.sample"));
  EXPECT_THAT(mistake("torque: 1 N m, sample: 1e-20 s"), HasSubstr("drivers.m.sample"));
  EXPECT_THAT(mistake("torque: 1 N m, sample: 1 ms, delay: 2 s"), HasSubstr("drivers.m.delay"));
  EXPECT_THAT(mistake("motion: '1 rad/s*t', sample: 1 ms"), HasSubstr("drivers.m.sample"));
  EXPECT_THAT(mistake("torque: 1 N m, force_limit: 1 N"), HasSubstr("drivers.m.force_limit"));
  EXPECT_THAT(mistake("torque: 1 N m, torque_limit: -1 N m"), HasSubstr("drivers.m.torque_limit"));
  EXPECT_THAT(mistake("motion: '1 rad/s*t', torque_limit: 1 N m"), HasSubstr("takes no motion with a limit"));
  EXPECT_THAT(mistake("pid: {target: 1 rad, p: 1 N}"), HasSubstr("drivers.m.pid.p"));
  EXPECT_THAT(mistake("pid: {target: 1 m, p: 1 N m}"), HasSubstr("drivers.m.pid.target"));
  EXPECT_THAT(mistake("pid: {p: 1 N m}"), HasSubstr("target"));
  EXPECT_THAT(mistake("pid: {target: 1 rad, of: a.spin, p: 1 N m}"), HasSubstr("drivers.m.pid.of"));
  EXPECT_THAT(mistake("pid: {target: 1 rad/s, of: a.omega, d: 1 N m s^2}"), HasSubstr("drivers.m.pid.d"));
  EXPECT_THAT(mistake("pid: {target: a.angle, d: 1 N m s}"), HasSubstr("drivers.m.pid.target"));
  EXPECT_THAT(mistake("pid: {target: 1 rad, i: 1 N m/s}, torque_limit: 1 N m"), HasSubstr("drivers.m.pid.i"));
  EXPECT_EQ(mistake("pid: {target: 1 rad, i: 1 N m/s, anti_windup_time: 0.1 s}, torque_limit: 1 N m"), "");
}

// R = R_z(yaw) R_y(pitch) R_x(roll), against the quaternion's rotation; they may stand in expressions, and are recorded
// where they are named.
TEST(AttitudeChannels, AreTheAnglesOfTheRotation) {
  const std::string text =
      "{freeplay: 1, space: spatial, bodies: {a: {mass: 1 kg, inertia: [0.1 kg m^2, 0.12 kg m^2, 0.05 kg m^2], "
      "initial: "
      "{omega_x: 1 rad/s, omega_y: 0.3 rad/s, omega_z: -0.5 rad/s}}}, forces: {m: {type: torque, on: a, value: [0, "
      "'-0.1 N m*a.pitch', 0]}}, simulate: {integrator: dopri5, step: 10 ms, duration: 1 s}";
  const ModelRun all = run_model(parse_model(text + "}", "tumbler"));
  EXPECT_THROW(all["a.yaw"], std::out_of_range);
  const ModelFile file = parse_model(text + ", record: [a.roll, a.pitch, a.yaw, a.e0, a.e1, a.e2, a.e3]}", "tumbler");
  const ModelRun run = run_model(file, file.record);
  Worst worst;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const Mat3 R =
        (Eigen::AngleAxisd(run["a.yaw"][i], Vec3::UnitZ()) * Eigen::AngleAxisd(run["a.pitch"][i], Vec3::UnitY()) *
         Eigen::AngleAxisd(run["a.roll"][i], Vec3::UnitX()))
            .toRotationMatrix();
    worst((R - run.rotation("a", i)).norm());
  }
  EXPECT_LT(worst.value, 1e-13);
  EXPECT_GT(std::abs(run["a.roll"].back()), 0.5);
}

// The angle of a spatial joint with play is measured and driven as that of an ideal one: PD holds an arm against
// gravity.
TEST(Controller, HoldsASpatialJointWithPlay) {
  const std::string text =
      "{freeplay: 1, space: spatial, gravity: [0, 0, -9.81 m/s^2], bodies: {a: {mass: 1 kg, inertia: [0.1 kg m^2, 0.1 "
      "kg "
      "m^2, 0.1 kg m^2]}}, joints: {j: {type: revolute, parent: ground, child: a, at_child: [-0.2 m, 0, 0], axis: [0, "
      "1, "
      "0], model: clearance, clearance: 0.1 mm, length: 40 mm, journal_radius: 10 mm, contact: {impact: newton, "
      "restitution: 0}}}, drivers: {m: {on: j, pid: {target: 0 rad, p: 40 N m, i: 100 N m/s, d: 4 N m s}}}, simulate: "
      "{integrator: moreau-midpoint, step: 0.2 ms, duration: 3 s}}";
  const ModelRun run = run_model(parse_model(text, "arm"));
  EXPECT_NEAR(run["j.q"].back(), 0, 2e-4);
  EXPECT_NEAR(run["m.torque"].back(), -9.81 * 0.2, 5e-3) << "of the weight at 0.2 m, positive about y is downwards";
}

}  // namespace
}  // namespace freeplay::test

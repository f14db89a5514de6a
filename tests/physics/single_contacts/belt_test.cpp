// Parts on surfaces that run along themselves: carried up to speed, held by a spring, seen in the ledger of energy.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::belt_test {
namespace {

constexpr double kGravity = 9.81, kSpeed = 2, kFriction = 0.3;

// A block put down at rest on a belt that runs at 2 m/s.
std::string conveyor(const std::string& simulate, const std::string& belt = "2 m/s",
                     const std::string& law = "impact: newton, restitution: 0, friction: 0.3") {
  return fmt::format(R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {{block: {{mass: 3 kg, inertia: 0.01 kg m^2, initial: {{y: 50 mm}},
                   shapes: {{sole: {{type: polygon, vertices: [[-0.1 m, -50 mm], [0.1 m, -50 mm], [0 m, 50 mm]]}}}}}}}}
ground: {{shapes: {{belt: {{type: line, normal: [0, 1], surface_velocity: {}}}}}}}
contacts: {{ride: {{between: [block.sole, ground.belt], {}}}}}
simulate: {{{}}}
)",
                     belt, law, simulate);
}

ModelRun run_text(const std::string& text) {
  return run_model(parse_model(text, "belt"));
}

std::string steps(const std::string& integrator, const std::string& duration = "0.8 s") {
  const bool is_nlp = integrator == "nlp-variable-step";
  return fmt::format("integrator: {}, {} 1 ms, duration: {}", integrator,
                     is_nlp ? "step_choice: fixed, max_step:" : "step:", duration);
}

std::size_t first_row_at_speed(const ModelRun& run, double speed) {
  std::size_t row = 0;
  while (row < run.rows() && std::abs(run["block.vx"][row] - speed) > 1e-9) ++row;
  return row;
}

// It slips for v/(mu g); what it gains is lost once more as heat, and the belt's drive has paid for both.
TEST(ConveyorBelt, CarriesABlockUpToItsSpeedAndPaysTwiceForIt) {
  const double kinetic = 3 * kSpeed * kSpeed / 2;
  for (const char* integrator : {"moreau-midpoint", "moreau-jean", "nlp-variable-step"}) {
    const ModelRun run = run_text(conveyor(steps(integrator)));
    const std::size_t row = first_row_at_speed(run, kSpeed);
    ASSERT_LT(row, run.rows()) << integrator;
    EXPECT_NEAR(run.time()[row], kSpeed / (kFriction * kGravity), 1e-3) << integrator << ": within its step";
    EXPECT_NEAR(run["block.vx"][row / 2], kFriction * kGravity * run.time()[row / 2], 1e-9) << integrator;
    EXPECT_NEAR(run["energy.kinetic"].back(), kinetic, 1e-9) << integrator;
    // The last step of slipping has the kinetic energy right and the heat of a step: u (gamma_A + gamma_E)/2.
    EXPECT_NEAR(run["energy.friction_loss"].back(), kinetic, 1e-9) << integrator;
    EXPECT_NEAR(run["energy.input"].back(), 2 * kinetic, 1e-9) << integrator;
    EXPECT_LT(largest(run["energy.drift"]), 1e-9) << integrator;
    EXPECT_EQ(run["ride.mode_1"].back(), static_cast<double>(ContactMode::kStick)) << integrator;
    EXPECT_NEAR(run["ride.tangential_impulse_1"].back(), -run["ride.tangential_impulse_2"].back(), 1e-12) << integrator;
  }
}

TEST(ConveyorBelt, InSpaceCarriesAlongItsVelocityWhateverItsNormalPart) {
  const std::string text = R"(freeplay: 1
space: spatial
gravity: [0, 0, -9.81 m/s^2]
bodies: {block: {mass: 3 kg, inertia: [0.1 kg m^2, 0.1 kg m^2, 0.1 kg m^2], initial: {z: 50 mm},
                 shapes: {sole: {type: box, size: [0.3 m, 0.3 m, 0.1 m]}}}}
ground: {shapes: {belt: {type: plane, normal: [0, 0, 1], surface_velocity: [1.2 m/s, -1.6 m/s, 5 m/s]}}}
contacts: {ride: {between: [block.sole, ground.belt], impact: newton, restitution: 0, friction: 0.3}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 0.8 s}
)";
  const ModelRun run = run_text(text);
  const std::size_t middle = 400;
  EXPECT_NEAR(run["block.vx"][middle], 0.6 * kFriction * kGravity * run.time()[middle], 1e-6);
  EXPECT_NEAR(run["block.vy"][middle], -0.8 * kFriction * kGravity * run.time()[middle], 1e-6);
  EXPECT_NEAR(run["block.vx"].back(), 1.2, 1e-8);
  EXPECT_NEAR(run["block.vy"].back(), -1.6, 1e-8);
  EXPECT_LT(largest(run["block.vz"]), 1e-8);
  EXPECT_NEAR(run["energy.friction_loss"].back(), 6, 1e-6);
  EXPECT_NEAR(run["energy.input"].back(), 12, 1e-6);
}

// A belt is what a driven sled is, without its mass and its ends.
TEST(ConveyorBelt, DoesWhatADrivenSledDoes) {
  const ModelRun belt = run_text(conveyor(steps("moreau-midpoint")));
  const ModelRun sled = run_text(R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  block: {mass: 3 kg, inertia: 0.01 kg m^2, initial: {y: 50 mm, vx: 0 m/s},
          shapes: {sole: {type: polygon, vertices: [[-0.1 m, -50 mm], [0.1 m, -50 mm], [0 m, 50 mm]]}}}
  sled: {mass: 1 kg, inertia: 1 kg m^2, shapes: {top: {type: line, normal: [0, 1]}}}
joints: {rail: {type: prismatic, parent: ground, child: sled}}
drivers: {motor: {on: rail, motion: 2 m/s*t}}
contacts: {ride: {between: [block.sole, sled.top], impact: newton, restitution: 0, friction: 0.3}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 0.8 s}
)");
  EXPECT_LT(largest_difference(belt["block.vx"], sled["block.vx"]), 1e-8);
  EXPECT_LT(largest_difference(belt["energy.friction_loss"], sled["energy.friction_loss"]), 1e-7);
  EXPECT_NEAR(belt["energy.input"].back(), sled["energy.input"].back() - sled["energy.input"].front(), 1e-6);
}

// It speeds up by less than friction can do: the block stays on it. The rows of a step have the velocity of its middle.
TEST(ConveyorBelt, HoldsABlockThatItSpeedsUpGently) {
  const ModelRun run = run_text(conveyor(steps("moreau-midpoint"), "2 m/s*(1 - cos(1 rad/s*t))"));
  Worst lag, force;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const double middle = run.time()[i] - 0.5e-3;
    lag(run["block.vx"][i] - 2 * (1 - std::cos(middle)));
    if (i > 1) {
      const double total = run["ride.tangential_impulse_1"][i] + run["ride.tangential_impulse_2"][i];
      force(total / 1e-3 - 3 * 2 * std::sin(run.time()[i] - 1e-3));
    }
    ASSERT_EQ(run["ride.mode_1"][i], static_cast<double>(ContactMode::kStick));
  }
  EXPECT_LT(lag.value, 1e-9);
  EXPECT_LT(force.value, 1e-5);
  // From one step to the next the belt is faster by a dt at once, and half of that slips: the integral of m a^2 dt/2
  // with a = 2 sin t. It is of first order in the step, and paid for by the drive.
  EXPECT_NEAR(run["energy.friction_loss"].back(), 3 * 1e-3 / 2 * (2 * 0.8 - std::sin(1.6)), 5e-6);
  EXPECT_LT(largest(run["energy.drift"]), 1e-9);
}

// A compliant contact creeps, and its ledger is closed.
TEST(ConveyorBelt, DrivesCompliantContacts) {
  const std::string law = "restitution: 0.5, friction: 0.3, force: {law: kelvin-voigt, stiffness: 1e5 N/m}";
  for (const char* integrator : {"dopri5", "cvode-bdf"}) {
    const ModelRun run =
        run_text(conveyor(fmt::format("integrator: {}, tolerance: 1e-9, duration: 1 s", integrator), "2 m/s", law));
    EXPECT_NEAR(run["block.vx"].back(), kSpeed, 1e-3) << integrator;
    EXPECT_NEAR(run["energy.friction_loss"].back(), 6, 0.1) << integrator;
    EXPECT_NEAR(run["energy.input"].back(), 12, 0.2) << integrator;
    EXPECT_LT(largest(run["energy.drift"]), 1e-5) << integrator;
  }
}

// The same account for a cam that turns by itself: it lifts the follower and drags at it.
TEST(TurningCam, PaysForTheHeatOfACompliantContact) {
  const ModelRun run = run_text(R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {follower: {mass: 1 kg, inertia: 0.01 kg m^2, initial: {y: 0.2 m}, shapes: {roller: {type: circle, radius: 50 mm}}}}
joints: {guide: {type: prismatic, parent: ground, child: follower, axis: [0, 1]}}
ground: {shapes: {cam: {type: cam, radius: 140 mm + 10 mm*cos(2*phi), turn: 10 rad/s*t}}}
contacts:
  ride: {between: [follower.roller, ground.cam], restitution: 0.5, friction: 0.2,
         force: {law: kelvin-voigt, stiffness: 1e5 N/m}}
simulate: {integrator: dopri5, tolerance: 1e-9, duration: 1 s}
)");
  EXPECT_GT(run["energy.friction_loss"].back(), 2);
  EXPECT_GT(run["energy.input"].back(), 2);
  EXPECT_LT(largest(run["energy.drift"]), 1e-7);
}

// ---- Stick and slip: a block on a belt, held by a spring. With omega^2 = k/m, d = (mu_s - mu_k) g/omega^2 and the
// belt's speed V it moves with the belt from x_k - d to x_k + d, x_k = mu_k g/omega^2, then swings freely about x_k
// from there until it is as fast as the belt again, at x_k - d.
struct StickSlip {
  double V = 0.1, mu_s = 0.4, mu_k = 0.25, omega = 10;
  double d = (mu_s - mu_k) * kGravity / (omega * omega), x_k = mu_k * kGravity / (omega * omega);
  double stick_s = 2 * d / V;
  double slip_s = 2 / omega * (std::numbers::pi - std::atan(d * omega / V));
  double period_s = stick_s + slip_s;
  double amplitude = std::hypot(d, V / omega);
};

// Times at which the block breaks loose: the first row of a slip.
std::vector<double> break_loose_times(const ModelRun& run) {
  std::vector<double> times;
  const std::vector<double>& mode = run["grip.mode_1"];
  for (std::size_t i = 1; i < run.rows(); ++i) {
    if (mode[i] == static_cast<double>(ContactMode::kSlip) && mode[i - 1] == static_cast<double>(ContactMode::kStick))
      times.push_back(run.time()[i]);
  }
  return times;
}

TEST(StickSlipOscillator, PeriodAndAmplitudeTendToTheClosedFormWithOrderOne) {
  const StickSlip exact;
  EXPECT_NEAR(exact.period_s, 0.727837, 1e-6);
  for (const char* integrator : {"moreau-midpoint", "moreau-jean"}) {
    std::vector<double> errors;
    for (const double step_ms : {0.8, 0.2, 0.05}) {
      const ModelRun run = run_example("stick_slip_oscillator", {fmt::format("simulate.integrator={}", integrator),
                                                                 fmt::format("step={} ms", step_ms)});
      const double step = step_ms * 1e-3;
      const std::vector<double> loose = break_loose_times(run);
      ASSERT_EQ(loose.size(), 4u) << integrator << ' ' << step_ms;
      // From x = 0 at the belt's speed on.
      EXPECT_NEAR(loose[0], (exact.x_k + exact.d) / exact.V, 2 * step) << integrator;
      const double period = (loose[3] - loose[0]) / 3;
      errors.push_back(std::abs(period - exact.period_s));
      EXPECT_LT(errors.back(), 3 * step) << integrator << ' ' << step_ms;
      double highest = -1, lowest = 1;
      for (std::size_t i = 0; i < run.rows(); ++i) {
        highest = std::max(highest, run["block.x"][i]);
        if (run.time()[i] > loose[0]) lowest = std::min(lowest, run["block.x"][i]);
      }
      EXPECT_NEAR(highest, exact.x_k + exact.amplitude, 2 * exact.V * step) << integrator << ' ' << step_ms;
      EXPECT_NEAR(lowest, exact.x_k - exact.amplitude, 2 * exact.V * step) << integrator << ' ' << step_ms;
      EXPECT_LT(largest(run["energy.drift"]), 0.5 * step * step) << integrator << ' ' << step_ms;
    }
    EXPECT_NEAR(std::log(errors[0] / errors[2]) / std::log(16), 1, 0.3) << integrator;
  }
}

// The impulses of one period leave the block as it was: what the belt puts in is heat. It pays mu_k m g V while the
// block slips, and while it sticks the mean of the spring's force, which is that at x_k.
TEST(StickSlipOscillator, TheBeltPaysForTheHeat) {
  const StickSlip exact;
  const ModelRun run = run_example("stick_slip_oscillator", {"step=0.05 ms"});
  const std::vector<double> loose = break_loose_times(run);
  const auto row_at = [&](double t) { return static_cast<std::size_t>(std::lround(t / 0.05e-3)); };
  const std::size_t from = row_at(loose[0]), to = row_at(loose[3]);
  const double input = (run["energy.input"][to] - run["energy.input"][from]) / 3;
  const double heat = (run["energy.friction_loss"][to] - run["energy.friction_loss"][from]) / 3;
  EXPECT_NEAR(input, exact.mu_k * kGravity * exact.V * exact.period_s, 1e-3 * input);
  EXPECT_NEAR(heat, input, 1e-3 * input);
}

// Where the belt runs fast, friction falls no more and the block swings on a line: no sticking, a harmonic motion about
// x_k with the amplitude that it began with.
TEST(StickSlipOscillator, SwingsFreelyOnAFastBelt) {
  const ModelRun run = run_example("stick_slip_oscillator", {"belt_speed=5 m/s", "bodies.block.initial.vx=0 m/s"});
  const StickSlip exact;
  Worst difference;
  for (std::size_t i = 0; i < run.rows(); ++i)
    difference(run["block.x"][i] - exact.x_k * (1 - std::cos(exact.omega * run.time()[i])));
  EXPECT_LT(difference.value, 1e-6);
  EXPECT_TRUE(break_loose_times(run).empty());
}

}  // namespace
}  // namespace freeplay::test::belt_test

// The run loop: rows, grids, ledger, interrupts, failures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::test::simulation_test {
namespace {

using testing::HasSubstr;

SymbolScope scope() {
  return {[](std::string_view name) -> std::optional<Symbol> {
            if (name == "t") return Symbol{Symbol::Kind::kVariable, {}, 0, dimensions::kTime};
            if (name == "arm.omega") return Symbol{Symbol::Kind::kVariable, {}, 1, dimensions::kAngularVelocity};
            return std::nullopt;
          },
          [] {
            return std::vector<std::string>{"t", "arm.omega"};
          }};
}

// A rod of 1 m and 1 kg on a pin; horizontal at the start.
MechanismSpec pendulum() {
  MechanismSpec spec;
  spec.gravity_m_s2 = {0, -9.81, 0};
  BodySpec arm;
  arm.name = "arm";
  arm.mass_kg = 1;
  arm.inertia_kg_m2(2, 2) = 1.0 / 12;
  spec.bodies = {arm};
  JointSpec pin;
  pin.name = "pin";
  pin.type = "revolute";
  pin.parent = "ground";
  pin.child = "arm";
  pin.at_child_m = {-0.5, 0, 0};
  spec.joints = {pin};
  return spec;
}

SimulationOptions options(double duration, std::optional<double> step = {}) {
  SimulationOptions result;
  result.duration_s = duration;
  result.step_s = step;
  return result;
}

TEST(Simulation, StepByStepItIsTheSameRun) {
  const auto system = Mechanism::build(pendulum());
  MemorySink at_once, in_steps;
  Simulation simulation(*system, options(1, 0.01));
  const RunSummary expected = simulation.run(at_once, {});
  simulation.open(in_steps, {});
  std::int64_t steps = 0;
  while (simulation.advance()) {
    ++steps;
    EXPECT_EQ(simulation.state().t, in_steps.time.back());
  }
  EXPECT_FALSE(simulation.advance()) << "the end stays the end";
  const RunSummary summary = simulation.close();
  EXPECT_EQ(summary.status, RunStatus::kCompleted);
  EXPECT_EQ(steps, expected.steps);
  EXPECT_EQ(summary.steps, expected.steps);
  EXPECT_EQ(in_steps.time, at_once.time);
  EXPECT_EQ(in_steps.columns, at_once.columns);
}

// A run that is left in the middle has a summary of that part, and the simulation can be used again.
TEST(Simulation, StepByStepItMayEndAnywhere) {
  const auto system = Mechanism::build(pendulum());
  MemorySink part, whole;
  Simulation simulation(*system, options(1, 0.01));
  simulation.open(part, {});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(simulation.advance());
  EXPECT_EQ(simulation.close().steps, 10);
  EXPECT_EQ(part.time.size(), 11U);
  EXPECT_EQ(simulation.run(whole, {}).steps, 100);
}

TEST(Simulation, WithAStepEveryMultipleOfItIsARow) {
  const auto system = Mechanism::build(pendulum());
  MemorySink sink;
  Simulation simulation(*system, options(1, 0.01));
  const RunSummary summary = simulation.run(sink, {});
  EXPECT_EQ(summary.status, RunStatus::kCompleted);
  EXPECT_EQ(sink.time.front(), 0);
  EXPECT_EQ(sink.time.back(), 1);
  for (int k = 0; k <= 100; ++k) {
    EXPECT_NE(std::find(sink.time.begin(), sink.time.end(), k * 0.01), sink.time.end()) << k;
  }
  EXPECT_EQ(summary.rows, static_cast<std::int64_t>(sink.time.size()));
  EXPECT_EQ(summary.rows, summary.steps + 1);
}

TEST(Simulation, EveryNthRowAndTheLastAreRecorded) {
  const auto system = Mechanism::build(pendulum());
  MemorySink all, some;
  Simulation(*system, options(1)).run(all, {});
  RecordOptions record;
  record.every = 7;
  record.channels = {"energy.total", "arm.angle"};
  Simulation(*system, options(1), record).run(some, {});
  ASSERT_EQ(some.layout.channels.size(), 2u);
  EXPECT_EQ(some.layout.channels[1].name, "arm.angle");
  EXPECT_EQ(some.layout.channels[1].unit, "rad");
  EXPECT_EQ(some.time[1], all.time[7]);
  EXPECT_EQ(some.channel("arm.angle")[1], all.channel("arm.angle")[7]);
  EXPECT_EQ(some.time.back(), 1);
}

// Energies and work from angle and speed alone, with the numbers of the model: nothing of the ledger is used.
TEST(Simulation, TheLedgerHasTheWorkAndTheLossesOfItsForces) {
  MechanismSpec spec = pendulum();
  spec.variables.push_back({"arm.omega"});
  spec.torsional_springs = {{"coil", "pin", 3, 0.4, 0.1, 0.2}};
  AppliedLoadSpec push;
  push.name = "push";
  push.kind = AppliedLoadSpec::Kind::kForce;
  push.body = "arm";
  push.at_m = {0.5, 0, 0};
  push.value = {Expression::parse("4 N * sin(7 rad/s * t)", scope()),
                Expression::parse("-0.3 N s * arm.omega", scope()), Expression()};
  spec.loads = {push};
  spec.drivers = {{"motor", "pin", std::nullopt, Expression::parse("1 N m * cos(2 Hz*t)", scope())}};
  const auto system = Mechanism::build(spec);
  MemorySink sink;
  const RunSummary summary = Simulation(*system, options(3, 1e-3)).run(sink, {});
  EXPECT_EQ(summary.status, RunStatus::kCompleted);
  EXPECT_GT(sink.channel("energy.damping_loss").back(), 0.1);
  EXPECT_GT(std::abs(sink.channel("energy.input").back()), 0.01);
  EXPECT_LT(summary.max_energy_drift_J, 1e-7);

  const std::vector<double>&q = sink.channel("pin.q"), &omega = sink.channel("arm.omega");
  // The force is in world axes and acts at the free end, 1 m from the pin.
  const auto input_W = [&](std::size_t i) {
    const double t = sink.time[i], force_x = 4 * std::sin(7 * t), force_y = -0.3 * omega[i];
    return omega[i] * (-std::sin(q[i]) * force_x + std::cos(q[i]) * force_y + std::cos(2 * t));
  };
  const auto loss_W = [&](std::size_t i) { return 0.4 * omega[i] * omega[i]; };
  double input = 0, loss = 0;  // by the trapezoidal rule, off by h^2/12 of the change of the power's rate
  for (std::size_t i = 1; i < sink.time.size(); ++i) {
    const double h = sink.time[i] - sink.time[i - 1];
    input += h / 2 * (input_W(i - 1) + input_W(i));
    loss += h / 2 * (loss_W(i - 1) + loss_W(i));
    EXPECT_NEAR(sink.channel("energy.input")[i], input, 1e-4) << sink.time[i];
    EXPECT_NEAR(sink.channel("energy.damping_loss")[i], loss, 1e-4) << sink.time[i];
    const auto stored = [&](std::size_t row) {  // 0.1 N m of preload at the free angle of 0.2 rad
      const double turn = q[row] - 0.2;
      return omega[row] * omega[row] / 6 + 9.81 * 0.5 * std::sin(q[row]) + 3 * turn * turn / 2 + 0.1 * turn;
    };
    EXPECT_NEAR(sink.channel("energy.total")[i] - sink.channel("energy.total")[0], stored(i) - stored(0), 1e-12);
  }
}

// Without work and losses the energy is constant: what changes of it is the integrator's error and nothing else.
TEST(Simulation, DriftIsTheEnergyThatTheIntegratorMakes) {
  const auto system = Mechanism::build(pendulum());
  MemorySink sink;
  SimulationOptions loose = options(5);
  loose.relative_tolerance = loose.absolute_tolerance = 1e-3;
  const RunSummary summary = Simulation(*system, loose).run(sink, {});
  double largest = 0;
  for (std::size_t i = 0; i < sink.time.size(); ++i) {
    const double q = sink.channel("pin.q")[i], omega = sink.channel("arm.omega")[i];
    const double energy = omega * omega / 6 + 9.81 * 0.5 * std::sin(q);  // it starts horizontal and at rest: zero
    EXPECT_NEAR(sink.channel("energy.drift")[i], energy, 1e-12);
    largest = std::max(largest, std::abs(energy));
  }
  EXPECT_GT(largest, 1e-4);  // otherwise there is nothing to see
  EXPECT_NEAR(summary.max_energy_drift_J, largest, 1e-12);
}

TEST(Simulation, AnInterruptEndsTheRunWithEverythingRecorded) {
  const auto system = Mechanism::build(pendulum());
  std::atomic<bool> stop{false};
  struct StoppingSink final : RecordSink {
    explicit StoppingSink(std::atomic<bool>& flag) : stop_flag(flag) {}
    void begin(const RecordLayout&) override {}
    void row(double, std::span<const double>) override { stop_flag = ++rows == 20; }
    void impact(const ImpactRecord&) override {}
    void end(const RunSummary& summary) override { ended = summary.status; }
    std::atomic<bool>& stop_flag;
    int rows = 0;
    std::optional<RunStatus> ended;
  } sink(stop);
  RunContext context;
  context.stop_requested = &stop;
  const RunSummary summary = Simulation(*system, options(100)).run(sink, context);
  EXPECT_EQ(summary.status, RunStatus::kInterrupted);
  EXPECT_EQ(sink.rows, 20);
  EXPECT_EQ(sink.ended, RunStatus::kInterrupted);
  EXPECT_LT(summary.time_s, 100);
}

TEST(Simulation, AForceThatIsNotFiniteStopsTheRunAndIsNamed) {
  MechanismSpec spec = pendulum();
  spec.drivers = {{"motor", "pin", std::nullopt, Expression::parse("1 N m * sqrt(0.5 - t/(1 s))", scope())}};
  const auto system = Mechanism::build(spec);
  MemorySink sink;
  Simulation simulation(*system, options(2));
  const RunSummary summary = simulation.run(sink, {});
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_EQ(summary.failure, StepStatus::kNotFinite);
  EXPECT_THAT(summary.message, HasSubstr("at t = 0.5"));
  EXPECT_NEAR(summary.time_s, 0.5, 1e-6);
  EXPECT_TRUE(std::isfinite(simulation.state().q[0]));
  EXPECT_EQ(sink.summary.status, RunStatus::kFailed);
}

TEST(Simulation, AStepBelowTheSmallestIsALimitNotAResult) {
  MechanismSpec spec = pendulum();
  spec.drivers = {{"motor", "pin", std::nullopt, Expression::parse("1 N m / (0.5 - t/(1 s))", scope())}};
  const auto system = Mechanism::build(spec);
  MemorySink sink;
  SimulationOptions with_limit = options(2);
  with_limit.min_step_s = 1e-5;
  const RunSummary summary = Simulation(*system, with_limit).run(sink, {});
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_EQ(summary.failure, StepStatus::kStepTooSmall);
}

TEST(Simulation, UnknownNamesComeWithTheNearestOne) {
  const auto system = Mechanism::build(pendulum());
  RecordOptions record;
  record.channels = {"arm.omga", "nonsense"};
  try {
    Simulation simulation(*system, options(1), record);
    FAIL();
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u);
    EXPECT_THAT(error.diagnostics()[0].hint, HasSubstr("arm.omega"));
  }
  SimulationOptions wrong = options(1);
  wrong.integrator = "dopri";
  EXPECT_THROW(Simulation(*system, wrong), ModelError);
  EXPECT_THROW(Simulation(*system, options(-1)), ModelError);
  EXPECT_THROW(Simulation(*system, options(std::numeric_limits<double>::quiet_NaN())), ModelError);
}

// The motor's reaction on the pin: torque along the joint's axis is part of what the joint passes on.
TEST(Simulation, ADrivenPendulumNeedsTheTorqueThatNewtonSays) {
  MechanismSpec spec = pendulum();
  spec.drivers = {{"motor", "pin", Expression::parse("0.5 rad * sin(3 Hz*t)", scope()), std::nullopt}};
  const auto system = Mechanism::build(spec);
  EXPECT_EQ(system->degrees_of_freedom(), 0);
  MemorySink sink;
  const RunSummary summary = Simulation(*system, options(2, 0.1)).run(sink, {});
  EXPECT_LT(summary.max_energy_drift_J, 1e-8);
  for (std::size_t i = 0; i < sink.time.size(); ++i) {
    const double t = sink.time[i], q = 0.5 * std::sin(3 * t), acceleration = -4.5 * std::sin(3 * t);
    // I about the pin = 1/3 kg m^2; gravity acts in the middle.
    const double torque = acceleration / 3 + 9.81 * 0.5 * std::cos(q);
    EXPECT_NEAR(sink.channel("motor.torque")[i], torque, 1e-9);
    EXPECT_NEAR(sink.channel("pin.moment")[i], torque, 1e-9);
    EXPECT_NEAR(sink.channel("pin.q")[i], q, 1e-12);
  }
}

}  // namespace
}  // namespace freeplay::test::simulation_test

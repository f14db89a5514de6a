// Starting from a state that is given, and going on from a checkpoint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::test::simulation_checkpoint_test {
namespace {

// A rod of 1 m and 1 kg on a pin; horizontal at the start.
MechanismSpec rod_on_pin() {
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

SimulationOptions stepping(double duration) {
  SimulationOptions result;
  result.integrator = "moreau-midpoint";
  result.duration_s = duration;
  result.step_s = 0.01;
  return result;
}

void expect_rest(const MemorySink& whole, std::size_t first, const MemorySink& part) {
  ASSERT_EQ(whole.time.size(), first + part.time.size());
  for (std::size_t i = 0; i < part.time.size(); ++i) {
    EXPECT_EQ(whole.time[first + i], part.time[i]);
    for (std::size_t c = 0; c < part.columns.size(); ++c) {
      EXPECT_EQ(whole.columns[c][first + i], part.columns[c][i]) << part.layout.channels[c].name;
    }
  }
}

TEST(SimulationStart, IsAtTheStateThatIsGivenAndOnTheSameGrid) {
  const auto system = Mechanism::build(rod_on_pin());
  State start = system->initial_state();
  start.t = 0.305;
  start.q[0] = -1;
  start.u[0] = 2;
  MemorySink sink;
  Simulation(*system, stepping(1)).run(start, sink, {});
  EXPECT_EQ(sink.time.front(), 0.305);
  EXPECT_EQ(sink.channel("pin.q").front(), -1);
  EXPECT_EQ(sink.channel("arm.omega").front(), 2);
  EXPECT_EQ(sink.time[1], 31 * 0.01) << "the first step ends at the next multiple of the step";
  EXPECT_EQ(sink.time.back(), 1);
  // Energies count from there.
  EXPECT_EQ(sink.channel("energy.drift").front(), 0);
}

TEST(SimulationCheckpoint, OfACompletedRunLeadsOnAsIfTheRunHadBeenLonger) {
  const auto system = Mechanism::build(rod_on_pin());
  MemorySink whole, first, second;
  const RunSummary of_whole = Simulation(*system, stepping(2)).run(whole, {});
  Simulation(*system, stepping(1)).run(first, {});
  ASSERT_TRUE(first.last_checkpoint);
  const RunSummary of_both = Simulation(*system, stepping(2)).resume(*first.last_checkpoint, second, {});
  expect_rest(whole, first.time.size(), second);
  EXPECT_EQ(of_both.status, RunStatus::kCompleted);
  EXPECT_EQ(of_both.steps, of_whole.steps);
  EXPECT_EQ(of_both.rows, of_whole.rows);
  EXPECT_EQ(of_both.evaluations, of_whole.evaluations);
  EXPECT_EQ(of_both.energy_initial_J, of_whole.energy_initial_J);
  EXPECT_EQ(of_both.max_energy_drift_J, of_whole.max_energy_drift_J);
}

TEST(SimulationCheckpoint, KeepsTheRhythmOfRows) {
  const auto system = Mechanism::build(rod_on_pin());
  RecordOptions record;
  record.every = 7;
  MemorySink whole, part;
  std::optional<Checkpoint> saved;
  Simulation simulation(*system, stepping(1), record);
  simulation.observe_checkpoints(17, [&](const Checkpoint& checkpoint) {
    if (!saved) saved = checkpoint;
  });
  simulation.run(whole, {});
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->summary.steps, 17);
  EXPECT_EQ(saved->summary.rows, 3) << "steps 0, 7 and 14";
  Simulation(*system, stepping(1), record).resume(*saved, part, {});
  expect_rest(whole, 3, part);
  EXPECT_EQ(part.summary.max_energy_drift_J, whole.summary.max_energy_drift_J);
}

// The pin turns by more than 1 rad before the checkpoint and by less after it, and the time of `there` comes before it.
TEST(SimulationCheckpoint, MeasuresAreThoseOfTheWholeRun) {
  const auto system = Mechanism::build(rod_on_pin());
  const auto simulation = [&](double duration, const std::string& text) {
    auto result = std::make_unique<Simulation>(*system, stepping(duration));
    const std::vector<MeasureSpec> specs = {{"mean", "mean(arm.omega)"}, {"lowest", "min(pin.q)"}, {"there", text}};
    result->measure(Measures(specs, {}, {{"arm.omega", "rad/s"}, {"pin.q", "rad"}}));
    return result;
  };
  MemorySink whole, first, second, third;
  const RunSummary of_whole = simulation(2, "at(pin.q, 0.315 s)")->run(whole, {});
  simulation(1, "at(pin.q, 0.315 s)")->run(first, {});
  const RunSummary of_both = simulation(2, "at(pin.q, 0.315 s)")->resume(*first.last_checkpoint, second, {});
  ASSERT_EQ(of_both.measures.size(), 3U);
  ASSERT_EQ(of_whole.measures.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(of_both.measures[i].value, of_whole.measures[i].value) << of_whole.measures[i].name;
  EXPECT_EQ(second.summary.measures.size(), 3U) << "the sink is told too";
  EXPECT_EQ(second.layout.measures.size(), 3U);

  const RunSummary of_others = simulation(2, "at(pin.q, 0.5 s)")->resume(*first.last_checkpoint, third, {});
  EXPECT_EQ(of_others.status, RunStatus::kCompleted);
  EXPECT_TRUE(of_others.measures.empty());
  EXPECT_TRUE(third.layout.measures.empty());
  EXPECT_THAT(of_others.warnings, testing::Contains(testing::HasSubstr("the measures are left out")));
}

TEST(SimulationCheckpoint, BeforeTheFirstStepLeadsToTheWholeRun) {
  const auto system = Mechanism::build(rod_on_pin());
  MemorySink whole, nothing, all;
  Simulation(*system, stepping(1)).run(whole, {});
  std::atomic<bool> stop{true};
  RunContext stopped;
  stopped.stop_requested = &stop;
  Simulation(*system, stepping(1)).run(nothing, stopped);
  ASSERT_TRUE(nothing.last_checkpoint);
  Simulation(*system, stepping(1)).resume(*nothing.last_checkpoint, all, {});
  expect_rest(whole, nothing.time.size(), all);
}

TEST(SimulationCheckpoint, OfAnotherModelOrIntegratorIsRefused) {
  const auto system = Mechanism::build(rod_on_pin());
  MechanismSpec two = rod_on_pin();
  two.bodies.push_back(two.bodies.front());
  two.bodies.back().name = "other";
  two.joints.push_back(two.joints.front());
  two.joints.back().name = "other_pin";
  two.joints.back().child = "other";
  const auto other = Mechanism::build(two);
  MemorySink sink, unused;
  Simulation(*system, stepping(1)).run(sink, {});
  SimulationOptions smooth = stepping(1);
  smooth.integrator = "dopri5";
  EXPECT_THROW(Simulation(*other, stepping(1)).resume(*sink.last_checkpoint, unused, {}), ModelError);
  EXPECT_THROW(Simulation(*system, smooth).resume(*sink.last_checkpoint, unused, {}), ModelError);
  EXPECT_TRUE(unused.layout.channels.empty()) << "nothing has begun";
}

TEST(SimulationCheckpoint, OfAFailedRunHoldsTheLastStateThatWasAccepted) {
  MechanismSpec spec = rod_on_pin();
  const SymbolScope time_only = {[](std::string_view name) -> std::optional<Symbol> {
                                   if (name != "t") return std::nullopt;
                                   return Symbol{Symbol::Kind::kVariable, {}, 0, dimensions::kTime};
                                 },
                                 [] { return std::vector<std::string>{"t"}; }};
  spec.drivers = {{"motor", "pin", std::nullopt, Expression::parse("1 N m * sqrt(0.5 - t/(1 s))", time_only)}};
  const auto system = Mechanism::build(spec);
  MemorySink sink;
  Simulation simulation(*system, stepping(2));
  EXPECT_EQ(simulation.run(sink, {}).status, RunStatus::kFailed);
  ASSERT_TRUE(sink.last_checkpoint);
  EXPECT_EQ(sink.last_checkpoint->summary.status, RunStatus::kFailed);
  EXPECT_EQ(sink.last_checkpoint->state.t, sink.time.back());
  EXPECT_EQ(sink.last_checkpoint->state.q, simulation.state().q);
}

}  // namespace
}  // namespace freeplay::test::simulation_checkpoint_test

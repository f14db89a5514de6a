// moreau-jean keeps forces and an iteration matrix from step to step. Nobody must be able to tell.
#include <gtest/gtest.h>

#include <cstring>

#include "freeplay/integrators/integrator.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"
#include "support/places.h"

namespace freeplay::test {
namespace {

ModelFile stiff_block() {
  return load_model(test_dir() + "/models/physics/block_on_stiff_springs.yaml");
}

MemorySink run(const std::vector<std::string>& channels) {
  const ModelFile file = stiff_block();
  const Model model = build_model(file);
  MemorySink sink;
  Simulation simulation(*model.system, *model.contacts, file.simulate, {channels, 1});
  EXPECT_EQ(simulation.run(sink, {}).status, RunStatus::kCompleted);
  return sink;
}

TEST(MoreauJeanDeterminism, TwoRunsGiveTheSameBits) {
  const MemorySink first = run({}), second = run({});
  ASSERT_GT(first.time.size(), 3u);
  ASSERT_EQ(first.time.size(), second.time.size());
  // Bits, not values: a quantity that the rule does not measure is not a number.
  for (std::size_t c = 0; c < first.columns.size(); ++c) {
    EXPECT_EQ(0, std::memcmp(first.columns[c].data(), second.columns[c].data(), first.time.size() * sizeof(double)))
        << first.layout.channels[c].name;
  }
}

// Row 0 of a reaction takes a trial step. The run goes on as if it had not been.
TEST(MoreauJeanDeterminism, RecordingReactionsChangesNoBit) {
  const MemorySink all = run({}), few = run({"block.omega", "block.vx"});
  EXPECT_EQ(all.channel("block.omega"), few.channel("block.omega"));
  EXPECT_EQ(all.channel("block.vx"), few.channel("block.vx"));
}

// A run that is started again from where it began, in the same integrator.
TEST(MoreauJeanDeterminism, StartForgetsTheRunBefore) {
  const ModelFile file = stiff_block();
  const Model model = build_model(file);
  IntegratorOptions options;
  options.first_step_s = *file.simulate.step_s;
  options.theta = *file.simulate.theta;
  const auto rule = find_integrator("moreau-jean")->make(*model.system, *model.contacts, options);
  const auto end = [&] {
    State state = model.system->initial_state();
    EXPECT_EQ(rule->start(state).status, StepStatus::kOk);
    for (int k = 1; k <= 50; ++k) EXPECT_EQ(rule->step(state, k * options.first_step_s).status, StepStatus::kOk);
    return state;
  };
  const State first = end(), second = end();
  EXPECT_EQ(first.q, second.q);
  EXPECT_EQ(first.u, second.u);
}

}  // namespace
}  // namespace freeplay::test

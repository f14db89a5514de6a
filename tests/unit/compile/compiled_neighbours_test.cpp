// Lanes of a pack have nothing to do with each other, whatever becomes of one of them; and systems with constant
// matrices.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using CompiledNeighbours = CompiledTest;

// Cranks in and out of contact with different clearances, in both rules and with both kinds of forces.
TEST_F(CompiledNeighbours, OfALaneThatFailsComeToTheSameBitsAsWithoutIt) {
  for (const std::string rule : {"paper", "kept"}) {
    const std::string forces = rule == "paper" ? "midpoint" : "start";
    SCOPED_TRACE(rule);
    std::vector<LoadedModel> members;
    for (int k = 0; k < 4; ++k)
      members.push_back(
          load_example("slider_crank", {fmt::format("c={} mm", 0.3 + 0.4 * k), "slider_omega=1 rad/s", "duration=30 ms",
                                        "simulate.lasting_contacts=" + rule, "simulate.velocity_forces=" + forces}));
    std::vector<CompiledFamily::Sample> samples;
    for (const LoadedModel& member : members) samples.push_back({member.file, member.model});
    const CompiledFamily family(samples, {});
    if (family.width() < 4) GTEST_SKIP() << "packs of this processor have one lane";
    std::vector<LaneData> start;
    for (const LoadedModel& member : members) start.push_back(family.lane(member.file, member.model).value());
    std::vector<LaneData> alone = start, beside_a_broken_one = start, beside_a_far_one = start;
    for (LaneData& lane : alone) family.run({&lane, 1}, {});
    for (double& number : beside_a_broken_one[1].state) number = std::numeric_limits<double>::quiet_NaN();
    beside_a_far_one[2].state[beside_a_far_one[2].state.size() / 4] = 1e160;  // out of reach after a step
    family.run(beside_a_broken_one, {});
    family.run(beside_a_far_one, {});
    EXPECT_NE(beside_a_broken_one[1].status, 0);
    EXPECT_NE(beside_a_far_one[2].status, 0);
    for (std::size_t k = 0; k < 4; ++k) {
      ASSERT_EQ(alone[k].status, 0);
      if (k != 1) {
        EXPECT_EQ(beside_a_broken_one[k].state, alone[k].state) << k;
      }
      if (k != 2) {
        EXPECT_EQ(beside_a_far_one[k].state, alone[k].state) << k;
      }
    }
  }
}

// The woodpecker is given as code, with constant matrices and rows.
TEST_F(CompiledNeighbours, OfTheWoodpeckerDoWhatTheEngineDoes) {
  const LoadedModel toy = load_example("woodpecker", {"simulate.integrator=moreau-midpoint", "simulate.step=20 us",
                                                      "simulate.duration=0.1 s", "simulate.lasting_contacts=paper"});
  const CompiledFamily::Sample sample{toy.file, toy.model};
  const CompiledFamily family({&sample, 1}, {"sleeve.y", "bird.angle"});
  LaneData lane = family.lane(toy.file, toy.model).value();
  std::vector<double> compiled, engine;
  family.run({&lane, 1}, [&](std::size_t, double, std::span<const double> row) {
    compiled.insert(compiled.end(), row.begin(), row.end());
  });
  ASSERT_EQ(lane.status, 0) << lane_status_text(lane.status);
  ModelFile file = toy.file;
  file.record.channels = {"sleeve.y", "bird.angle"};
  MemorySink sink;
  build_simulation(file, toy.model)->run(sink, {});
  for (std::size_t r = 0; r < sink.time.size(); ++r) {
    for (const std::vector<double>& column : sink.columns) engine.push_back(column[r]);
  }
  ASSERT_EQ(compiled.size(), engine.size());
  for (std::size_t i = 0; i < engine.size(); ++i)
    ASSERT_NEAR(compiled[i], engine[i], 1e-9 * std::max(1.0, std::abs(engine[i]))) << i / 2;
}

}  // namespace
}  // namespace freeplay::test

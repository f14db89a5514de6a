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

// A block that falls flat, turned by 1e-10 rad: at the midpoint of step 401, after a way of g dt^2 (400^2/2 + 400/2),
// one corner is 5e-12 m in the floor and the other as much above it. They strike together, so that the block does not
// begin to turn.
TEST_F(CompiledNeighbours, CloseContactsThatTouchWhileAnotherStrikesAsTheEngineDoes) {
  LoadedModel block;
  block.file = parse_model(R"(freeplay: 1
name: block
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  block:
    mass: 1 kg
    inertia: 1e-3 kg m^2
    initial: {y: 57.86762 mm, angle: 1e-10 rad}
    shapes: {skin: {type: polygon, vertices: [[-5 cm, -5 cm], [5 cm, -5 cm], [5 cm, 5 cm], [-5 cm, 5 cm]]}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts: {support: {between: [block.skin, ground.floor], impact: newton, restitution: 0.5, friction: 0.2}}
simulate: {integrator: moreau-midpoint, lasting_contacts: kept, step: 0.1 ms, duration: 0.05 s}
)",
                           "block.yaml");
  block.model = build_model(block.file);
  const CompiledFamily::Sample sample{block.file, block.model};
  const CompiledFamily family({&sample, 1}, {});
  LaneData lane = family.lane(block.file, block.model).value();
  family.run({&lane, 1}, {});
  ASSERT_EQ(lane.status, 0) << lane_status_text(lane.status);
  const std::unique_ptr<Simulation> engine = build_simulation(block.file, block.model);
  MemorySink sink;
  engine->run(sink, {});
  const State& end = engine->state();
  EXPECT_NEAR(end.u[1], 0.5 * 9.81 * 0.0400 - 9.81 * 0.0099, 1e-9);  // e times 400 steps of fall, then 99 steps up
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(lane.state[static_cast<std::size_t>(i)], end.q[i], 1e-9);
    EXPECT_NEAR(lane.state[static_cast<std::size_t>(3 + i)], end.u[i], 1e-9);
    if (i == 2) {
      EXPECT_NEAR(end.u[i], 0, 1e-6);  // about 10 rad/s if one corner had struck alone
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

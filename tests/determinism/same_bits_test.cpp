// Two runs of the same model give the same bits in every channel.
#include <gtest/gtest.h>

#include <cstring>

#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/simulation/memory_sink.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::test::same_bits_test {
namespace {

class Determinism : public testing::TestWithParam<const char*> {};

MemorySink run(const std::string& name, const std::vector<std::string>& overrides = {"simulate.duration=20 ms"}) {
  const ModelFile file = load_model(std::string(FREEPLAY_EXAMPLES_DIR) + "/" + name + ".yaml", overrides);
  const Model model = build_model(file);
  MemorySink sink;
  Simulation simulation(*model.system, *model.contacts, file.simulate);
  EXPECT_EQ(simulation.run(sink, {}).status, RunStatus::kCompleted);
  return sink;
}

void expect_same_bits(const MemorySink& first, const MemorySink& second) {
  ASSERT_GT(first.time.size(), 3u);
  ASSERT_EQ(first.time.size(), second.time.size());
  EXPECT_EQ(0, std::memcmp(first.time.data(), second.time.data(), first.time.size() * sizeof(double)));
  for (std::size_t c = 0; c < first.columns.size(); ++c) {
    EXPECT_EQ(0, std::memcmp(first.columns[c].data(), second.columns[c].data(), first.time.size() * sizeof(double)))
        << first.layout.channels[c].name;
  }
}

TEST_P(Determinism, TwoRunsGiveTheSameBits) {
  expect_same_bits(run(GetParam()), run(GetParam()));
}

// Long enough for impacts and for what comes after them.
TEST(NlpDeterminism, TwoRunsGiveTheSameBits) {
  for (const char* example : {"cylindrical_clearance", "prismatic_clearance", "revolute_clearance"}) {
    for (const char* rule : {"simulate.constraint=plain", "simulate.constraint=disc", "simulate.step_choice=objective",
                             "simulate.step_choice=land", "friction=0.1"}) {
      const std::vector<std::string> overrides = {rule, "duration=0.3 s"};
      SCOPED_TRACE(testing::PrintToString(overrides) + example);
      expect_same_bits(run(example, overrides), run(example, overrides));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, Determinism,
                         testing::Values("slider_crank", "double_pendulum", "double_pendulum_coded", "four_bar",
                                         "four_bar_spatial", "slider_crank_ideal", "spinning_top", "spatial_pendulum",
                                         "andrews_squeezer", "bouncing_ball", "block_on_incline", "sliding_block",
                                         "sphere_tangential_restitution", "two_blocks", "painleve_rod", "falling_rod",
                                         "four_bar_clearance", "four_bar_bushing", "cam_follower",
                                         "cam_follower_friction", "cam_roller", "falling_ball", "pendulum_wall",
                                         "cylindrical_clearance", "prismatic_clearance", "revolute_clearance",
                                         "ideal_pendulum_spatial"),
                         [](const auto& example) { return std::string(example.param); });

}  // namespace
}  // namespace freeplay::test::same_bits_test

// Which values the runs of a study have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/math/philox.h"
#include "freeplay/study/sweep/points/sweep_points.h"

namespace freeplay::test::sweep_points_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SweepPoints grid(const std::vector<std::string>& texts, const std::string& sample = "", std::uint64_t seed = 0) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : texts) axes.push_back(parse_sweep_axis(text));
  return {axes, parse_sweep_sampling(sample, seed)};
}

std::string mistake(const std::vector<std::string>& texts, const std::string& sample = "") {
  try {
    grid(texts, sample);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

// The known answers of the authors' library Random123 (kat_vectors).
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_THAT(philox4x32({0, 0, 0, 0}, {0, 0}), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(SweepPoints, TakeRangesWithUnits) {
  const SweepPoints points = grid({"c=0.5mm:2mm:4"});
  ASSERT_EQ(points.size(), 4);
  EXPECT_EQ(points.values(0)[0], 0.5e-3);
  EXPECT_DOUBLE_EQ(points.values(1)[0], 1e-3);
  EXPECT_EQ(points.values(3)[0], 2e-3);
  EXPECT_THAT(points.overrides(0), ElementsAre("c=0.0005 m"));
  EXPECT_THAT(grid({"omega=10/s:20/s:2"}).overrides(1), ElementsAre("omega=20/s"));
  EXPECT_THAT(grid({"mu=0:1:2"}).overrides(1), ElementsAre("mu=1"));
  EXPECT_THAT(grid({"c=0:1mm:2"}).overrides(0), ElementsAre("c=0 m")) << "a plain 0 takes the other end's unit";
  EXPECT_EQ(grid({"c=1mm:3mm:1"}).values(0)[0], 1e-3);
}

TEST(SweepPoints, TakeEqualRatiosAndLists) {
  const SweepPoints points = grid({"k=1N/m:1e4N/m:5:log"});
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(points.values(i)[0], std::pow(10, i), 1e-9 * std::pow(10, i));
  EXPECT_EQ(points.values(4)[0], 1e4);
  EXPECT_EQ(grid({"c=3mm, 1mm, 2mm"}).values(1)[0], 1e-3);
  const SweepPoints words = grid({"law=hertz,lankarani-nikravesh"});
  EXPECT_EQ(words.values(1)[0], 1);
  EXPECT_THAT(words.overrides(1), ElementsAre("law=lankarani-nikravesh"));
}

TEST(SweepPoints, MakeAGridWhoseLastAxisChangesFastest) {
  const SweepPoints points = grid({"a=1,2", "b=10:30:3"});
  ASSERT_EQ(points.size(), 6);
  EXPECT_THAT(points.values(0), ElementsAre(1, 10));
  EXPECT_THAT(points.values(1), ElementsAre(1, 20));
  EXPECT_THAT(points.values(5), ElementsAre(2, 30));
}

TEST(SweepPoints, SampleUniformly) {
  const std::int64_t count = 20000;
  const SweepPoints points = grid({"a=-1:3", "b=1:100:log"}, "random:20000", 7);
  double mean = 0, square = 0, mean_log = 0, product = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::vector<double> v = points.values(i);
    ASSERT_TRUE(v[0] >= -1 && v[0] < 3 && v[1] >= 1 && v[1] < 100);
    mean += v[0] / count;
    square += v[0] * v[0] / count;
    mean_log += std::log10(v[1]) / count;
    product += (v[0] - 1) * (std::log10(v[1]) - 1) / count;
  }
  // Five standard deviations of the mean of so many.
  EXPECT_NEAR(mean, 1, 5 * std::sqrt(16.0 / 12 / count));
  EXPECT_NEAR(square, 1 + 16.0 / 12, 0.1);
  EXPECT_NEAR(mean_log, 1, 5 * std::sqrt(4.0 / 12 / count));
  EXPECT_NEAR(product, 0, 5 * std::sqrt(16.0 / 12 * 4 / 12 / count)) << "the axes are independent";
  EXPECT_NE(grid({"a=-1:3"}, "random:10", 1).values(3), grid({"a=-1:3"}, "random:10", 2).values(3));
  EXPECT_EQ(grid({"a=-1:3"}, "random:10", 1).values(3), grid({"a=-1:3"}, "random:1000", 1).values(3));
}

TEST(SweepPoints, PutOneSampleOfALatinHypercubeInEachLayer) {
  const SweepPoints points = grid({"a=0:50", "b=0:50"}, "lhs:50", 3);
  for (int axis = 0; axis < 2; ++axis) {
    std::vector<int> layers;
    for (int i = 0; i < 50; ++i) layers.push_back(static_cast<int>(points.values(i)[static_cast<std::size_t>(axis)]));
    EXPECT_FALSE(std::is_sorted(layers.begin(), layers.end()));
    std::sort(layers.begin(), layers.end());
    for (int i = 0; i < 50; ++i) EXPECT_EQ(layers[static_cast<std::size_t>(i)], i);
  }
}

TEST(SweepPoints, RefuseWhatIsNoRange) {
  EXPECT_THAT(mistake({}), HasSubstr("nothing is varied"));
  EXPECT_THAT(mistake({"c"}), HasSubstr("NAME=VALUES"));
  EXPECT_THAT(mistake({"c="}), HasSubstr("gives no values"));
  EXPECT_THAT(mistake({"c=1mm:2mm:0"}), HasSubstr("the range is empty"));
  EXPECT_THAT(mistake({"c=1mm:1mm:5"}), HasSubstr("the range is empty"));
  EXPECT_THAT(mistake({"c=1mm:2mm:x"}), HasSubstr("'x' is no number of values"));
  EXPECT_THAT(mistake({"c=1mm:2mm"}), HasSubstr("no number of values"));
  EXPECT_THAT(mistake({"c=1mm:2kg:4"}), HasSubstr("a mass"));
  EXPECT_THAT(mistake({"c=0:2mm:4:log"}), HasSubstr("one sign"));
  EXPECT_THAT(mistake({"c=1mm,,2mm"}), HasSubstr("missing"));
  EXPECT_THAT(mistake({"c=1:2:3", "c=1:2:3"}), HasSubstr("varied twice"));
  EXPECT_THAT(mistake({"a=0:1:100000", "b=0:1:100000"}), HasSubstr("2^31"));
  EXPECT_THAT(mistake({"a=0:1:10"}, "lhs:10"), HasSubstr("samples are asked for"));
  EXPECT_THAT(mistake({"a=0:1"}, "halton:10"), HasSubstr("no way to sample"));
  EXPECT_THAT(mistake({"a=1,2"}, "morris:10"), HasSubstr("a list"));
  EXPECT_THAT(mistake({"a=0:1"}, "sobol:2147483647"), HasSubstr("2^31"));
  for (const char* none : {"lhs:0", "lhs", "lhs:", "sobol:-3", "morris:1.5"})
    EXPECT_THAT(mistake({"a=0:1"}, none), HasSubstr("does not say how many samples there are")) << none;
  EXPECT_THAT(mistake({"a=0:1"}, "lhs:99999999999999999999"), HasSubstr("more than 2^31 runs"));
}

}  // namespace
}  // namespace freeplay::test::sweep_points_test

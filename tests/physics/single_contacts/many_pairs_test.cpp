// A body does not know how many other pairs there are: with few of them all are looked at, with many only those that
// are near, and every number that is recorded of it is the same.
#include <gtest/gtest.h>

#include "physics/model_run.h"

namespace freeplay::test::many_pairs_test {
namespace {

// Balls that fly about in a box of three walls each, far from one another.
std::string balls_in_boxes(int first, int last, const std::string& simulate) {
  std::string bodies, walls, contacts;
  for (int i = first; i <= last; ++i) {
    const double x = 10.0 * i;
    bodies += fmt::format(
        "  b{0}: {{mass: 1 kg, inertia: 0.004 kg m^2, initial: {{x: {1} m, y: 0.5 m, vx: {2} m/s, omega: {0} rad/s}}, "
        "shapes: {{skin: {{type: circle, radius: 100 mm}}}}}}\n",
        i, x, 3 + 0.5 * i);
    walls += fmt::format(
        "    floor{0}: {{type: line, at: [0, 0], normal: [0, 1]}}\n"
        "    left{0}: {{type: line, at: [{1} m, 0], normal: [1, 0]}}\n"
        "    right{0}: {{type: line, at: [{2} m, 0], normal: [-1, 0]}}\n",
        i, x - 1, x + 1);
    for (const char* wall : {"floor", "left", "right"})
      contacts += fmt::format(
          "  c{0}_{1}: {{between: [b{0}.skin, ground.{1}{0}], impact: newton, restitution: 0.6, friction: 0.3}}\n", i,
          wall);
  }
  return fmt::format(
      "freeplay: 1\nname: boxes\nspace: planar\ngravity: [0, -9.81 m/s^2]\nbodies:\n{}ground:\n  "
      "shapes:\n{}contacts:\n{}"
      "simulate: {{{}, duration: 0.6 s, force_window: 10 ms}}\n",
      bodies, walls, contacts, simulate);
}

class ManyPairs : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Rules, ManyPairs,
                         testing::Values("integrator: moreau-midpoint, step: 1 ms",
                                         "integrator: moreau-midpoint, step: 5 ms, activation: anticipated",
                                         "integrator: moreau-midpoint, step: 2 ms, projection: 1 um",
                                         "integrator: moreau-jean, step: 1 ms"));

TEST_P(ManyPairs, ChangeNothingOfWhatIsRecordedOfOneBody) {
  const ModelRun one = run_model(parse_model(balls_in_boxes(2, 2, GetParam()), "one.yaml"));
  const ModelRun all = run_model(parse_model(balls_in_boxes(1, 7, GetParam()), "all.yaml"));
  ASSERT_EQ(one.contacts->point_count(), 3);
  ASSERT_EQ(all.contacts->point_count(), 21) << "more than are looked at whole";
  ASSERT_GE(one.summary.impacts, 2);
  ASSERT_EQ(one.rows(), all.rows());
  int compared = 0;
  for (const ChannelInfo& channel : one.record.layout.channels) {
    if (channel.name.starts_with("energy.") || channel.name.starts_with("step.")) continue;
    const std::vector<double>&a = one[channel.name], &b = all[channel.name];
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
          << channel.name << " row " << i << ": " << a[i] << " against " << b[i];
    }
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace freeplay::test::many_pairs_test

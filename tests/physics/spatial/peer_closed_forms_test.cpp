// Two examples of Siconos (Joint_friction, slide_roll), with its parameters, against their closed forms.
#include "physics/single_contacts/analytic_benchmarks.h"

namespace freeplay::test::peer_closed_forms_test {
namespace {

constexpr double kGravity = 9.81;

double largest_up_to(const ModelRun& run, const std::string& channel, double end_s) {
  double largest = 0;
  for (std::size_t i = 0; i < run.rows() && run.time()[i] <= end_s; ++i) largest = std::max(largest, run[channel][i]);
  return largest;
}

// A cube of 1 kg, thrown up at 15 m/s, rises by 4 m - 0.5 m - 0.15 m to the bottom of a slider of 0.1 kg, and takes it
// along; dry friction of 100 N and the weight of both brake them:
//   v^2 = (15 m/s)^2 - 2 g 3.35 m,   v' = v 1/1.1,   z = v'^2 / (2 (100 N/1.1 kg + g)) = 0.65346 m
// (the contact stays closed meanwhile, since they brake faster than the cube would alone). Then friction holds the
// slider, until after 3.2 s the other cube comes down on it from 4 m and drives it down in the same way:
//   v^2 = (15 m/s)^2 + 2 g (3.35 m - z),   v' = v 1/1.1,   down by  v'^2 / (2 (100 N/1.1 kg - g)) = 1.41600 m
TEST(PeerExamples, SliderWithDryFrictionStopsWhereTheClosedFormSays) {
  const double v_up = std::sqrt(15 * 15 - 2 * kGravity * 3.35) / 1.1;
  const double top_m = v_up * v_up / (2 * (100 / 1.1 + kGravity));
  const double v_down = std::sqrt(15 * 15 + 2 * kGravity * (3.35 - top_m)) / 1.1;
  const double end_m = top_m - v_down * v_down / (2 * (100 / 1.1 - kGravity));
  EXPECT_NEAR(top_m, 0.6535, 0.5e-4);
  const ModelRun coarse = run_test_model("joint_friction");
  const ModelRun fine = run_test_model("joint_friction", {"dt=0.1 ms"});
  const double error = largest_up_to(coarse, "big.z", 3) - top_m, finer = largest_up_to(fine, "big.z", 3) - top_m;
  // The step in which the impact falls: half of one at 12.6 m/s, before as after.
  EXPECT_LT(std::abs(error), 0.5e-3 * 12.7);
  EXPECT_NEAR(finer / error, 0.1, 0.01) << "of first order";
  EXPECT_NEAR(fine["big.z"].back(), end_m, 0.5e-4 * 16.7);
  // The run says so: the cube is up to half a step in the slider before it is noticed.
  ASSERT_EQ(coarse.summary.warnings.size(), 1u);
  EXPECT_NE(coarse.summary.warnings[0].find("'b_1' penetrates its wall by more than a hundredth"), std::string::npos);
  EXPECT_TRUE(fine.summary.warnings.empty()) << "the cure";
}

// Bodies fall on a floor and slide: friction takes mu times the impulse of the floor, which in all, the impact
// included, is that of the weight, whatever the height of the fall. After 1 s
//   v = 20 m/s - mu g 1 s = 17.057 m/s
// of whatever still slides: the slip of a ball falls by 7/2 mu g t = 10.3 m/s, that of a cylinder by 3 mu g t = 8.8
// m/s.
TEST(PeerExamples, BodiesThatSlideHaveLostTheShareOfTheirWeight) {
  const double speed = 20 - 0.3 * kGravity;
  EXPECT_NEAR(speed, 17.057, 1e-12);
  const ModelRun run = run_test_model("slide_and_roll");
  for (const char* body : {"cyl3", "cyl4", "ball2", "box2"})
    EXPECT_NEAR(run[std::string(body) + ".vy"].back(), speed, 1e-11) << body;
  for (const char* body : {"cyl1", "ball1", "box1"})
    EXPECT_NEAR(run[std::string(body) + ".vy"].back(), 0, 1e-11) << body << ", which fell straight down";
  EXPECT_TRUE(run.summary.warnings.empty());
}

}  // namespace
}  // namespace freeplay::test::peer_closed_forms_test

// A triangular prism in its channel with play (Chaturvedi, Sandu, Sandu 2024, section 5.2): steps against those of an
// independent program, and what statics says. Corners 1 (top), 2, 3 (bottom) at the front (+z) and the back end, walls
// R, L and the bottom B.
#include "physics/spatial/spatial_play.h"

namespace freeplay::test::spatial_prismatic_test {
namespace {

constexpr double kEdge = 0.01732, kEdgeOfChannel = 0.01767;
constexpr double kClearance = (kEdgeOfChannel - kEdge) / (2 * 1.7320508075688772);
constexpr const char* kExample = "prismatic_clearance";
const Overrides kSkew = {"arm_angle=20 deg"};
// In the order of the contact points.
const std::vector<std::string> kPoints = {"P1f-R", "P1f-L", "P2f-R", "P2f-B", "P3f-L", "P3f-B",
                                          "P1b-R", "P1b-L", "P2b-R", "P2b-B", "P3b-L", "P3b-B"};

std::string channel(const std::string& quantity, const std::string& point) {
  const auto found = std::find(kPoints.begin(), kPoints.end(), point);
  return fmt::format("sleeve.{}_{}", quantity, found - kPoints.begin() + 1);
}
const std::vector<double>& force(const ModelRun& run, const std::string& point) {
  return run[channel("normal_force", point)];
}

void expect_steps(const ModelRun& run, const CsvTable& reference, double state_tolerance, double force_tolerance,
                  std::size_t rows_left_out = 0) {
  const auto compared = [&](const std::vector<double>& values) {
    return std::vector<double>(values.begin() + 1, values.end() - static_cast<std::ptrdiff_t>(rows_left_out));
  };
  const auto expected = [&](const std::string& column) {
    const std::vector<double>& values = reference.at(column);
    return std::vector<double>(values.begin(), values.end() - static_cast<std::ptrdiff_t>(rows_left_out));
  };
  std::vector<double> angle(run.rows()), deepest(run.rows(), -1);
  for (std::size_t i = 0; i < run.rows(); ++i) {
    angle[i] = angle_about_x(run, "slider", i);
    for (const std::string& point : kPoints) deepest[i] = std::max(deepest[i], -run[channel("gap", point)][i]);
  }
  EXPECT_LT(relative_difference(compared(run.time()), expected("t")), state_tolerance);
  EXPECT_LT(relative_difference(compared(angle), expected("theta_x")), state_tolerance);
  EXPECT_LT(largest_difference(compared(deepest), expected("max_phi")), state_tolerance * kClearance);
  const std::pair<const char*, const char*> states[] = {{"step.size", "h"},  {"slider.y", "y"},
                                                        {"slider.z", "z"},   {"slider.vy", "vy"},
                                                        {"slider.vz", "vz"}, {"slider.omega_x", "wx"}};
  for (const auto& [name, column] : states)
    EXPECT_LT(relative_difference(compared(run[name]), expected(column)), state_tolerance) << column;
  for (const std::string& point : kPoints)
    EXPECT_LT(relative_difference(compared(force(run, point)), expected(point)), force_tolerance) << point;
}

TEST(PrismaticPlayInSpace, PlainStepsAreThoseOfTheReference) {
  const ModelRun run = run_example(kExample, joined(fixed_step("plain", 1e-3), {"duration=40 ms"}));
  expect_steps(run, read_csv("spatial/prismatic_fixed_1e-3.csv"), 1e-9, 1e-7);
  EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9);
}

TEST(PrismaticPlayInSpace, ObjectiveChoosesTheStepsOfTheReference) {
  const ModelRun run = run_example(kExample, step_rule("plain", "objective", 1e-3, 1e-2));
  ASSERT_EQ(run.rows(), 52u);
  // The last step of the reference is cut to what is left; ours is a whole one, interpolated.
  expect_steps(run, read_csv("spatial/prismatic_nlp_1e-3_1e-2.csv"), 1e-4, 1e-4, 1);
  EXPECT_NEAR(run["step.size"][1], 2.984162e-3, 1e-4 * 2.984162e-3);
  for (std::size_t i = 2; i + 1 < run.rows(); ++i) EXPECT_NEAR(run["step.size"][i], 1e-2, 1e-12);
  EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9);
}

TEST(PrismaticPlayInSpace, FirstContactsComeWhenTheyShould) {
  for (const char* constraint : {"plain", "corrected"}) {
    const double h = 1e-4;
    const ModelRun run = run_example(kExample, joined(fixed_step(constraint, h), {"duration=40 ms"}));
    const auto first = [&](const std::string& point) {
      std::size_t i = 1;
      while (i + 1 < run.rows() && !(force(run, point)[i] > 0)) ++i;
      return i;
    };
    const std::size_t one = first("P2f-B"), two = first("P2b-R");
    EXPECT_EQ(one, first("P3f-B"));
    EXPECT_EQ(two, first("P3b-L"));
    EXPECT_NEAR(run.time()[one], 4.2203213e-3, h) << constraint;
    EXPECT_NEAR(run.time()[two], 1.64539891e-2, h) << constraint;
    // An impact takes two steps; what the force while touching adds in them is of the order of h.
    const auto impulse = [&](const std::string& point, std::size_t from) {
      const std::vector<double>& impulses = run[channel("normal_impulse", point)];
      return impulses[from - 1] + impulses[from] + impulses[from + 1];
    };
    for (const char* point : {"P2f-B", "P3f-B"}) {
      EXPECT_NEAR(impulse(point, one), 0.073595780, 3 * h * 37.9) << constraint;
      EXPECT_NEAR(impulse(point, two), 0.336306437, 3 * h * 37.9) << constraint;
    }
    for (const char* point : {"P2b-R", "P3b-L"}) EXPECT_NEAR(impulse(point, two), 0.729611086, 3 * h * 44.4);
    EXPECT_NEAR(run["energy.impact_loss"][(one + two) / 2], 3.523665e-3, 1e-2 * 3.523665e-3) << constraint;
    EXPECT_NEAR(run["energy.impact_loss"].back(), 3.523665e-3 + 1.3095029e-2, 1e-2 * 1.66e-2) << constraint;
  }
}

struct Rule {
  Overrides overrides;
  double depth_m, tolerance_m;
};

TEST(PrismaticPlayInSpace, EndsTiltedWithTheForcesOfStatics) {
  // The plain step leaves what the first order misses, until the next one.
  const Rule rules[] = {
      {fixed_step("plain", 1e-3), 3.4e-9, 3.4e-10}, {fixed_step("plain", 1e-2), 1.8e-8, 1.8e-9},
      {fixed_step("corrected", 1e-3), 0, 1e-15},    {fixed_step("corrected", 1e-2), 0, 1e-15},
      {fixed_step("disc", 1e-2), 0, 1e-15},         {step_rule("corrected", "land", 1e-3, 1e-2), 0, 1e-15}};
  for (const Rule& rule : rules) {
    const ModelRun run = run_example(kExample, rule.overrides);
    const std::size_t last = run.rows() - 1;
    EXPECT_NEAR(run["slider.vz"][last], 6.25, 6.25e-12) << rule.overrides[0];
    for (const char* point : {"P2f-B", "P3f-B"}) EXPECT_NEAR(force(run, point)[last], 37.90747505, 1e-5) << point;
    for (const char* point : {"P2b-R", "P3b-L"}) EXPECT_NEAR(force(run, point)[last], 44.42295010, 1e-5) << point;
    EXPECT_NEAR(run["slider.y"][last], 4.994391367e-5, 1e-10) << rule.overrides[0];
    EXPECT_NEAR(angle_about_x(run, "slider", last), 0.0151560247956, 1e-10) << rule.overrides[0];
    // The tilt flattens the section as seen along the channel: the lower corners are there before the apex.
    for (const char* point : {"P1b-R", "P1b-L"})
      EXPECT_NEAR(run[channel("gap", point)][last], 8.6135e-7, 1e-9) << rule.overrides[0];
    EXPECT_NEAR(run.summary.max_penetration_m, rule.depth_m, rule.tolerance_m) << rule.overrides[0];
    EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9) << rule.overrides[0];
  }
}

TEST(PrismaticPlayInSpace, HoldsASlantingPullWithTheForcesOfStatics) {
  for (const Overrides& rule : {fixed_step("plain", 1e-3), fixed_step("corrected", 1e-2), fixed_step("disc", 1e-2),
                                step_rule("corrected", "land", 1e-3, 1e-2)}) {
    const ModelRun run = run_example(kExample, joined(rule, kSkew));
    const std::size_t last = run.rows() - 1;
    EXPECT_NEAR(run["slider.x"][last], -(kEdgeOfChannel - kEdge) / 4, 1e-9) << rule[0];
    EXPECT_NEAR(run["slider.y"][last], 5.05181486e-5, 1e-9) << rule[0];
    const double attitude[] = {0.99996171509, 7.57801241e-3, -4.37516750e-3, 0};
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(run[fmt::format("slider.e{}", k)][last], attitude[k], 1e-9) << rule[0];
    EXPECT_NEAR(force(run, "P2f-B")[last], 83.925483, 1e-4) << rule[0];
    EXPECT_NEAR(force(run, "P2b-R")[last], 52.533483, 1e-4) << rule[0];
    // Four corners on wall L: only the sum is determined, and where it acts.
    double sum = 0, others = 0;
    for (std::size_t i = 0; i < kPoints.size(); ++i) {
      const double value = force(run, kPoints[i])[last];
      if (kPoints[i].ends_with("L")) {
        EXPECT_GE(value, 0);
        sum += value;
      } else if (kPoints[i] != "P2f-B" && kPoints[i] != "P2b-R") {
        others += value;
      }
    }
    EXPECT_NEAR(sum, 52.533483, 1e-4) << rule[0];
    EXPECT_EQ(others, 0) << rule[0];
    // Its moments across and along the wall are those of the solution of least norm.
    const double front = force(run, "P1f-L")[last] + force(run, "P3f-L")[last];
    const double top = force(run, "P1f-L")[last] + force(run, "P1b-L")[last];
    EXPECT_NEAR(front, 19.4713 + 3.9883, 2e-4) << rule[0];
    EXPECT_NEAR(top, 19.4713 + 22.2785, 2e-4) << rule[0];
  }
}

TEST(PrismaticPlayInSpace, FollowsTheEventDrivenMotionOfASlantingPull) {
  const CsvTable truth = read_csv("spatial/prismatic_skew_truth.csv");
  const double h = 1e-4;
  const ModelRun run = run_example(kExample, joined(joined(fixed_step("plain", h), kSkew), {"duration=16 ms"}));
  Worst worst;
  // Later on the order of the impacts is not the same in all schemes.
  for (std::size_t i = 0; truth.at("t")[i] <= 0.015; ++i) {
    for (const char* axis : {"x", "y", "z"})
      worst(value_at(run.time(), run[std::string("slider.") + axis], truth.at("t")[i] - h / 2) - truth.at(axis)[i]);
  }
  EXPECT_LT(worst.value, 2e-6);
}

// Four corners carry the weight, rank 3: any split is possible, but nothing for walls that are not touched.
TEST(PrismaticPlayInSpace, RestsOnTheBottomAlone) {
  for (const char* constraint : {"plain", "corrected"}) {
    const ModelRun run =
        run_example(kExample, joined(fixed_step(constraint, 1e-3), {"forces.pull.value=[0 N, 0 N, 0 N]"}));
    const std::size_t last = run.rows() - 1;
    double bottom = 0, front = 0, right = 0;
    for (const std::string& point : kPoints) {
      const double value = force(run, point)[last];
      EXPECT_GE(value, 0) << point;
      if (!point.ends_with("B")) {
        EXPECT_EQ(value, 0) << point;
      }
      bottom += value;
      if (point[2] == 'f') front += value;
      if (point[1] == '2') right += value;
    }
    EXPECT_NEAR(bottom, 31.392, 1e-6) << constraint;
    EXPECT_NEAR(front, bottom / 2, 1e-6) << constraint;
    EXPECT_NEAR(right, bottom / 2, 1e-6) << constraint;
    EXPECT_NEAR(bottom * bottom / 3.2, 307.95552, 1e-5) << "the objective: " << constraint;
    EXPECT_NEAR(run["slider.y"][last], -kClearance, 1e-14) << constraint;
  }
}

}  // namespace
}  // namespace freeplay::test::spatial_prismatic_test

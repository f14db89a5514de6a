// Friction in spatial joints with play, by the nonlinear program with the rows of the cone. Once a part slides along
// its guide without turning, forces follow from the balance of forces and moments.
#include "physics/spatial/spatial_play.h"

namespace freeplay::test::spatial_play_friction_test {
namespace {

constexpr double kMass = 3.2, kGravity = 9.81, kArm = 0.03, kHalfLength = 0.01;
// A step of 1 ms whose contact problem is solved to 1e-9 m/s.
constexpr double kForceTolerance = kMass * 1e-9 / 1e-3;

std::vector<std::string> points_of(const ModelRun& run) {
  std::vector<std::string> points;
  for (const ContactPoint& point : run.contacts->points()) points.push_back(point.suffix);
  return points;
}

double acceleration_at_end(const ModelRun& run, const std::string& channel) {
  const std::size_t last = run.rows() - 1, start = last - 50;
  return (run[channel][last] - run[channel][start]) / (run.time()[last] - run.time()[start]);
}

void expect_forces_in_cone(const ModelRun& run, double mu) {
  for (const std::string& point : points_of(run)) {
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double normal = run["sleeve.normal_force" + point][i];
      const double tangential = run["sleeve.tangential_force" + point][i];
      ASSERT_GE(normal, 0) << point;
      ASSERT_LE(std::abs(tangential), mu * normal + kForceTolerance) << point;
      const Vec3 force(run["sleeve.force_x" + point][i], run["sleeve.force_y" + point][i],
                       run["sleeve.force_z" + point][i]);
      ASSERT_NEAR(force.norm(), std::hypot(normal, tangential), 1e-9 * (1 + normal)) << point;
    }
  }
}

class FrictionOnTheRod : public testing::TestWithParam<double> {};

// f_2 - f_1 = m g; the moments about the centre of mass: F s cos(theta) = (f_1 + f_2) l/2 cos(theta) + mu R (f_2 -
// f_1), since the ends rub on opposite sides of the rod, and the tilt theta lets arm and length appear shorter alike.
TEST_P(FrictionOnTheRod, BrakesTheBlockByTheSumOfItsForces) {
  const double mu = GetParam(), weight = kMass * kGravity, pull = 50, radius = 0.01;
  const double tilt = std::asin(1e-4 / kHalfLength);
  const double sum = (pull * kArm - mu * radius * weight / std::cos(tilt)) / kHalfLength;
  for (const char* constraint : {"plain", "corrected", "disc"}) {
    const ModelRun run =
        run_example("cylindrical_clearance",
                    joined(fixed_step(constraint, 1e-3),
                           {fmt::format("friction={}", mu), fmt::format("joints.sleeve.journal_radius={} m", radius)}));
    const std::size_t last = run.rows() - 1;
    EXPECT_NEAR(run["sleeve.normal_force_1"][last], (sum - weight) / 2, 1e-9 * sum) << constraint;
    EXPECT_NEAR(run["sleeve.normal_force_2"][last], (sum + weight) / 2, 1e-9 * sum) << constraint;
    EXPECT_NEAR(run["sleeve.force_z_1"][last], -mu * (sum - weight) / 2, 1e-9 * sum) << constraint;
    EXPECT_NEAR(run["sleeve.force_z_2"][last], -mu * (sum + weight) / 2, 1e-9 * sum) << constraint;
    EXPECT_NEAR(acceleration_at_end(run, "slider.vz"), (pull - mu * sum) / kMass, 1e-9) << constraint;
    EXPECT_NEAR(angle_about_x(run, "slider", last), tilt, 1e-9) << constraint;
    EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9) << constraint;
    expect_forces_in_cone(run, mu);
  }
}
INSTANTIATE_TEST_SUITE_P(Coefficients, FrictionOnTheRod, testing::Values(0.05, 0.1, 0.3));

// Front corners on the bottom with f_b each, back corners at the sides with f_s each, at where the tilt puts them.
TEST(FrictionInTheChannel, BrakesThePrismByTheSumOfItsForces) {
  const double mu = 0.1, weight = kMass * kGravity, pull = 40, tilt = 0.0151560247956;
  const double base = -0.01732 / (2 * std::sqrt(3.0)), c = std::cos(tilt), s = std::sin(tilt);
  const double front_y = base * c - kHalfLength * s, front_z = base * s + kHalfLength * c;
  const double back_y = base * c + kHalfLength * s, back_z = base * s - kHalfLength * c;
  // 2 f_b - f_s = m g, and moments about x: pull s c + 2 f_b (-mu y_f - z_f) + 2 f_s (-mu y_b + z_b/2) = 0.
  const double of_bottom = 2 * (-mu * front_y - front_z), of_sides = 2 * (-mu * back_y + back_z / 2);
  const double f_b = (of_sides * weight - pull * kArm * c) / (of_bottom + 2 * of_sides), f_s = 2 * f_b - weight;
  for (const char* constraint : {"plain", "corrected"}) {
    const ModelRun run =
        run_example("prismatic_clearance", joined(fixed_step(constraint, 1e-3), {fmt::format("friction={}", mu)}));
    const std::size_t last = run.rows() - 1;
    for (const char* point : {"4", "6"})
      EXPECT_NEAR(run[std::string("sleeve.normal_force_") + point][last], f_b, 1e-6) << constraint;
    for (const char* point : {"9", "11"})
      EXPECT_NEAR(run[std::string("sleeve.normal_force_") + point][last], f_s, 1e-6) << constraint;
    EXPECT_NEAR(acceleration_at_end(run, "slider.vz"), (pull - 2 * mu * (f_b + f_s)) / kMass, 1e-6) << constraint;
    EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9) << constraint;
    expect_forces_in_cone(run, mu);
  }
}

// A guide that is short against the arm of the pull holds by itself: at mu = 0.3 friction is more than the pull.
TEST(FrictionInTheChannel, LocksThePrism) {
  const ModelRun run = run_example("prismatic_clearance", joined(fixed_step("corrected", 1e-3), {"friction=0.3"}));
  EXPECT_LT(std::abs(run["slider.vz"].back()), 1e-9);
  Vec3 resultant = Vec3::Zero();
  for (const std::string& point : points_of(run)) {
    for (int k = 0; k < 3; ++k) resultant[k] += run[fmt::format("sleeve.force_{}{}", "xyz"[k], point)].back();
  }
  EXPECT_LT((resultant - Vec3(0, kMass * kGravity, -40)).norm(), 1e-6);
  expect_forces_in_cone(run, 0.3);
}

// Gaps close as exactly as the cone's solver works: 1e-11 m/s are 1e-14 m in a step.
TEST(FrictionOnASlantingPull, StaysInItsCone) {
  for (const char* example : {"cylindrical_clearance", "prismatic_clearance"}) {
    const ModelRun run =
        run_example(example, joined(fixed_step("corrected", 1e-3),
                                    {"friction=0.15", "arm_angle=20 deg", "simulate.solver_tolerance=1e-11 m/s"}));
    expect_forces_in_cone(run, 0.15);
    EXPECT_LT(run.summary.max_penetration_m, 1e-10 * 1e-4) << example;
    EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9) << example;
  }
}

}  // namespace
}  // namespace freeplay::test::spatial_play_friction_test

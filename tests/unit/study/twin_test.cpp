#include "freeplay/study/compare/perturbation_growth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/mechanism/mechanism.h"
#include "freeplay/study/compare/quantities.h"
#include "freeplay/study/perturbed_system.h"
#include "unit/study/synthetic_run.h"

namespace freeplay::test::twin_test {

// x covers the range [0, 1].
Trace line(double (*offset)(double)) {
  Trace trace;
  trace.channels = {{"body.x", "m"}};
  trace.columns.resize(1);
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.001 * i;
    trace.time.push_back(t);
    trace.columns[0].push_back(t + offset(t));
  }
  return trace;
}

TEST(Twin, ExponentialGrowthIsFoundWithItsRateAndTheTimeOfParting) {
  const Trace a = line([](double) { return 0.0; });
  const Trace b = line([](double t) { return 1e-9 * std::exp(20 * t); });
  const PerturbationGrowth growth = perturbation_growth(a, b, {"body.x"});
  ASSERT_TRUE(growth.differs);
  ASSERT_TRUE(growth.rate_per_s && growth.parted_at_s);
  EXPECT_NEAR(*growth.rate_per_s, 20, 0.01);
  // 1e-9 exp(20 t) = 1e-3 at t = ln(1e6) / 20
  EXPECT_NEAR(*growth.parted_at_s, std::log(1e6) / 20, 1e-3);
}

TEST(Twin, ADifferenceThatStaysSmallNeverParts) {
  const Trace a = line([](double) { return 0.0; }), b = line([](double) { return 1e-9; });
  const PerturbationGrowth growth = perturbation_growth(a, b, {"body.x"});
  EXPECT_TRUE(growth.differs);
  EXPECT_FALSE(growth.parted_at_s);
  EXPECT_NEAR(*growth.rate_per_s, 0, 1e-3);
  EXPECT_NEAR(growth.largest, 1e-9, 1e-12);
}

TEST(Twin, TheSameRunDoesNotDiffer) {
  const Trace a = line([](double) { return 0.0; });
  EXPECT_FALSE(perturbation_growth(a, a, {"body.x"}).differs);
}

TEST(Twin, ACoordinateThatHardlyMovesDoesNotDecide) {
  // y wavers by 1e-12 m in a run that covers 1 m: it is compared with 0.1 mm.
  Trace a = line([](double) { return 0.0; }), b = line([](double) { return 1e-9; });
  a.channels.push_back({"body.y", "m"});
  b.channels.push_back({"body.y", "m"});
  a.columns.emplace_back(a.time.size(), 0.0);
  b.columns.emplace_back(b.time.size(), 0.0);
  a.columns[1][500] = 1e-12;
  b.columns[1][300] = 1e-12;
  EXPECT_LT(perturbation_growth(a, b, {"body.x", "body.y"}).largest, 1e-7);
}

TEST(Twin, RowsAtOtherTimesDoNotLookLikeADifference) {
  // A parabola, sampled at other times: a straight line between rows is wrong by up to h^2/4 = 2.5e-3.
  Trace a, b;
  a.channels = b.channels = {{"body.x", "m"}};
  a.columns.resize(1);
  b.columns.resize(1);
  for (int i = 0; i <= 100; ++i) {
    const double t = 0.1 * i, s = std::min(t + (i % 2 == 0 ? 0.0 : 0.03), 10.0);
    a.time.push_back(t);
    a.columns[0].push_back(t * t);
    b.time.push_back(s);
    b.columns[0].push_back(s * s);
  }
  const PerturbationGrowth growth = perturbation_growth(a, b, {"body.x"});
  EXPECT_LT(growth.largest, 1e-9);
}

TEST(Quantities, MeansAndPeaksWeighTime) {
  const std::vector<double> time = {0, 1, 1, 2, 4}, values = {0, 0, 3, 3, 3};
  EXPECT_NEAR(mean_until(time, values, 4), 9.0 / 4, 1e-12);
  EXPECT_NEAR(mean_until(time, values, 2), 3.0 / 2, 1e-12);
  EXPECT_NEAR(peak_of_windows(time, values, 2, 2), 1.5, 1e-12);
  EXPECT_NEAR(peak_of_windows(time, values, 2, 4), 3, 1e-12);
}

TEST(Quantities, ImpactsAreForcesEverywhereButWhereEventsAreLocated) {
  // Open until an event at 1 s, which strikes with 3 N s; pressed by 2 N from there to another one at 2 s that opens
  // it.
  StudyRun run = run_with({{1, 2, 3}, {1, 2, 5, 1}});
  run.trace.channels = {{"floor.normal_force", "N"}};
  run.trace.time = {0, 1, 2, 4};
  run.trace.columns = {{0, 2, 0, 0}};
  EXPECT_THAT(passed_impulse(run, "floor.normal_force").impulse, testing::ElementsAre(0, 1, 2, 2)) << "over steps";
  EXPECT_TRUE(passed_impulse(run, "wall.normal_force").time.empty()) << "not recorded";
  run.traits.contact_treatment = ContactTreatment::kAccelerations;
  const PassedImpulse passed = passed_impulse(run, "floor.normal_force");
  EXPECT_THAT(passed.time, testing::ElementsAre(0, 1, 1, 2, 4));
  EXPECT_THAT(passed.impulse, testing::ElementsAre(0, 0, 3, 4, 4));
  // Half a second that ends with the impact has its 3 N s; two seconds that end at 2 s have all 4.
  const auto peak = [&](double window_s) {
    for (const ComparedQuantity& quantity : compare_quantities({&run}, 0, {10}, {}, window_s)) {
      if (quantity.name == "floor.normal_force, peak") return *quantity.values.at(0).whole;
    }
    return 0.0;
  };
  EXPECT_NEAR(peak(0.5), 3 / 0.5, 1e-12);
  EXPECT_NEAR(peak(2), 4.0 / 2, 1e-12);
}

TEST(Quantities, ValuesWithinOnePercentAgree) {
  StudyRun a, b;
  a.trace.channels = b.trace.channels = {{"energy.total", "J"}, {"body.x", "m"}};
  a.trace.time = b.trace.time = {0, 1};
  a.trace.columns = {{5, 4.0}, {0, 1}};
  b.trace.columns = {{5, 4.03}, {0, 2}};
  a.summary.time_s = b.summary.time_s = 1;
  const std::vector<ComparedQuantity> list = compare_quantities({&a, &b}, 0, {1, 0.0}, {"body.x"}, 0.1);
  const auto named = [&](const std::string& name) {
    for (const ComparedQuantity& quantity : list) {
      if (quantity.name == name) return quantity;
    }
    return ComparedQuantity{};
  };
  const ComparedQuantity energy = named("total, at the end");
  ASSERT_TRUE(energy.spread);
  EXPECT_NEAR(*energy.spread, 0.03 / 4.03, 1e-12);
  EXPECT_TRUE(energy.agrees);
  EXPECT_EQ(*energy.values[1].before, 5);  // it parts at the start
  const ComparedQuantity largest = named("body.x, largest");
  EXPECT_FALSE(largest.agrees);
  EXPECT_NEAR(*largest.spread, 0.5, 1e-12);
}

// Two balls that rest side by side and a third that moves: no two of their velocities change alike.
TEST(Twin, EveryVelocityIsPerturbedAlsoThoseThatAreZero) {
  MechanismSpec spec;
  spec.space = Space::kPlanar;
  for (const char* name : {"left", "right", "moving"}) {
    BodySpec ball;
    ball.name = name;
    ball.mass_kg = 1;
    ball.inertia_kg_m2(2, 2) = 1;
    spec.bodies.push_back(ball);
  }
  const auto system = Mechanism::build(spec);
  State start = system->initial_state();
  start.u[6] = 2;
  const VecX change = perturbed_velocities(start.u, 1e-6) - start.u;
  EXPECT_NEAR(change[6], 2e-6, 1e-12);
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    EXPECT_GT(std::abs(change[i]), 0) << i;
    EXPECT_LE(std::abs(change[i]), 2e-6 * (1 + 1e-9)) << i;
    for (Eigen::Index j = 0; j < i; ++j) EXPECT_NE(change[i], change[j]) << i << " and " << j;
  }
  EXPECT_GT(max_abs(PerturbedSystem(*system, 1e-6).initial_state().u), 0) << "all are zero here";
}

}  // namespace freeplay::test::twin_test

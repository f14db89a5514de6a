// A ball dropped from h with Newton's restitution e.
//   t_1 = sqrt(2h/g);  impact k at t_1 (1 + 2 sum_{j=1}^{k-1} e^j);  apex k: e^(2k) h;  rest from t_1 (1+e)/(1-e).
#include "physics/single_contacts/analytic_benchmarks.h"

namespace freeplay::test::bouncing_ball_test {
namespace {

constexpr double kHeight = 1, kRestitution = 0.5, kGravity = 9.81, kStep = 1e-4;  // of the example file
const double kFall = std::sqrt(2 * kHeight / kGravity);

double impact_time(int k) {
  double sum = 0;
  for (int j = 1; j < k; ++j) sum += std::pow(kRestitution, j);
  return kFall * (1 + 2 * sum);
}

// Largest gap between the impacts k and k + 1.
double apex(const ModelRun& run, std::size_t k) {
  double height = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (run.time()[i] < run.record.impacts[k - 1].time_s || run.time()[i] > run.record.impacts[k].time_s) continue;
    height = std::max(height, run["bounce.gap"][i]);
  }
  return height;
}

// End of the last step without a normal impulse.
double start_of_rest(const ModelRun& run) {
  std::size_t row = run.rows();
  while (row > 0 && run["bounce.normal_impulse"][row - 1] > 0) --row;
  return row == 0 ? 0 : run.time()[row - 1];
}

TEST(BouncingBall, FreeFallIsExactAtTheEndsOfSteps) {
  const ModelRun run = run_example("bouncing_ball");
  Worst worst;
  for (std::size_t i = 0; run.time()[i] < kFall; ++i) {
    const double t = run.time()[i];
    worst(run["bounce.gap"][i] - (kHeight - kGravity * t * t / 2));
    worst(run["ball.vy"][i] + kGravity * t);
  }
  EXPECT_LT(worst.value, 2e-12);  // rounding of 4500 steps
}

TEST(BouncingBall, ImpactTimesAreAGeometricSeries) {
  const ModelRun run = run_example("bouncing_ball");
  ASSERT_GE(run.record.impacts.size(), 8u);
  expect_benchmark("ball: time of impact 1", impact_time(1), run.record.impacts[0].time_s);
  expect_benchmark("ball: time of impact 2", impact_time(2), run.record.impacts[1].time_s);
  expect_benchmark("ball: time of impact 3", impact_time(3), run.record.impacts[2].time_s);
  expect_benchmark("ball: time of impact 4", impact_time(4), run.record.impacts[3].time_s);
}

TEST(BouncingBall, EveryImpactObeysNewtonsLaw) {
  const ModelRun run = run_example("bouncing_ball");
  for (const ImpactRecord& impact : run.record.impacts) {
    EXPECT_NEAR(impact.normal_velocity_after, -kRestitution * impact.normal_velocity_before, 1e-14);
    // The weight of one step is carried by the impulse too.
    EXPECT_NEAR(impact.normal_impulse, -(1 + kRestitution) * impact.normal_velocity_before + kGravity * kStep, 1e-13);
    EXPECT_EQ(impact.tangential_impulse_1, 0);
  }
}

// The step in which an impact is noticed starts up to one step late, and the penetration of that step is not given
// back: both are proportional to dt and to the speed.
TEST(BouncingBall, ApexHeightsTendToTheGeometricSeriesWithOrderOne) {
  for (const double step : {1e-3, 1e-4, 1e-5}) {
    const ModelRun run = run_example("bouncing_ball", {fmt::format("step={} s", step)}, {"bounce.gap"});
    const double speed = kGravity * kFall;
    for (std::size_t k = 1; k <= 3; ++k) {
      const double exact = std::pow(kRestitution, 2 * static_cast<double>(k)) * kHeight;
      EXPECT_NEAR(apex(run, k), exact, speed * step) << "apex " << k << ", step " << step;
      if (k == 1 && step == kStep) expect_benchmark("ball: height of first rebound e^2 h", exact, apex(run, k));
    }
  }
}

TEST(BouncingBall, InfinitelyManyImpactsEndInRest) {
  const ModelRun run = run_example("bouncing_ball");
  // The eighth arc is the last that rises above 10 um: from its apex it falls back to them.
  const double h8 = std::pow(kRestitution, 16) * kHeight, v8 = std::sqrt(2 * kGravity * h8);
  const double passage = impact_time(8) + v8 / kGravity + std::sqrt(2 * (h8 - 1e-5) / kGravity);
  double last_above = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (run["bounce.gap"][i] > 1e-5) last_above = run.time()[i];
  }
  expect_benchmark("ball: last time with y > 1e-5 (arc 8)", passage, last_above);
  // Rest comes early: the last small rebounds cannot leave the penetration of their impact step.
  expect_benchmark("ball: Zeno time sqrt(2h/g)(1+e)/(1-e)", kFall * (1 + kRestitution) / (1 - kRestitution),
                   start_of_rest(run));
  EXPECT_LT(start_of_rest(run), kFall * (1 + kRestitution) / (1 - kRestitution));
}

TEST(BouncingBall, RestingImpulseCarriesTheWeight) {
  const ModelRun run = run_example("bouncing_ball");
  expect_benchmark("ball: resting impulse / dt", kGravity, run["bounce.normal_impulse"].back() / kStep);
  // The law holds for slow approaches too, v <- -e v in every step: after 60 steps nothing is left of the last one.
  const double settled = start_of_rest(run) + 60 * kStep;
  Worst impulse, speed, gap;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (run.time()[i] < settled) continue;
    impulse(run["bounce.normal_impulse"][i] / kStep - kGravity);
    speed(run["ball.vy"][i]);
    gap(run["bounce.gap"][i] - run["bounce.gap"].back());
  }
  EXPECT_LT(impulse.value, 1e-10);
  EXPECT_LT(speed.value, 1e-15);
  EXPECT_LT(gap.value, 1e-15);  // it neither sinks nor rises
  EXPECT_LT(run.summary.max_penetration_m, kGravity * kFall * kStep);
}

TEST(BouncingBall, LedgerAccountsForEveryLoss) {
  const ModelRun run = run_example("bouncing_ball");
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-11);
  // All that falls is lost in impacts, up to the depth at which the ball rests.
  EXPECT_NEAR(run["energy.impact_loss"].back(), kGravity * (kHeight - run["bounce.gap"].back()), 1e-11);
  EXPECT_EQ(run["energy.friction_loss"].back(), 0);
}

// With e = 1 the impulse only mirrors the velocity: what the midpoint rule conserves, the impact does too.
TEST(BouncingBall, ElasticBallKeepsItsHeight) {
  const ModelRun run = run_example("bouncing_ball", {"restitution=1", "duration=20 s", "step=1 ms"},
                                   {"bounce.gap", "energy.total", "energy.impact_loss"});
  ASSERT_GE(run.record.impacts.size(), 22u);
  for (std::size_t k = 1; k + 1 < run.record.impacts.size(); ++k)
    EXPECT_NEAR(apex(run, k), kHeight, kGravity * 1e-6 / 8 + 1e-11) << k;  // the apex may lie between two rows
  EXPECT_LT(largest(run["energy.impact_loss"]), 1e-12);
  EXPECT_LT(std::abs(run["energy.total"].back() - run["energy.total"].front()), 1e-11);
}

// The step that starts at the height y <= v dt ends at y + e v dt, that is (1 + e) y too high: the arc takes up to
// (1 + e)/e dt longer and ends faster by g (1 + e)/e dt, for which the next arc takes 2 (1 + e) dt longer, and so on.
double latest_anticipated(int k) {
  constexpr double e = kRestitution;
  double late = 0.5, from_before = 0;  // in steps
  for (int arc = 1; arc < k; ++arc) {
    late += (1 + e) / e + from_before;
    from_before = e * from_before + 2 * (1 + e);
  }
  return late * kStep;
}

// The threshold must exceed the speed of two steps of fall, 2 mm/s: a faster approach is an impact.
TEST(BouncingBall, AnticipatedActivationLetsNothingPenetrate) {
  const ModelRun run =
      run_example("bouncing_ball", {"simulate.activation=anticipated", "simulate.impact_threshold=5 mm/s"});
  EXPECT_LT(run.summary.max_penetration_m, 1e-15);
  ASSERT_GE(run.record.impacts.size(), 8u);
  for (int k = 1; k <= 4; ++k) {
    const double late = run.record.impacts[static_cast<std::size_t>(k - 1)].time_s - impact_time(k);
    EXPECT_GE(late, -kStep / 2) << k;
    EXPECT_LE(late, latest_anticipated(k)) << k;
  }
  for (std::size_t i = run.rows() - 1000; i < run.rows(); ++i) {
    ASSERT_NEAR(run["bounce.normal_impulse"][i] / kStep, kGravity, 1e-10);
    ASSERT_EQ(run["bounce.gap"][i], 0);  // it rests on the floor, not in it
  }
}

TEST(BouncingBall, ProjectionBoundsThePenetration) {
  const ModelRun run = run_example("bouncing_ball", {"simulate.projection=1 um"});
  EXPECT_LE(run.summary.max_penetration_m, 1e-6 + 1e-12);
  ASSERT_GE(run.record.impacts.size(), 8u);
  for (int k = 1; k <= 4; ++k)
    EXPECT_NEAR(run.record.impacts[static_cast<std::size_t>(k - 1)].time_s, impact_time(k), k * kStep) << k;
  for (std::size_t i = run.rows() - 1000; i < run.rows(); ++i) {
    ASSERT_NEAR(run["bounce.normal_impulse"][i] / kStep, kGravity, 1e-9);
    ASSERT_NEAR(run["bounce.gap"][i], run["bounce.gap"].back(), 1e-15);
  }
}

}  // namespace
}  // namespace freeplay::test::bouncing_ball_test

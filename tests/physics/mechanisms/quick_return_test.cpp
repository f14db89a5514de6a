// The quick-return mechanism of Flores and Ambrosio (2010): its ideal joints against the closed-form kinematics and an
// independent dynamics, its first impacts against an independent implementation. Everything later is chaotic: see
// physics_slow/quick_return_ensemble_test.cpp.
#include <algorithm>
#include <array>

#include "physics/csv_table.h"
#include "physics/model_run.h"

namespace freeplay::test {
namespace {

const Overrides kTight = {"simulate.relative_tolerance=1e-13", "simulate.absolute_tolerance=1e-12"};

ModelRun ideal_turn() {
  return run_example("quick_return", {"joints=ideal", "duration=2*pi/crank_speed", "simulate.max_step=1 ms"});
}

TEST(QuickReturnIdeal, MovesAndReactsAsTheReference) {
  const CsvTable reference = read_csv("compliant/quick_return_ideal.csv");
  const ModelRun run =
      run_example("quick_return", {"joints=ideal", "duration=2*pi/crank_speed", "simulate.step=2*pi/crank_speed/120"});
  std::size_t compared = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const auto& times = reference.at("t");
    const auto found =
        std::find_if(times.begin(), times.end(), [&](double t) { return std::abs(t - run.time()[i]) < 1e-8; });
    if (found == times.end()) continue;
    const std::size_t k = static_cast<std::size_t>(found - times.begin());
    EXPECT_NEAR(run["slider.x"][i], reference.at("x6")[k], 1e-8) << run.time()[i];  // nine digits in the file
    EXPECT_NEAR(run["slider.vx"][i], reference.at("v6")[k], 1e-7) << run.time()[i];
    for (const char* joint : {"1", "2", "3", "4"}) {
      const double size =
          std::hypot(run[std::string("J") + joint + ".force_x"][i], run[std::string("J") + joint + ".force_y"][i]);
      const double expected =
          std::hypot(reference.at(std::string("F") + joint + "x")[k], reference.at(std::string("F") + joint + "y")[k]);
      EXPECT_NEAR(size, expected, 1e-5 * std::max(1.0, expected)) << "J" << joint << " at " << run.time()[i];
    }
    ++compared;
  }
  EXPECT_GE(compared, 121u);
}

TEST(QuickReturnIdeal, StrokeSpeedsReactionsAndTorque) {
  const ModelRun run = ideal_turn();
  const auto range = [&](const char* channel) {
    const auto [least, most] = std::minmax_element(run[channel].begin(), run[channel].end());
    return std::pair{*least, *most};
  };
  // Sampled every millisecond: a smooth extremum is missed by at most the curvature times step^2/8.
  EXPECT_NEAR(range("slider.x").first, -0.131208454, 1e-6);
  EXPECT_NEAR(range("slider.x").second, 0.368791546, 1e-6);
  EXPECT_NEAR(range("slider.vx").first, -0.513886, 1e-5);
  EXPECT_NEAR(range("slider.vx").second, 1.521035, 1e-5);
  EXPECT_NEAR(range("motor.torque").first, -4.03929, 2e-4);
  EXPECT_NEAR(range("motor.torque").second, 3.55163, 2e-4);
  double torque = 0, backwards_s = 0;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const double dt = run.time()[i] - run.time()[i - 1];
    torque += 0.5 * (run["motor.torque"][i] + run["motor.torque"][i - 1]) * dt / run.time().back();
    backwards_s += run["slider.vx"][i] < 0 ? dt : 0;
  }
  EXPECT_NEAR(torque, 0, 1e-4);
  EXPECT_NEAR(backwards_s / run.time().back(), 2.0 / 3, 1e-3);  // the slow way; in rows of a millisecond
  const std::array<double, 4> peaks = {41.585, 54.693, 5.8096, 6.4447}, means = {15.810, 18.745, 2.2618, 1.8987};
  for (std::size_t j = 0; j < 4; ++j) {
    const std::string joint = "J" + std::to_string(j + 1);
    double peak = 0, integral = 0;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const auto size = [&](std::size_t k) {
        return std::hypot(run[joint + ".force_x"][k], run[joint + ".force_y"][k]);
      };
      peak = std::max(peak, size(i));
      if (i > 0) integral += 0.5 * (size(i) + size(i - 1)) * (run.time()[i] - run.time()[i - 1]);
    }
    EXPECT_NEAR(peak, peaks[j], 1e-3 * peaks[j]) << joint;
    EXPECT_NEAR(integral / run.time().back(), means[j], 1e-3 * means[j]) << joint;
  }
}

ModelRun first_impacts(const Overrides& more) {
  Overrides overrides = {"duration=0.03 s"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return run_example("quick_return", overrides, {"slider.x", "slider.vx", "energy.drift"});
}

void expect_first_impacts(const ModelRun& run, double early_s, double early_m_s, double late_s) {
  const CsvTable reference = read_csv("compliant/quick_return_first_impacts.csv");
  std::vector<ImpactRecord> impacts = run.record.impacts;  // in the order in which they end
  std::sort(impacts.begin(), impacts.end(), [](const auto& a, const auto& b) { return a.time_s < b.time_s; });
  ASSERT_GE(impacts.size(), 8u);
  for (std::size_t k = 0; k < 8; ++k) {
    SCOPED_TRACE(k + 1);
    EXPECT_EQ(impacts[k].contact + 1, static_cast<int>(reference.at("joint")[k]));
    EXPECT_NEAR(impacts[k].time_s, reference.at("t")[k], k < 3 ? early_s : late_s);
    if (k < 3) {
      EXPECT_NEAR(-impacts[k].normal_velocity_before, reference.at("impact_speed")[k], early_m_s);
    }
  }
}

TEST(QuickReturn, FirstEightImpactsAreThoseOfTheReference) {
  const ModelRun run = first_impacts(kTight);
  expect_first_impacts(run, 1e-9, 1e-6, 5e-7);
  EXPECT_LT(run.summary.largest_initial_penetration_m, 1e-12);
}

TEST(QuickReturn, CvodeFindsTheSameImpacts) {
  for (const char* integrator : {"cvode-adams", "cvode-bdf"}) {
    SCOPED_TRACE(integrator);
    Overrides overrides = kTight;
    overrides.push_back(std::string("simulate.integrator=") + integrator);
    expect_first_impacts(first_impacts(overrides), 1e-9, 1e-6, 5e-7);
  }
}

TEST(QuickReturn, ProcedureTwoFindsThemWithinItsDepth) {
  Overrides overrides = kTight;
  overrides.push_back("penetration_control=procedure-2");
  const ModelRun run = first_impacts(overrides);
  expect_first_impacts(run, 1e-7, 1e-5, 5e-6);
  EXPECT_LE(run.summary.largest_initial_penetration_m, 1e-8);
}

TEST(QuickReturn, StatesBeforeItBecomesChaotic) {
  Overrides overrides = kTight;
  overrides.push_back("simulate.step=10 ms");
  overrides.push_back("duration=0.05 s");
  const ModelRun run = run_example("quick_return", overrides, {"slider.x", "slider.vx"});
  const auto at = [&](double t) {
    return static_cast<std::size_t>(
        std::find_if(run.time().begin(), run.time().end(), [&](double x) { return std::abs(x - t) < 1e-12; }) -
        run.time().begin());
  };
  EXPECT_NEAR(run["slider.x"][at(0.02)], 0.3382637865, 1e-8);
  EXPECT_NEAR(run["slider.vx"][at(0.02)], -0.265864019, 1e-6);
  EXPECT_NEAR(run["slider.x"][at(0.05)], 0.33009297, 1e-7);
  EXPECT_NEAR(run["slider.vx"][at(0.05)], -0.356953, 1e-5);
}

// Table of the integrator's statistics over the first 0.1 s, 38 or 39 contacts.
TEST(QuickReturn, TheSecantRefusesThreeTimesFewerStepsThanHalving) {
  const auto run = [](const char* control) {
    return run_example("quick_return",
                       {std::string("penetration_control=") + control, "duration=0.1 s", "simulate.max_step=10 ms",
                        "simulate.relative_tolerance=1e-13", "simulate.absolute_tolerance=1e-11",
                        "simulate.velocity_tolerance=1e-7"},
                       {"energy.drift"})
        .summary;
  };
  const RunSummary halving = run("procedure-2"), secant = run("secant"), chord = run("procedure-1"),
                   roots = run("roots");
  for (const RunSummary* summary : {&halving, &secant, &roots}) {
    EXPECT_NEAR(static_cast<double>(summary->contacts_begun), 38.5, 1);
    EXPECT_LE(summary->largest_initial_penetration_m, 1e-8);
    EXPECT_LT(std::abs(summary->energy_drift_J - summary->injected_energy_J), 1e-5);
  }
  EXPECT_GE(halving.rejected_by_contact, 3 * secant.rejected_by_contact);
  // The interpolation of procedure 1 destroys energy where another contact is active in the step.
  EXPECT_LT(chord.energy_drift_J, -1e-3);
  EXPECT_GT(chord.interpolated_starts, 38);
}

// The same file under set-valued laws: the slider stays as near to the ideal one as the play lets it.
TEST(QuickReturn, RunsUnderMoreauStepping) {
  const ModelRun run =
      run_example("quick_return", {"simulate.integrator=moreau-midpoint", "simulate.step=10 us", "duration=0.1 s"},
                  {"slider.x", "J1.gap", "J2.gap", "J3.gap", "J4.gap"});
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_GT(run.record.impacts.size(), 20u);
  EXPECT_NEAR(run.record.impacts[0].time_s, 0.0100954767, 2e-5);
  EXPECT_LT(run.summary.max_penetration_m, 1e-5);
}

}  // namespace
}  // namespace freeplay::test

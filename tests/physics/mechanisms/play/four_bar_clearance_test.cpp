// The four-bar linkage with play in the rocker's pin.
#include <complex>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::four_bar_clearance_test {
namespace {

using Complex = std::complex<double>;
constexpr double kBase = 0.3, kCrank = 0.1, kCoupler = 0.25, kRocker = 0.2, kClearance = 1e-4;  // of the example, m

// Angle of the rocker for a crank at theta, with a coupler of the given length (derived in four_bar_test.cpp).
double rocker_angle(double theta, double coupler = kCoupler) {
  const Complex A = std::polar(kCrank, theta);
  const double s = std::abs(kBase - A);
  const double psi =
      std::arg(kBase - A) + std::acos((coupler * coupler + s * s - kRocker * kRocker) / (2 * coupler * s));
  return std::arg(A + std::polar(coupler, psi) - kBase);
}

std::vector<double> deviation_from_ideal(const ModelRun& run) {
  std::vector<double> deviation(run.rows());
  for (std::size_t i = 0; i < run.rows(); ++i)
    deviation[i] = run["rocker.angle"][i] - rocker_angle(run["main_bearing.q"][i]);
  return deviation;
}

const std::vector<std::string> kMotion = {"main_bearing.q", "rocker.angle"};

TEST(FourBarClearance, OneWordTakesThePlayAway) {
  const ModelRun run = run_example("four_bar_clearance", {"joints.rockerpin.model=ideal", "step=0.1 ms"}, kMotion);
  EXPECT_EQ(run.contacts->point_count(), 0);
  EXPECT_LT(largest(deviation_from_ideal(run)), 1e-11);
}

TEST(FourBarClearance, JournalStaysInItsBearing) {
  const ModelRun run = run_example("four_bar_clearance");
  EXPECT_LT(run.summary.max_penetration_m, 1e-4 * kClearance);
  Worst gap;
  double largest_eccentricity = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double e = std::hypot(run["rockerpin.eccentricity_x"][i], run["rockerpin.eccentricity_y"][i]);
    largest_eccentricity = std::max(largest_eccentricity, e);
    gap(run["rockerpin.gap"][i] - (kClearance - e));
  }
  EXPECT_LE(largest_eccentricity, kClearance + run.summary.max_penetration_m + 1e-15);
  EXPECT_GT(largest_eccentricity, kClearance);  // it does use the play up
  EXPECT_LT(gap.value, 1e-15);
}

// Seen from the crankpin the rocker's pin is between c - clearance and c + clearance away: the rocker stands between
// the positions that it would have with a coupler that much shorter or longer.
TEST(FourBarClearance, RockerStaysBetweenTwoIdealLinkages) {
  const ModelRun run = run_example("four_bar_clearance", {}, kMotion);
  const double play = kClearance + run.summary.max_penetration_m;
  double closest_above = 1, closest_below = 1;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double theta = run["main_bearing.q"][i], chi = run["rocker.angle"][i];
    const double a = rocker_angle(theta, kCoupler - play), b = rocker_angle(theta, kCoupler + play);
    closest_above = std::min(closest_above, std::max(a, b) - chi);
    closest_below = std::min(closest_below, chi - std::min(a, b));
  }
  EXPECT_GT(closest_above, -1e-12);
  EXPECT_GT(closest_below, -1e-12);
  EXPECT_LT(closest_above, 1e-6);  // and it touches both sides
  EXPECT_LT(closest_below, 1e-6);
}

TEST(FourBarClearance, TendsToTheIdealLinkageWithTheFirstPowerOfThePlay) {
  double previous = 0;
  for (const double clearance : {0.4e-3, 0.2e-3, 0.1e-3, 0.05e-3}) {
    const ModelRun run =
        run_example("four_bar_clearance", {fmt::format("clearance={} m", clearance), "step=20 us"}, kMotion);
    const double deviation = largest(deviation_from_ideal(run));
    if (previous > 0) {
      EXPECT_NEAR(std::log2(previous / deviation), 1, 0.01) << clearance;
    }
    previous = deviation;
  }
}

TEST(FourBarClearance, MotionConvergesWithTheStep) {
  const auto final_half = [](const char* step) {
    const ModelRun run = run_example("four_bar_clearance", {step, "turns=1.5"}, kMotion);
    return run["rocker.angle"].back();
  };
  const double fine = final_half("step=5 us");
  EXPECT_NEAR(final_half("step=20 us"), fine, 2e-6);  // the play moves it by 6e-4
  EXPECT_NEAR(final_half("step=10 us"), fine, 1e-6);
}

TEST(FourBarClearance, LedgerClosesWithOrderOne) {
  const std::vector<std::string> energies = {"energy.total", "energy.input", "energy.impact_loss",
                                             "energy.friction_loss", "energy.drift"};
  double previous = 0;
  for (const char* step : {"step=20 us", "step=10 us", "step=5 us"}) {
    const ModelRun run = run_example("four_bar_clearance", {step}, energies);
    const double lost = run["energy.impact_loss"].back() + run["energy.friction_loss"].back();
    const double drift = run["energy.drift"].back();
    // What drift is, from the other columns.
    EXPECT_NEAR(run["energy.total"].back() - run["energy.total"].front() - run["energy.input"].back() + lost, drift,
                1e-12);
    EXPECT_LT(std::abs(drift), 0.02 * lost) << step;
    EXPECT_GT(run["energy.input"].back(), 0.9 * lost) << step;  // after two turns the motor has paid for the losses
    if (previous > 0) {
      EXPECT_NEAR(previous / drift, 2, 0.1) << step;
    }
    previous = drift;
  }
}

// Friction in a pin without play turns against the joint's rate with mu/sqrt(1 + mu^2) R |F|: the resultant F of normal
// and friction force touches the friction circle. F and the rate are those of the ideal linkage.
TEST(FourBarClearance, FrictionLossIsThatOfTheFrictionCircle) {
  const ModelRun ideal = run_example("four_bar", {"simulate.step=2*pi/speed/1440"});
  double work = 0;
  std::vector<double> power(ideal.rows());
  for (std::size_t i = 0; i < ideal.rows(); ++i) {
    const double F = std::hypot(ideal["rockerpin.force_x"][i], ideal["rockerpin.force_y"][i]);
    power[i] = 0.1 / std::hypot(1, 0.1) * 0.01 * F * std::abs(ideal["rockerpin.u"][i]);
    if (i > 0) work += (ideal.time()[i] - ideal.time()[i - 1]) * (power[i - 1] + power[i]) / 2;
  }
  const ModelRun run = run_example("four_bar_clearance", {"clearance=25 um", "step=10 us"}, {"energy.friction_loss"});
  EXPECT_NEAR(run["energy.friction_loss"].back(), work, 0.015 * work);
}

}  // namespace
}  // namespace freeplay::test::four_bar_clearance_test

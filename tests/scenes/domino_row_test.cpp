// The wave of falling dominoes against a computation of its own: J. M. J. van Leeuwen, "The domino effect", American
// Journal of Physics 78 (2010) 721: dominoes that turn about their lower front edges, lean on the next one without
// friction, and meet it without rebound. All that lean move with one degree of freedom:
//     h sin(theta_i - theta_{i+1}) = p cos theta_{i+1} - d
// (h height, d thickness, p spacing); their energy is conserved between two collisions, and the momentum that belongs
// to the one degree of freedom in a collision, with the next domino at rest before it.
#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test::domino_row_test {
namespace {

struct DominoRow {
  double h = 0.048, d = 0.0075, p = 0.025, g = 9.81;

  double inertia() const { return (h * h + d * d) / 3; }  // about the edge, per mass
  double angle_of_collision() const { return std::asin((p - d) / h); }

  struct Lean {
    double inertia = 0, potential = 0;  // per mass, for the foremost angle
  };
  Lean lean(double foremost, int count) const {
    Lean sum;
    double angle = foremost, rate = 1;  // of the foremost
    for (int i = 0; i < count; ++i) {
      sum.inertia += inertia() * rate * rate;
      sum.potential += g * (h * std::cos(angle) + d * std::sin(angle)) / 2;
      const double s = (p * std::cos(angle) - d) / h;
      rate *= 1 - p * std::sin(angle) / h / std::sqrt(1 - s * s);
      angle += std::asin(s);
    }
    return sum;
  }

  // When each domino is struck, the first one being pushed at time 0.
  std::vector<double> times(int count, double push) const {
    constexpr int kSteps = 400;  // midpoint rule, whose error is 1e-6 of an interval
    std::vector<double> struck = {0};
    const double end = angle_of_collision();
    double omega = push;
    for (int n = 1; n < count; ++n) {
      const Lean start = lean(0, n);
      const double energy = start.inertia * omega * omega / 2 + start.potential;
      double time = 0;
      for (int k = 0; k < kSteps; ++k) {
        const Lean now = lean(end * (k + 0.5) / kSteps, n);
        time += end / kSteps / std::sqrt(2 * (energy - now.potential) / now.inertia);
      }
      struck.push_back(struck.back() + time);
      const Lean last = lean(end, n);
      omega = last.inertia * std::sqrt(2 * (energy - last.potential) / last.inertia) / (last.inertia + inertia());
    }
    return struck;
  }
};

constexpr int kDominoes = 16;

std::vector<double> simulated_times(double step_s) {
  std::vector<std::string> angles;
  for (int i = 1; i < kDominoes; ++i) angles.push_back(fmt::format("domino_{}.angle", i));
  const ModelRun run =
      run_example("domino_row",
                  {fmt::format("count={}", kDominoes), "grip=5", "slip=0", "restitution=0",
                   fmt::format("simulate.step={:.17g} s", step_s), "simulate.duration=0.68 s", "record=[energy.total]"},
                  angles);
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  std::vector<double> struck = {0};
  for (const std::string& angle : angles) {
    std::size_t row = 0;
    while (row < run.rows() && !(run[angle][row] < -1e-7)) ++row;
    struck.push_back(row < run.rows() ? run.time()[row] : std::nan(""));
  }
  return struck;
}

TEST(DominoRow, RunsAtTheSpeedOfVanLeeuwensComputation) {
  const std::vector<double> expected = DominoRow{}.times(kDominoes, 3);
  for (const double step : {4e-4, 2e-4}) {
    const std::vector<double> found = simulated_times(step);
    Worst worst;
    for (std::size_t i = 0; i < expected.size(); ++i) worst(found[i] - expected[i]);
    // A blow is felt in the row after it, and each of them comes up to a step late.
    EXPECT_LT(worst.value, 6 * step) << step;
    const double speed = 0.025 * 5 / (found[15] - found[10]),
                 speed_expected = 0.025 * 5 / (expected[15] - expected[10]);
    EXPECT_NEAR(speed, speed_expected, 0.02 * speed_expected) << step;
  }
}

}  // namespace
}  // namespace freeplay::test::domino_row_test

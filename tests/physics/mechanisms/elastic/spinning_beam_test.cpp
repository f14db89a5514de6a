// A beam that is spun up, against an elastica with exact rotations (tests/reference/elastic/spin_up.py): a route
// without floating frame, modes and foreshortening.
#include <cmath>

#include "physics/csv_table.h"
#include "physics/model_run.h"

namespace freeplay::test::spinning_beam_test {
namespace {

double largest_error(const CsvTable& reference, const std::vector<double>& time, const std::vector<double>& tip) {
  Worst worst;
  std::size_t row = 0;
  for (std::size_t i = 0; i < reference.at("time_s").size(); ++i) {
    const double t = reference.at("time_s")[i];
    if (t > time.back() + 1e-9) break;
    while (row + 1 < time.size() && time[row] < t - 1e-9) ++row;
    EXPECT_NEAR(time[row], t, 1e-9);
    worst(tip[row] - reference.at("tip_deflection_m")[i]);
  }
  return worst.value;
}

struct Comparison {
  double most_m, error_m;
};
Comparison compare_with(const std::string& file, const Overrides& words) {
  const CsvTable reference = read_csv(file);
  const ModelRun run = run_example("spinning_beam", words, {"beam.deflection_2"});
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  return {largest(reference.at("tip_deflection_m")), largest_error(reference, run.time(), run["beam.deflection_2"])};
}

// 49.44 mm at most. The floating frame leaves terms of third order in the deflection w/L out, so that the relative
// error is of the second: 0.3 % here, whatever the number of modes, and less with the square of a smaller deflection.
TEST(SpinningBeam, DeflectsAsAnElasticaWithExactRotations) {
  const Overrides words = {"simulate.step=20 ms", "bodies.beam.elastic.bending_modes=6"};
  const Comparison fast = compare_with("elastic/spin_up.csv", words);
  EXPECT_NEAR(fast.most_m, 0.04944, 1e-5);
  EXPECT_LT(fast.error_m, 0.003 * fast.most_m);
  const Comparison slow = compare_with("elastic/slow_spin_up.csv", {words[0], words[1], "spin_up=4 s"});
  const double order = std::log(fast.error_m / slow.error_m) / std::log(fast.most_m / slow.most_m);
  EXPECT_NEAR(order, 3, 0.15);
}

// Four and ten times as fast as its first frequency, 35.16 rad/s: the beam stays with its axis.
TEST(SpinningBeam, DoesNotBendAwayAtHighSpeed) {
  const double lag_m[] = {0.046, 0.076};
  for (const double speed : {140.0, 350.0}) {
    const ModelRun run =
        run_example("spinning_beam", {fmt::format("speed={} rad/s", speed), "spin_up=4 s", "duration=5 s"},
                    {"beam.deflection_2", "energy.drift", "energy.kinetic"});
    EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
    EXPECT_NEAR(largest(run["beam.deflection_2"]), lag_m[speed > 200 ? 1 : 0], 1e-3) << speed;
    EXPECT_LT(largest(run["energy.drift"]), 1e-9 * largest(run["energy.kinetic"])) << speed;
    Worst after;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      if (run.time()[i] > 4) after(run["beam.deflection_2"][i]);
    }
    EXPECT_LT(after.value, 1e-4) << speed;
  }
}

}  // namespace
}  // namespace freeplay::test::spinning_beam_test

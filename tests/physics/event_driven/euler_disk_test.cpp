// Euler's disk: steady rolling in closed form, and the slow fall of Moffatt (2000).
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::euler_disk_test {
namespace {

constexpr double kRadius_m = 37.5e-3, kRim_m = 0.1e-3, kMass_kg = 0.4;

// Height of the centre over the plane is radius sin(alpha) + rim.
double sine_of_tilt(const ModelRun& run, std::size_t row) {
  return (run["disk.z"][row] - kRim_m) / kRadius_m;
}

// omega is parallel to the line from contact to centre; the torque of the weight turns the angular momentum at the
// rate of precession (docs/examples/euler_disk.md). Nothing changes but the direction.
TEST(EulersDisk, RollsSteadilyWithoutLosses) {
  for (const double tilt_deg : {12.0, 40.0}) {
    for (const char* rim : {"rim=0.1 mm", "rim=4 mm"}) {
      SCOPED_TRACE(fmt::format("{} deg, {}", tilt_deg, rim));
      const ModelRun run =
          run_example("euler_disk", {fmt::format("tilt={} deg", tilt_deg), rim, "viscosity=0 Pa s", "duration=0.5 s"});
      EXPECT_LT(largest(run["disk.x"]), 1e-9);
      EXPECT_LT(largest(run["disk.y"]), 1e-9);
      Worst height, energy;
      for (std::size_t row = 0; row < run.rows(); ++row) {
        height(run["disk.z"][row] - run["disk.z"][0]);
        energy(run["energy.total"][row] - run["energy.total"][0]);
      }
      EXPECT_LT(height.value, 1e-9);
      EXPECT_LT(energy.value, 1e-8);
      EXPECT_EQ(run.summary.impacts, 0);
    }
  }
}

// Thin rim: omega^2 = 4 g sin(alpha)/a and E = 3/2 m g a sin(alpha). The fluid takes pi mu g a^2/sin^2(alpha), so that
// sin^3(alpha) falls along a straight line, 2 pi mu a/m per second, to a finite end.
TEST(EulersDisk, FallsWithTheCubeRootOfTheTimeLeft) {
  const ModelRun run = run_example("euler_disk", {}, {"disk.z"});
  const double start = std::pow(sine_of_tilt(run, 0), 3);
  const double rate = 2 * std::numbers::pi * 0.004 * kRadius_m / kMass_kg;
  Worst deviation;
  for (std::size_t row = 0; row < run.rows(); ++row)
    deviation(std::pow(sine_of_tilt(run, row), 3) - (start - rate * run.time()[row]));
  // It nods about that line, and the fluid turns it a little about its axis as well, which the formula leaves out.
  EXPECT_LT(deviation.value, 0.02 * start);
  EXPECT_LT(start - rate * run.time().back(), 0.5 * start);
}

}  // namespace
}  // namespace freeplay::test::euler_disk_test

// The chimney damper (docs/examples/chimney_damper.md): amplitudes of the chimney cycle by cycle, and the values of an
// independent event-driven program for them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "physics/model_run.h"

namespace freeplay::test::chimney_damper {

constexpr double kFrequency_Hz = 0.76;
constexpr double kDisplacement_m = 0.1;

inline std::string cycles(int count) {
  return fmt::format("simulate.duration={}/0.76 Hz", count);
}

// A_N/x0 of the cycles N = 1, 2, ...: A_N is the largest |x| in [(N-1)/f, N/f]. At the ends of a cycle the row is
// interpolated, so that any grid of rows will do.
inline std::vector<double> amplitudes(const ModelRun& run) {
  const std::vector<double>&t = run.time(), &x = run["chimney.x"];
  std::vector<double> found;
  double largest_x = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double end_s = static_cast<double>(found.size() + 1) / kFrequency_Hz;
    if (t[i] < end_s - 1e-9) {
      largest_x = std::max(largest_x, std::abs(x[i]));
      continue;
    }
    const double part = (end_s - t[i - 1]) / (t[i] - t[i - 1]);
    const double at_end = std::abs(x[i - 1] + part * (x[i] - x[i - 1]));
    found.push_back(std::max(largest_x, at_end) / kDisplacement_m);
    largest_x = std::max(at_end, std::abs(x[i]));
  }
  return found;
}

constexpr std::array<std::size_t, 8> kCycles = {2, 3, 5, 10, 15, 20, 30, 50};

struct ChimneyCase {
  const char* name;
  std::vector<std::string> overrides;
  std::array<double, kCycles.size()> amplitudes;  // of kCycles, rounded to four digits
};

inline const std::vector<ChimneyCase>& linear_cases() {
  static const std::vector<ChimneyCase> cases = {
      {"locked", {"plates=0", "locked=1"}, {.9878, .9758, .9521, .8955, .8422, .7921, .7050, .5551}},
      {"no_plates", {"plates=0"}, {.7665, .4078, .9707, .9423, .8563, .6791, .4214, .6850}},
      {"viscous", {"plates=0", "pendulum_damping=607.72926 N s/m"}, {.8116, .4751, .0667, .0095, .0021, .0004, 0, 0}}};
  return cases;
}

inline const std::vector<ChimneyCase>& plate_cases() {
  static const std::vector<ChimneyCase> cases = {
      {"1_plate", {"plates=1"}, {.7730, .3232, .3552, .2280, .2142, .1889, .1459, .1312}},
      {"2_plates", {"plates=2"}, {.7781, .3227, .4485, .1315, .0368, .0399, .0382, .0308}},
      {"3_plates", {"plates=3"}, {.7762, .3197, .4050, .1685, .0536, .0282, .0211, .0347}},
      {"4_plates", {"plates=4"}, {.7742, .3164, .3948, .1742, .0690, .0336, .0173, .0346}},
      {"5_plates", {"plates=5"}, {.7742, .3166, .3916, .1807, .0814, .0380, .0149, .0352}},
      {"6_plates", {"plates=6"}, {.7742, .3166, .3896, .1823, .0880, .0420, .0146, .0358}},
      {"4_plates_that_rebound",
       {"plates=4", "restitution=0.3"},
       {.7762, .3275, .3857, .1677, .0663, .0333, .0174, .0343}}};
  return cases;
}

// The amplitudes of a case, as far as the run goes, within `tolerance` of those of the other program.
inline void expect_amplitudes(const ChimneyCase& of, std::vector<std::string> overrides, double tolerance) {
  overrides.insert(overrides.begin(), of.overrides.begin(), of.overrides.end());
  const std::vector<double> found = amplitudes(run_example("chimney_damper", overrides, {"chimney.x"}));
  ASSERT_GE(found.size(), kCycles.front());
  for (std::size_t i = 0; i < kCycles.size() && kCycles[i] <= found.size(); ++i)
    EXPECT_NEAR(found[kCycles[i] - 1], of.amplitudes[i], tolerance) << of.name << ", cycle " << kCycles[i];
}

}  // namespace freeplay::test::chimney_damper

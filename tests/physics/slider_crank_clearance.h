// Runs of examples/slider_crank.yaml and what its tests ask of them. Angles are absolute, corners count from 0:
// 0 = (-a, +b), 1 = (+a, +b) at the upper surface of the guide, 2 = (-a, -b), 3 = (+a, -b) at the lower one.
#pragma once

#include <algorithm>
#include <numbers>

#include "physics/flores_2010.h"
#include "physics/model_run.h"

namespace freeplay::test {

inline const std::vector<std::string> kMotionChannels = {"crank.angle", "rod.angle",    "slider.angle", "crank.omega",
                                                         "rod.omega",   "slider.omega", "guide.gap_1",  "guide.gap_2",
                                                         "guide.gap_3", "guide.gap_4"};

inline Vec3 angles(const ModelRun& run, std::size_t row) {
  return {run["crank.angle"][row], run["rod.angle"][row], run["slider.angle"][row]};
}
inline Vec3 rates(const ModelRun& run, std::size_t row) {
  return {run["crank.omega"][row], run["rod.omega"][row], run["slider.omega"][row]};
}
inline Vec4 gaps(const ModelRun& run, std::size_t row) {
  return {run["guide.gap_1"][row], run["guide.gap_2"][row], run["guide.gap_3"][row], run["guide.gap_4"][row]};
}

inline ModelRun run_slider_crank(const flores::Parameters& p, int steps, Overrides more = {},
                                 const std::vector<std::string>& channels = kMotionChannels) {
  Overrides overrides = p.overrides(steps);
  overrides.insert(overrides.end(), more.begin(), more.end());
  return run_example("slider_crank", overrides, channels);
}

// Where the crank has completed some turns: the state, interpolated linearly between two rows, and its energy.
struct Passage {
  std::size_t row = 0;  // the first one behind it
  double time = 0, crank_omega = 0, energy = 0;
};
inline const std::vector<std::string> kPassageChannels = {"crank.angle", "rod.angle", "slider.angle",
                                                          "crank.omega", "rod.omega", "slider.omega"};

inline Passage passage(const flores::Parameters& p, const ModelRun& run, int turns) {
  const std::vector<double>& angle = run["crank.angle"];
  const double wanted = 2 * std::numbers::pi * turns;
  const auto found = std::find_if(angle.begin(), angle.end(), [&](double x) { return x >= wanted; });
  if (found == angle.end() || found == angle.begin()) {
    ADD_FAILURE() << "the crank does not complete " << turns << " turns";
    return {};
  }
  const std::size_t i = static_cast<std::size_t>(found - angle.begin());
  const double s = (wanted - angle[i - 1]) / (angle[i] - angle[i - 1]);
  const Vec3 q = (1 - s) * angles(run, i - 1) + s * angles(run, i);
  const Vec3 u = (1 - s) * rates(run, i - 1) + s * rates(run, i);
  return {i, (1 - s) * run.time()[i - 1] + s * run.time()[i], u[0], flores::energy(p, q, u)};
}

}  // namespace freeplay::test

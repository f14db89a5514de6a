// Runs of examples/slider_crank.yaml and what its tests ask of them. Angles are absolute, corners count from 0:
// 0 = (-a, +b), 1 = (+a, +b) at the upper surface of the guide, 2 = (-a, -b), 3 = (+a, -b) at the lower one.
#pragma once

#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include "physics/model_run.h"
#include "physics/slider_crank/flores_2010.h"

namespace freeplay::test {

inline const std::vector<std::string> kMotionChannels = {"crank.angle", "rod.angle",    "slider.angle", "crank.omega",
                                                         "rod.omega",   "slider.omega", "guide.gap_1",  "guide.gap_2",
                                                         "guide.gap_3", "guide.gap_4"};

Vec3 angles(const ModelRun& run, std::size_t row);
Vec3 rates(const ModelRun& run, std::size_t row);
Vec4 gaps(const ModelRun& run, std::size_t row);

ModelRun run_slider_crank(const flores::Parameters& p, int steps, Overrides more = {},
                          const std::vector<std::string>& channels = kMotionChannels);

// Where the crank has completed some turns: the state, interpolated linearly between two rows, and its energy.
struct Passage {
  std::size_t row = 0;  // the first one behind it
  double time = 0, crank_omega = 0, energy = 0;
};
inline const std::vector<std::string> kPassageChannels = {"crank.angle", "rod.angle", "slider.angle",
                                                          "crank.omega", "rod.omega", "slider.omega"};

Passage passage(const flores::Parameters& p, const ModelRun& run, int turns);

}  // namespace freeplay::test

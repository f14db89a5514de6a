// How fast a tiny change of the start grows: the estimate of how far ahead a run can be predicted at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/study/trace.h"

namespace freeplay::study {

inline constexpr double kPartedDifference = 1e-3;  // of the motion

// Of the initial velocities of the twin, relatively. Contacts that are closed at the start draw the first one back
// where they take its velocities for rounding: then the second one is tried.
inline constexpr double kPerturbation = 1e-9, kLargerPerturbation = 1e-6;

struct PerturbationGrowth {
  double perturbation = kPerturbation;
  // Largest difference of any coordinate, as part of the range that the coordinate covers in the run (at least of 1e-4
  // of the largest range of its unit: what hardly moves must not decide); and its largest value so far. One entry per
  // row, those that interpolation between rows would hide left out.
  std::vector<double> time, difference, envelope;
  bool differs = false;  // false: the start was drawn back to what it was, or nothing can move
  double largest = 0;
  std::optional<double> rate_per_s;   // of exponential growth, fitted to the envelope below kPartedDifference
  std::optional<double> factor;       // last over first resolved difference
  std::optional<double> parted_at_s;  // the envelope reaches kPartedDifference
};

// `coordinates`: channels of both traces; those that do not move are left out.
PerturbationGrowth perturbation_growth(const Trace& reference, const Trace& twin,
                                       const std::vector<std::string>& coordinates);

std::string perturbation_text(const PerturbationGrowth& growth);  // "1e-9"

}  // namespace freeplay::study

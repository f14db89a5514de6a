// Reactions of joints and efforts of drivers as means over a window, and their peaks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "freeplay/simulation/forces/force_peaks.h"
#include "freeplay/simulation/forces/force_window.h"
#include "freeplay/simulation/forces/sliding_sums.h"

namespace freeplay::simulation {

class ReactionWindows {
 public:
  ReactionWindows() = default;
  ReactionWindows(const std::vector<ChannelInfo>& channels, const ForceWindow& window);

  bool spans_steps() const { return window_.steps > 1; }
  const ForcePeaks& peaks() const { return peaks_; }
  // `values`: in the last step, which ended at t; they become the means over the window. A step of size 0 is the row
  // before the first one, which keeps them.
  void after_step(double t, double step_s, std::span<double> values);

  void forget();
  std::vector<double> memory() const;
  // False if the numbers are not those of such windows.
  [[nodiscard]] bool set_memory(std::span<const double> numbers);

 private:
  void note(double t, double window_s, std::span<const double> means);

  ForceWindow window_;
  SlidingSums sums_;
  std::vector<double> impulses_;
  std::vector<std::vector<std::size_t>> elements_;  // the channels whose vector is the force; in the order of peaks_
  ForcePeaks peaks_;
};

}  // namespace freeplay::simulation

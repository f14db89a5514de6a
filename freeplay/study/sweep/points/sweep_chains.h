// The order in which the points of a study are run. Where an attractor is followed, each run begins in the state in
// which its neighbour along the first axis has ended: these runs are a chain, one after the other. Otherwise each run
// is a chain of its own, and all can run at the same time.
#pragma once

#include <cstdint>
#include <string>

#include "freeplay/study/sweep/points/sweep_points.h"

namespace freeplay::study {

enum class Follow : std::uint8_t { kNone, kUp, kDown, kBoth };
// "", "up", "down", "both". Throws ModelError with the place "--follow".
Follow parse_follow(const std::string& text);

class SweepChains {
 public:
  // Throws ModelError where nothing can be followed: samples, or words on the first axis.
  SweepChains(const SweepPoints& points, Follow follow);

  std::int64_t size() const { return count_ * length_; }  // runs
  std::int64_t count() const { return count_; }           // chains
  std::int64_t length() const { return length_; }         // runs of each

  // Number of a run in the study. A study that goes up and down has the points twice: first up, then down.
  std::int64_t index(std::int64_t chain, std::int64_t place) const;
  std::int64_t chain_of(std::int64_t index) const;
  std::int64_t point_of(std::int64_t index) const { return index % points_; }  // in SweepPoints
  bool has_directions() const { return follow_ == Follow::kBoth; }
  bool is_down(std::int64_t index) const { return index >= points_; }
  bool follows() const { return follow_ != Follow::kNone; }

 private:
  Follow follow_;
  std::int64_t points_, steps_ = 1;  // points of the study, and along the first axis
  std::int64_t count_, length_ = 1;
};

}  // namespace freeplay::study

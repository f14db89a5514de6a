// The points of a study: which values its parameters have in which run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "freeplay/study/sweep/points/sweep_axis.h"

namespace freeplay::study {

struct SweepSampling {
  enum class Kind : std::uint8_t { kGrid, kRandom, kLatinHypercube, kSobol, kMorris };
  Kind kind = Kind::kGrid;
  std::int64_t count = 0;  // of samples; of kSobol and kMorris: of blocks (sensitivity.h)
  std::uint64_t seed = 0;
};
// "random:1000", "lhs:100", "sobol:500", "morris:20"; "" is a grid. Throws ModelError with the place "--sample".
SweepSampling parse_sweep_sampling(const std::string& text, std::uint64_t seed);

// Morris's walks: parameters jump by two of four levels, which is 2/3 of a range and 1/2 of the probability.
inline constexpr int kMorrisLevels = 4, kMorrisJump = 2;

class SweepPoints {
 public:
  // Throws ModelError: no axis, one that is named twice, a grid of ranges without a count, samples of ranges with one,
  // a list for Morris's steps, more runs than 2^31 - 1.
  SweepPoints(std::vector<SweepAxis> axes, const SweepSampling& sampling);

  const std::vector<SweepAxis>& axes() const { return axes_; }
  const SweepSampling& sampling() const { return sampling_; }
  std::int64_t size() const { return size_; }
  bool is_grid() const { return sampling_.kind == SweepSampling::Kind::kGrid; }
  // Of a grid the last axis changes fastest. Depends on nothing but the index.
  std::vector<double> values(std::int64_t index) const;
  std::vector<std::string> overrides(std::int64_t index) const { return overrides_of(values(index)); }
  std::vector<std::string> overrides_of(const std::vector<double>& values) const;  // for ModelFamily::member

 private:
  void check_axes();
  void shuffle(std::size_t columns);
  double layered_number(std::size_t column, std::int64_t sample) const;
  std::vector<double> sobol_values(std::int64_t index) const;
  std::vector<double> morris_values(std::int64_t index) const;

  std::vector<SweepAxis> axes_;
  SweepSampling sampling_;
  std::int64_t size_ = 1;
  std::vector<std::vector<std::int32_t>> layers_;  // Latin hypercube: of each column and sample
};

}  // namespace freeplay::study

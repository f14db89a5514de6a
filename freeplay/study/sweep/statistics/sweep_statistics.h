// A measure as a distribution: what the runs of a sample say about all machines of a kind.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"

namespace freeplay::study {

// How a study was asked to sample, from its file.
struct StudySampling {
  std::string kind;  // "random", "lhs", "sobol", "morris"; "" of a grid
  std::uint64_t seed = 0;
  std::vector<std::string> ranges;  // names of the parameters of --over; the others are drawn from distributions
};
StudySampling sampling_of(const SweepTable& table);

struct MeasureDistribution {
  std::string measure, unit;
  std::int64_t runs = 0, left_out = 0;  // left out: without this measure
  double mean = 0, deviation = 0;
  double least = 0, p5 = 0, p25 = 0, median = 0, p75 = 0, p95 = 0, largest = 0;
  std::vector<std::int64_t>
      histogram;  // counts in parts of equal width from the least to the largest; one if all are equal
};

// Of all measures, from runs that were drawn independently: random and Latin-hypercube samples, of sobol:N its samples
// A and B. Empty of grids and of morris:N, and where no run has the measure.
std::vector<MeasureDistribution> distributions_of(const SweepTable& table);
nlohmann::ordered_json distributions_json(const std::vector<MeasureDistribution>& distributions);

// The value that a share p of the sorted numbers is below, between two of them by a straight line (as numpy does).
double sorted_percentile(std::span<const double> sorted, double p);

}  // namespace freeplay::study

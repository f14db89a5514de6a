// To which motion each run of a study has settled, told by its points in the section: basins of attraction.
#pragma once

#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"

namespace freeplay::study {

inline constexpr const char* kAttractorName = "attractor";  // of the map of basins, among the measures of a study

struct Attractor {
  int period = 0;              // how many points come again and again; 0: they do not
  std::vector<double> points;  // one after the other, each with the columns of the section but its time
  std::int64_t runs = 0;       // that have settled there
};

struct Attractors {
  std::vector<Attractor> list;  // in the order of the runs that came there first
  std::vector<int> of_row;      // place in the list; -1: fewer than two points
};

// Points are the same if they differ by less than `tolerance` of the range that all runs cover in each column. A run is
// periodic if its last half repeats what came before; all that are not count as one attractor. A range counts as at
// least 1e-4 of the largest value, and 1e-9 in SI units, so that of a column that is the same in all runs errors of
// integration tell nothing.
Attractors find_attractors(const SweepTable& table, double tolerance = 1e-3);

// "period 2: x = 0.31, 0.42 m", with so many of its points at most.
std::string attractor_text(const SweepTable& table, const Attractor& attractor, std::size_t most_points = 4);

}  // namespace freeplay::study

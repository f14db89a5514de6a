// Which runs and crossings a study's page shows where all of them would be too many. What is left out must leave no
// pattern behind: a grid stays a full grid, and every run that is shown has the last of its crossings without a gap, so
// that a motion of period two keeps both of its points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"

namespace freeplay::study {

// At most `most` of the given rows of the table, in their order: of a grid those of some values of its parameters, each
// with each; of anything else a choice by chance, the same every time.
std::vector<const SweepRow*> rows_that_fit(const SweepTable& table, const std::vector<const SweepRow*>& rows,
                                           std::size_t most);

struct CrossingPlace {
  std::size_t row = 0, first = 0;  // place in `rows`, and of the first number in that row's crossings
};
// At most about `most` crossings: the same number of the last ones of each row, or of some rows.
std::vector<CrossingPlace> crossings_that_fit(const SweepTable& table, const std::vector<const SweepRow*>& rows,
                                              std::size_t most);

}  // namespace freeplay::study

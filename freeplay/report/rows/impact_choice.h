// The impacts that a page lists: all of them, or the hardest.
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

struct ImpactChoice {
  std::int64_t total = 0;           // within the time asked for
  std::vector<ImpactRecord> shown;  // in the order of time
};

// Those with from_s <= time <= to_s; where there are more than `most`, those with the largest normal impulses. Reads
// the table in pieces.
ImpactChoice choose_impacts(const ResultReader& result, double from_s, double to_s, std::size_t most);

// Indices of impacts, the hardest first.
std::vector<std::size_t> hardest_first(const std::vector<ImpactRecord>& impacts);

}  // namespace freeplay::report

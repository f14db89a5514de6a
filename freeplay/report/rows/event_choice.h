// The events of contacts that a page shows: all of a part of the time, or none.
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

struct EventChoice {
  std::int64_t total = 0;          // within the time asked for
  std::vector<EventRecord> shown;  // in the order of the file
};

// Those with from_s <= time <= to_s, and before them of each contact the last one that says which mode it has there.
// None where there are more than `most` within that time: a sequence of modes with holes would be a wrong one. Reads
// the table in pieces.
EventChoice choose_events(const ResultReader& result, double from_s, double to_s, std::size_t most);

}  // namespace freeplay::report

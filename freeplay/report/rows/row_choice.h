// Which rows of a long result a picture or a page shows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

// Rows first, first + 1, ..., first + count - 1.
struct RowRange {
  std::int64_t first = 0, count = 0;
  std::int64_t end() const { return first + count; }
};

// Ascending, at most `most` (but the first and the last row in any case). All rows if there are no more than that.
// Otherwise the first and the last one, the rows of interest, which are given in the order of their importance, as far
// as half of `most` goes, and for the rest rows at equal distances.
std::vector<std::int64_t> choose_rows(RowRange range, std::span<const std::int64_t> of_interest, std::int64_t most);

// Rows with from_s <= time <= to_s, and one more on either side so that curves reach the border.
RowRange rows_between(const ResultReader& result, double from_s, double to_s);

// For each of the ascending times the first row of the range that is not before it; range.end() if there is none.
// Reads the times in pieces.
std::vector<std::int64_t> rows_at(const ResultReader& result, RowRange range, std::span<const double> times_s);

// `count` rows at about equal distances in time: steps may have any size, but a film runs evenly. Ascending, unique.
std::vector<std::int64_t> rows_of_film(const ResultReader& result, std::int64_t count);

// A channel or the time at ascending rows. What lies between them is read along where that is quicker than seeking.
std::vector<double> read_time_at(const ResultReader& result, std::span<const std::int64_t> rows);
std::vector<double> read_channel_at(const ResultReader& result, std::string_view channel,
                                    std::span<const std::int64_t> rows);

}  // namespace freeplay::report

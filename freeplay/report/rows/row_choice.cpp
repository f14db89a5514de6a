#include "freeplay/report/rows/row_choice.h"

#include <algorithm>
#include <cmath>

namespace freeplay::report {

namespace {

constexpr std::int64_t kBlockRows = 65'536;  // 512 kB, whatever the size of the file
constexpr std::int64_t kSeekRows = 8'192;    // fewer rows are read sooner than skipped

using ReadRows = std::function<void(std::int64_t first, std::span<double> out)>;

std::vector<double> read_at(const ReadRows& read, std::span<const std::int64_t> rows) {
  std::vector<double> values, block;
  values.reserve(rows.size());
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    const std::int64_t first = rows[begin];
    for (end = begin + 1; end < rows.size(); ++end) {
      if (rows[end] - rows[end - 1] > kSeekRows || rows[end] - first >= kBlockRows) break;
    }
    block.resize(static_cast<std::size_t>(rows[end - 1] - first + 1));
    read(first, block);
    for (std::size_t i = begin; i < end; ++i) values.push_back(block[static_cast<std::size_t>(rows[i] - first)]);
  }
  return values;
}

double time_of(const ResultReader& result, std::int64_t row) {
  double time = 0;
  result.read_time(row, {&time, 1});
  return time;
}

// The first row for which time >= t (or time > t if `beyond`); times do not decrease.
std::int64_t first_row_from(const ResultReader& result, double t, bool beyond) {
  std::int64_t low = 0, high = result.rows();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const double time = time_of(result, middle);
    if (beyond ? time > t : time >= t)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

void sort_and_unite(std::vector<std::int64_t>& rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

}  // namespace

std::vector<std::int64_t> choose_rows(RowRange range, std::span<const std::int64_t> of_interest, std::int64_t most) {
  std::vector<std::int64_t> rows;
  if (range.count <= std::max<std::int64_t>(most, 2)) {
    for (std::int64_t row = range.first; row < range.end(); ++row) rows.push_back(row);
    return rows;
  }
  for (const std::int64_t row : of_interest) {
    if (static_cast<std::int64_t>(rows.size()) >= most / 2) break;
    if (row >= range.first && row < range.end()) rows.push_back(row);
  }
  sort_and_unite(rows);
  const std::int64_t even = std::max<std::int64_t>(most - static_cast<std::int64_t>(rows.size()), 2);
  for (std::int64_t i = 0; i < even; ++i) {
    // In floating point, as the product may not fit into 64 bits; the ends are exact.
    const double part = static_cast<double>(i) / static_cast<double>(even - 1);
    rows.push_back(range.first + std::llround(part * static_cast<double>(range.count - 1)));
  }
  sort_and_unite(rows);
  return rows;
}

RowRange rows_between(const ResultReader& result, double from_s, double to_s) {
  const std::int64_t first = std::max<std::int64_t>(first_row_from(result, from_s, false) - 1, 0);
  const std::int64_t end = std::min(first_row_from(result, to_s, true) + 1, result.rows());
  return {first, std::max<std::int64_t>(end - first, 0)};
}

std::vector<std::int64_t> rows_at(const ResultReader& result, RowRange range, std::span<const double> times_s) {
  std::vector<std::int64_t> found;
  found.reserve(times_s.size());
  std::vector<double> block;
  for (std::int64_t first = range.first; first < range.end() && found.size() < times_s.size(); first += kBlockRows) {
    const std::int64_t count = std::min(kBlockRows, range.end() - first);
    // A block that ends before the next time holds nothing of interest.
    if (time_of(result, first + count - 1) < times_s[found.size()]) continue;
    block.resize(static_cast<std::size_t>(count));
    result.read_time(first, block);
    while (found.size() < times_s.size() && times_s[found.size()] <= block.back()) {
      const auto row = std::lower_bound(block.begin(), block.end(), times_s[found.size()]);
      found.push_back(first + (row - block.begin()));
    }
  }
  found.resize(times_s.size(), range.end());
  return found;
}

std::vector<std::int64_t> rows_of_film(const ResultReader& result, std::int64_t count) {
  const RowRange all{0, result.rows()};
  if (all.count <= count) return choose_rows(all, {}, count);
  const double from = time_of(result, 0), to = time_of(result, all.count - 1);
  std::vector<double> times;
  for (std::int64_t i = 0; i < count; ++i) {
    const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
    times.push_back(i + 1 < count ? from + part * (to - from) : count > 1 ? to : from);
  }
  std::vector<std::int64_t> rows = rows_at(result, all, times);
  for (std::int64_t& row : rows) row = std::min(row, all.count - 1);
  if (count > 1) rows.back() = all.count - 1;
  sort_and_unite(rows);
  return rows;
}

std::vector<double> read_time_at(const ResultReader& result, std::span<const std::int64_t> rows) {
  return read_at([&](std::int64_t first, std::span<double> out) { result.read_time(first, out); }, rows);
}

std::vector<double> read_channel_at(const ResultReader& result, std::string_view channel,
                                    std::span<const std::int64_t> rows) {
  return read_at([&](std::int64_t first, std::span<double> out) { result.read_channel(channel, first, out); }, rows);
}

}  // namespace freeplay::report

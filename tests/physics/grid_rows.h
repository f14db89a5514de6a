// Rows at the multiples of a time, of runs whose other rows are where their integrator and their events put them.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace freeplay::test {

// The last row of each instant, so that of an event it is the state after it.
inline std::vector<std::size_t> rows_at_multiples(const std::vector<double>& time, double step) {
  std::vector<std::size_t> rows;
  long last = -1;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const long multiple = std::lround(time[i] / step);
    if (std::abs(time[i] - static_cast<double>(multiple) * step) > 1e-9 * step) continue;
    if (multiple == last)
      rows.back() = i;
    else
      rows.push_back(i);
    last = multiple;
  }
  return rows;
}

}  // namespace freeplay::test

#include "freeplay/study/sweep/points/lane_order.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace freeplay::study {

std::vector<std::size_t> order_of_likeness(const std::vector<std::vector<double>>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t parameters = values.empty() ? 0 : std::min<std::size_t>(values.front().size(), 32);
  if (parameters == 0) return order;
  const int bits = static_cast<int>(std::min<std::size_t>(16, 63 / parameters));
  std::vector<std::uint64_t> codes(values.size(), 0);
  for (std::size_t k = 0; k < parameters; ++k) {
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    for (const std::vector<double>& point : values) {
      least = std::fmin(least, point[k]);
      largest = std::fmax(largest, point[k]);
    }
    if (!(largest > least)) continue;
    const double cells = std::ldexp(1.0, bits) - 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double share = (values[i][k] - least) / (largest - least);
      const auto cell = static_cast<std::uint64_t>(share >= 0 ? share * cells : 0);
      for (int bit = 0; bit < bits; ++bit)
        codes[i] |= (cell >> bit & 1) << (static_cast<std::size_t>(bit) * parameters + k);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return codes[a] < codes[b]; });
  return order;
}

}  // namespace freeplay::study

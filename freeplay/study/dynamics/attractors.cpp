#include "freeplay/study/dynamics/attractors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::study {

namespace {

// What runs differ by less is the error of integration, and of zeros that are located: of the largest value of a
// column, and, for values that are zero but for rounding (the place at an impact on a wall), in SI units.
constexpr double kLeastRange = 1e-4, kLeastRange_SI = 1e-9;

class AttractorFinder {
 public:
  AttractorFinder(const SweepTable& table, double tolerance)
      : table_(table), tolerance_(tolerance), width_(table.header.section.size()), ranges_(width_, 0) {
    for (std::size_t c = 1; c < width_; ++c) {
      double low = std::numeric_limits<double>::infinity(), high = -low, largest = 0;
      for (const SweepRow& row : table.rows) {
        for (std::size_t i = c; i < row.crossings.size(); i += width_) {
          low = std::min(low, row.crossings[i]);
          high = std::max(high, row.crossings[i]);
          largest = std::max(largest, std::abs(row.crossings[i]));
        }
      }
      ranges_[c] = std::max({high - low, kLeastRange * largest, kLeastRange_SI});
    }
  }

  Attractors find() {
    Attractors found;
    for (const SweepRow& row : table_.rows) {
      const std::size_t count = table_.crossing_count(row);
      if (count < 2) {
        found.of_row.push_back(-1);
        continue;
      }
      Attractor own = attractor_of(row, count);
      const auto known = std::find_if(found.list.begin(), found.list.end(),
                                      [&](const Attractor& other) { return are_same(own, other); });
      found.of_row.push_back(static_cast<int>(known - found.list.begin()));
      if (known == found.list.end())
        found.list.push_back(std::move(own));
      else
        ++known->runs;
    }
    return found;
  }

 private:
  bool is_near(const double* a, const double* b, std::size_t first) const {
    for (std::size_t c = first; c < width_; ++c) {
      if (!(std::abs(a[c - first] - b[c - first]) <= tolerance_ * ranges_[c])) return false;
    }
    return true;
  }

  Attractor attractor_of(const SweepRow& row, std::size_t count) const {
    Attractor own;
    own.runs = 1;
    const auto point = [&](std::size_t k) { return row.crossings.data() + k * width_ + 1; };
    for (std::size_t period = 1; period <= count / 2; ++period) {
      bool repeats = true;
      for (std::size_t k = count / 2; k < count && repeats; ++k) repeats = is_near(point(k), point(k - period), 1);
      if (!repeats) continue;
      own.period = static_cast<int>(period);
      for (std::size_t k = count - period; k < count; ++k)
        own.points.insert(own.points.end(), point(k), point(k) + width_ - 1);
      break;
    }
    return own;
  }

  // Whichever of the points came last in the two runs.
  bool are_same(const Attractor& a, const Attractor& b) const {
    if (a.period != b.period) return false;
    const auto period = static_cast<std::size_t>(a.period), columns = width_ - 1;
    for (std::size_t shift = 0; shift < period; ++shift) {
      bool fits = true;
      for (std::size_t k = 0; k < period && fits; ++k)
        fits = is_near(&a.points[k * columns], &b.points[(k + shift) % period * columns], 1);
      if (fits) return true;
    }
    return period == 0;
  }

  const SweepTable& table_;
  double tolerance_;
  std::size_t width_;
  std::vector<double> ranges_;
};

}  // namespace

Attractors find_attractors(const SweepTable& table, double tolerance) {
  return AttractorFinder(table, tolerance).find();
}

std::string attractor_text(const SweepTable& table, const Attractor& attractor, std::size_t most_points) {
  if (attractor.period == 0) return "not periodic";
  const std::vector<SweepColumn>& section = table.header.section;
  const std::size_t columns = section.size() - 1;
  const SweepColumn& first = section.at(1);
  std::string text = fmt::format("period {}: {} =", attractor.period, first.name);
  for (std::size_t k = 0; k < static_cast<std::size_t>(attractor.period) && k < most_points; ++k)
    text += fmt::format("{} {:.4g}", k > 0 ? "," : "", attractor.points[k * columns]);
  if (static_cast<std::size_t>(attractor.period) > most_points) text += ", ...";
  return first.unit == "1" ? text : text + " " + first.unit;
}

}  // namespace freeplay::study

#include "freeplay/math/expressions/sampled_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/core/error.h"
#include "freeplay/math/recording/recorded_functions.h"

namespace freeplay::math {

namespace {

// Solves a tridiagonal system whose diagonal dominates; row i reads below[i] s_{i-1} + diagonal[i] s_i + above[i]
// s_{i+1}.
std::vector<double> solve_tridiagonal(const std::vector<double>& below, std::vector<double> diagonal,
                                      const std::vector<double>& above, std::vector<double> right) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = below[i] / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    right[i] -= factor * right[i - 1];
  }
  right[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) right[i] = (right[i] - above[i] * right[i + 1]) / diagonal[i];
  return right;
}

// Rounding of a time that was summed up in steps must not leave the table.
constexpr double kRoundingOfEnds = 1e-9;

}  // namespace

SampledFunction::Problem SampledFunction::problem_of(const std::vector<double>& x, const std::vector<double>& y,
                                                     Interpolation interpolation, Outside outside) {
  FREEPLAY_ASSERT(x.size() == y.size());
  if (x.size() < 2)
    return {fmt::format("has {} sample{}, but needs two at least", x.size(), x.size() == 1 ? "" : "s"),
            "a constant needs no table", 0};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      return {fmt::format("sample {} is not a finite number", i + 1), "delete the sample, or mend it", i};
    if (i > 0 && x[i] <= x[i - 1])
      return {fmt::format("sample {} is at {:.6g}, but the one before it at {:.6g}", i + 1, x[i], x[i - 1]),
              "sort the samples; each place may stand there once", i};
  }
  const bool must_meet = outside == Outside::kRepeat && interpolation == Interpolation::kCubic;
  if (must_meet && y.front() != y.back())
    return {fmt::format("repeats, but begins with {:.6g} and ends with {:.6g}", y.front(), y.back()),
            "a cubic that repeats ends with the value it begins with; or use 'interpolation: linear'", x.size() - 1};
  return {};
}

SampledFunction::SampledFunction(std::vector<double> x, std::vector<double> y, Interpolation interpolation,
                                 Outside outside)
    : x_(std::move(x)), y_(std::move(y)), interpolation_(interpolation), outside_(outside) {
  FREEPLAY_ASSERT(problem_of(x_, y_, interpolation_, outside_).empty());
  if (interpolation_ != Interpolation::kCubic) return;
  if (outside_ == Outside::kRepeat)
    find_periodic_slopes();
  else
    find_slopes();
}

// Continuity of the curvature at every inner sample gives, with h_i = x_{i+1} - x_i and the chords' slopes d_i,
//   h_i s_{i-1} + 2 (h_{i-1} + h_i) s_i + h_{i-1} s_{i+1} = 3 (h_i d_{i-1} + h_{i-1} d_i).
// At the ends the third derivative is continuous over the first inner sample as well ("not a knot"), so that a cubic
// is met exactly. Three samples give a parabola, two a line.
void SampledFunction::find_slopes() {
  const std::size_t n = x_.size();
  const auto h = [&](std::size_t i) { return x_[i + 1] - x_[i]; };
  const auto d = [&](std::size_t i) { return (y_[i + 1] - y_[i]) / h(i); };
  if (n == 2) {
    slopes_ = {d(0), d(0)};
    return;
  }
  if (n == 3) {
    const double curvature = (d(1) - d(0)) / (x_[2] - x_[0]);
    slopes_ = {d(0) - curvature * h(0), d(0) + curvature * h(0), d(1) + curvature * h(1)};
    return;
  }
  std::vector<double> below(n, 0.0), diagonal(n), above(n, 0.0), right(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    below[i] = h(i);
    diagonal[i] = 2 * (h(i - 1) + h(i));
    above[i] = h(i - 1);
    right[i] = 3 * (h(i) * d(i - 1) + h(i - 1) * d(i));
  }
  const double first = x_[2] - x_[0], last = x_[n - 1] - x_[n - 3];
  diagonal[0] = h(1);
  above[0] = first;
  right[0] = ((h(0) + 2 * first) * h(1) * d(0) + h(0) * h(0) * d(1)) / first;
  diagonal[n - 1] = h(n - 3);
  below[n - 1] = last;
  right[n - 1] = (h(n - 2) * h(n - 2) * d(n - 3) + (2 * last + h(n - 2)) * h(n - 3) * d(n - 2)) / last;
  slopes_ = solve_tridiagonal(below, std::move(diagonal), above, std::move(right));
}

// The same equations with indices modulo n - 1. The two corners of the matrix are of rank one, put back by the formula
// of Sherman and Morrison.
void SampledFunction::find_periodic_slopes() {
  const std::size_t n = x_.size() - 1;
  const auto h = [&](std::size_t i) { return x_[i % n + 1] - x_[i % n]; };
  const auto d = [&](std::size_t i) { return (y_[i % n + 1] - y_[i % n]) / h(i); };
  if (n <= 2) {  // the neighbours on both sides are the same sample
    slopes_.assign(n + 1, n == 1 ? 0 : (h(1) * d(0) + h(0) * d(1)) / (h(0) + h(1)));
    return;
  }
  std::vector<double> below(n), diagonal(n), above(n), right(n), z(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double before = h(i + n - 1);
    below[i] = h(i);
    diagonal[i] = 2 * (before + h(i));
    above[i] = before;
    right[i] = 3 * (h(i) * d(i + n - 1) + before * d(i));
  }
  const double top = below[0], bottom = above[n - 1], gamma = -diagonal[0];
  diagonal[0] -= gamma;
  diagonal[n - 1] -= top * bottom / gamma;
  z[0] = gamma;
  z[n - 1] = bottom;
  slopes_ = solve_tridiagonal(below, diagonal, above, std::move(right));
  z = solve_tridiagonal(below, diagonal, above, std::move(z));
  const double share = (slopes_[0] + top / gamma * slopes_[n - 1]) / (1 + z[0] + top / gamma * z[n - 1]);
  for (std::size_t i = 0; i < n; ++i) slopes_[i] -= share * z[i];
  slopes_.push_back(slopes_[0]);
}

SampledFunction::Piece SampledFunction::piece(std::size_t i) const {
  if (interpolation_ == Interpolation::kHold) return {x_[i], y_[i], 0, 0, 0};
  const double h = x_[i + 1] - x_[i], chord = (y_[i + 1] - y_[i]) / h;
  if (interpolation_ == Interpolation::kLinear) return {x_[i], y_[i], chord, 0, 0};
  // With the slope s_i at its beginning and s_{i+1} at its end.
  return {x_[i], y_[i], slopes_[i], (3 * chord - 2 * slopes_[i] - slopes_[i + 1]) / h,
          (slopes_[i] + slopes_[i + 1] - 2 * chord) / (h * h)};
}

SampledFunction::Jet SampledFunction::on_interval(std::size_t i, double x) const {
  const Piece p = piece(i);
  const double r = x - p.from;
  return {p.y + r * (p.a + r * (p.b + r * p.c)), p.a + r * (2 * p.b + 3 * r * p.c), 2 * p.b + 6 * r * p.c};
}

// A motion that ends with its table is still under way there.
SampledFunction::Jet SampledFunction::at_end(bool is_first) const {
  if (is_first) return on_interval(0, x_.front());
  if (interpolation_ == Interpolation::kHold) return {y_.back(), 0, 0};
  Jet jet = on_interval(x_.size() - 2, x_.back());
  jet.value = y_.back();
  return jet;
}

SampledFunction::Jet SampledFunction::at(double x) const {
  if (!std::isfinite(x)) return {x, x, x};
  const double first = x_.front(), last = x_.back();
  if (outside_ == Outside::kRepeat) {
    const double period = last - first;
    x = first + std::fmod(x - first, period);
    if (x < first) x += period;
    if (x >= last) x = first;  // by rounding
  } else if (x < first || x >= last) {
    const double beyond = x < first ? first - x : x - last;
    if (beyond <= kRoundingOfEnds * (last - first)) return at_end(x < first);
    if (outside_ == Outside::kStop) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      return {none, none, none};
    }
    return {x < first ? y_.front() : y_.back(), 0, 0};
  }
  const auto after = std::upper_bound(x_.begin(), x_.end(), x);
  return on_interval(static_cast<std::size_t>(after - x_.begin()) - 1, x);
}

// Within rounding of an end, at() returns the end's value; here the outermost piece is continued.
Recorded SampledFunction::record(const Recorded& x) const {
  constexpr double kFarthest = 1e300;
  const double first = x_.front(), last = x_.back(), rounding = kRoundingOfEnds * (last - first);
  const Recorded below = first - x - rounding, above = x - last - rounding;
  Recorded at = x;
  if (outside_ == Outside::kRepeat) {
    const Recorded wrapped = first + Tape::binary(ExpressionOp::kMod, x - first, last - first);
    at = where_positive(last - wrapped, wrapped, first);
  } else {
    at = where_positive(below, first, where_positive(above, last, x));
  }
  struct RecordedPiece {
    Recorded from, y, a, b, c;
  };
  // Among the pieces first ... end - 1, by halves.
  const auto choose = [&](const auto& self, std::size_t begin, std::size_t end) -> RecordedPiece {
    if (end - begin == 1) {
      const Piece p = piece(begin);
      return {p.from, p.y, p.a, p.b, p.c};
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const RecordedPiece left = self(self, begin, middle), right = self(self, middle, end);
    const Recorded before = x_[middle] - at;
    return {where_positive(before, left.from, right.from), where_positive(before, left.y, right.y),
            where_positive(before, left.a, right.a), where_positive(before, left.b, right.b),
            where_positive(before, left.c, right.c)};
  };
  const RecordedPiece p = choose(choose, 0, x_.size() - 1);
  const Recorded r = at - p.from;
  Recorded value = p.y + r * (p.a + r * (p.b + r * p.c));
  if (interpolation_ == Interpolation::kHold && outside_ != Outside::kRepeat)
    value = where_positive(last - x, value, y_.back());
  // No value is not a number: the root of what is below 0.
  if (outside_ == Outside::kStop)
    value = where_positive(below, sqrt(-below), where_positive(above, sqrt(-above), value));
  // Of an argument that is none, nothing else.
  return where_positive(kFarthest - abs(x), value, x);
}

double SampledFunction::next_place(double x, bool to_the_right) const {
  const double first = x_.front(), last = x_.back(), period = last - first;
  const double turns = outside_ == Outside::kRepeat ? std::floor((x - first) / period) : 0;
  const double inside = x - turns * period;
  if (to_the_right) {
    const auto next = std::upper_bound(x_.begin(), x_.end(), inside);
    if (next != x_.end()) return *next + turns * period;
    return outside_ == Outside::kRepeat ? x_[1] + (turns + 1) * period : std::numeric_limits<double>::infinity();
  }
  const auto next = std::lower_bound(x_.begin(), x_.end(), inside);
  if (next != x_.begin()) return *(next - 1) + turns * period;
  return outside_ == Outside::kRepeat ? x_[x_.size() - 2] + (turns - 1) * period
                                      : -std::numeric_limits<double>::infinity();
}

}  // namespace freeplay::math

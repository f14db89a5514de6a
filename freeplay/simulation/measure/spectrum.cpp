#include "freeplay/simulation/measure/spectrum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

namespace freeplay::simulation {

namespace {

using Complex = std::complex<double>;
constexpr std::size_t kLeastSamples = 8;

// In place, by halves (Cooley and Tukey 1965); the length is a power of two.
void transform(std::vector<Complex>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length <<= 1) {
    const std::size_t half = length / 2;
    for (std::size_t k = 0; k < half; ++k) {
      // Each factor by itself: a product of factors would lose digits.
      const Complex factor =
          std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
      for (std::size_t i = k; i < n; i += length) {
        const Complex odd = factor * x[i + half];
        x[i + half] = x[i] - odd;
        x[i] += odd;
      }
    }
  }
}

// `count` values at equal distances, the first one at the first time, the last one a distance before the last time.
std::vector<double> resampled(std::span<const double> times_s, std::span<const double> values, std::size_t count) {
  std::vector<double> equal(count);
  const double step = (times_s.back() - times_s.front()) / static_cast<double>(count);
  std::size_t next = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = times_s.front() + static_cast<double>(i) * step;
    while (next + 1 < times_s.size() && times_s[next] < t) ++next;
    const double length = times_s[next] - times_s[next - 1];
    const double part = length > 0 ? (t - times_s[next - 1]) / length : 1;
    equal[i] = values[next - 1] + part * (values[next] - values[next - 1]);
  }
  return equal;
}

// Least squares: a + b i.
void take_line_away(std::vector<double>& x) {
  const double n = static_cast<double>(x.size()), middle = (n - 1) / 2;
  double sum = 0, moment = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i];
    moment += (static_cast<double>(i) - middle) * x[i];
  }
  const double slope = moment * 12 / (n * (n * n - 1));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= sum / n + slope * (static_cast<double>(i) - middle);
}

bool is_too_short(std::span<const double> times_s) {
  return times_s.size() < kLeastSamples || !(times_s.back() > times_s.front());
}

// Under a Hann window, without mean and drift; a power of two of them.
std::vector<Complex> lines_of_signal(std::span<const double> times_s, std::span<const double> values) {
  const std::size_t n = std::bit_ceil(times_s.size());
  std::vector<double> equal = resampled(times_s, values, n);
  take_line_away(equal);
  std::vector<Complex> lines(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    lines[i] = window * equal[i];
  }
  transform(lines);
  return lines;
}

}  // namespace

std::vector<SpectrumPeak> amplitude_spectrum(std::span<const double> times_s, std::span<const double> values) {
  std::vector<SpectrumPeak> spectrum;
  if (is_too_short(times_s)) return spectrum;
  const std::vector<Complex> lines = lines_of_signal(times_s, values);
  const double duration_s = times_s.back() - times_s.front();
  // Two lines of opposite frequency share a sine, and the window has a mean of one half.
  for (std::size_t k = 1; k < lines.size() / 2; ++k)
    spectrum.push_back(
        {static_cast<double>(k) / duration_s, 4 * std::abs(lines[k]) / static_cast<double>(lines.size())});
  return spectrum;
}

double highest_worth_showing(std::span<const SpectrumPeak> lines) {
  constexpr double kWorth = 0.01, kRoom = 1.5;  // of the largest line, and of the highest frequency that has so much
  constexpr std::size_t kFewLines = 40;
  double largest = 0;
  for (const SpectrumPeak& line : lines) largest = std::max(largest, line.amplitude);
  double highest = lines[std::min(lines.size(), kFewLines) - 1].frequency_Hz;
  for (const SpectrumPeak& line : lines) {
    if (line.amplitude >= kWorth * largest) highest = std::max(highest, kRoom * line.frequency_Hz);
  }
  return std::min(highest, lines.back().frequency_Hz);
}

SpectrumPeak spectrum_peak(std::span<const double> times_s, std::span<const double> values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (is_too_short(times_s)) return {kNone, kNone};
  const std::vector<Complex> lines = lines_of_signal(times_s, values);
  const std::size_t n = lines.size();
  std::size_t top = 1;
  for (std::size_t k = 2; k < n / 2; ++k) {
    if (std::norm(lines[k]) > std::norm(lines[top])) top = k;
  }
  const double peak = std::abs(lines[top]);
  if (!(peak > 0)) return {peak == 0 ? 0 : kNone, peak};
  // Of a sine at top + d the Hann window leaves, for n >> 1, the lines |X_k| = A n/4 |sin(pi (k - top - d)) /
  // (pi (k - top - d) (1 - (k - top - d)^2))|, so that the ratio r of the larger neighbour to the top is
  // (1 + |d|)/(2 - |d|).
  const double before = std::abs(lines[top - 1]), after = std::abs(lines[top + 1]);
  const double ratio = std::max(before, after) / peak;
  const double d = (2 * ratio - 1) / (ratio + 1);
  const double lobe = std::abs(d) < 1e-9 ? 1 : std::sin(std::numbers::pi * d) / (std::numbers::pi * d * (1 - d * d));
  const double duration_s = times_s.back() - times_s.front();
  return {(static_cast<double>(top) + (after >= before ? d : -d)) / duration_s,
          4 * peak / static_cast<double>(n) / lobe};
}

}  // namespace freeplay::simulation

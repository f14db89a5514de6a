#include "freeplay/simulation/measure/reduction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "freeplay/simulation/measure/spectrum.h"

namespace freeplay::simulation {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kHeadNumbers = 10;  // of write(), before the samples

// Between neighbours in order of size along a straight line.
double percentile_of_values(std::vector<double> values, double percent) {
  std::sort(values.begin(), values.end());
  const double place = percent / 100 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

// The time that x, a straight line from a to b, spends at or below `level`, as a part of the whole.
double part_below(double a, double b, double level) {
  const auto [low, high] = std::minmax(a, b);
  if (level >= high) return 1;
  return level < low ? 0 : (level - low) / (high - low);
}

// The same strictly below it: parts between levels that follow one another then add up to 1, also where x stands still.
double part_strictly_below(double a, double b, double level) {
  const auto [low, high] = std::minmax(a, b);
  if (!(high > low)) return low < level ? 1 : 0;
  return std::clamp((level - low) / (high - low), 0.0, 1.0);
}

// The least level at or below which x is for so much of the time. By bisection down to neighbouring numbers, which is
// exact also where x stands still; a sum of densities, sorted by level, loses all digits there.
double percentile_of_time(const std::vector<double>& times_s, const std::vector<double>& values, double percent) {
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  double low = *least, high = *largest;
  const double wanted_s = percent / 100 * (times_s.back() - times_s.front());
  const auto time_below = [&](double level) {
    double sum = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
      sum += (times_s[i] - times_s[i - 1]) * part_below(values[i - 1], values[i], level);
    return sum;
  };
  if (percent == 0 || time_below(low) >= wanted_s) return low;
  if (percent == 100) return high;
  for (double middle = std::midpoint(low, high); middle > low && middle < high; middle = std::midpoint(low, high))
    (time_below(middle) >= wanted_s ? high : low) = middle;
  return high;
}

}  // namespace

std::span<const ReductionFunction> reduction_functions() {
  using Kind = ReductionKind;
  static constexpr std::array<ReductionFunction, 18> kFunctions = {{
      {"initial", Kind::kInitial, "x", true},
      {"final", Kind::kFinal, "x", true},
      {"at", Kind::kAt, "xt", false},
      {"min", Kind::kMin, "x", true},
      {"max", Kind::kMax, "x", true},
      {"min_after", Kind::kMin, "xt", true},
      {"max_after", Kind::kMax, "xt", true},
      {"mean", Kind::kMean, "xT", true},
      {"rms", Kind::kRms, "xT", true},
      {"percentile", Kind::kPercentile, "xpT", true},
      {"peak_frequency", Kind::kPeakFrequency, "xT", false},
      {"peak_amplitude", Kind::kPeakAmplitude, "xT", false},
      {"sum", Kind::kSum, "xT", true},
      {"count", Kind::kCount, "iT", true},
      {"at_impact", Kind::kAtImpact, "xn", false},
      {"at_crossing", Kind::kAtCrossing, "xyn", false},
      {"share", Kind::kShare, "xlhT", false},
      {"bin", Kind::kShare, "xlhbkT", false},
  }};
  return kFunctions;
}

std::span<const ImpactQuantity> impact_quantities() {
  static constexpr std::array<ImpactQuantity, 8> kQuantities = {{
      {"normal_impulse", dimensions::kImpulse, &ImpactRecord::normal_impulse},
      {"tangential_impulse_1", dimensions::kImpulse, &ImpactRecord::tangential_impulse_1},
      {"tangential_impulse_2", dimensions::kImpulse, &ImpactRecord::tangential_impulse_2},
      {"normal_velocity_before", dimensions::kVelocity, &ImpactRecord::normal_velocity_before},
      {"normal_velocity_after", dimensions::kVelocity, &ImpactRecord::normal_velocity_after},
      {"tangential_velocity_before", dimensions::kVelocity, &ImpactRecord::tangential_velocity_before},
      {"tangential_velocity_after", dimensions::kVelocity, &ImpactRecord::tangential_velocity_after},
      {"energy_lost", dimensions::kEnergy, &ImpactRecord::energy_lost_J},
  }};
  return kQuantities;
}

Dimension Reduction::dimension() const {
  if (spec_.kind == ReductionKind::kCount) return {};
  return spec_.kind == ReductionKind::kPeakFrequency ? dimensions::kNone / dimensions::kTime : spec_.of.dimension();
}

void Reduction::begin() {
  value_ = last_ = last_s_ = last_y_ = count_ = 0;
  has_rows_ = is_done_ = false;
  times_.clear();
  samples_.clear();
}

void Reduction::add_row(std::span<const double> variables) {
  if (spec_.is_of_impacts) {
    last_s_ = variables[Expression::kTimeVariable];  // how far the run has come
    return;
  }
  const double x = spec_.of.evaluate(variables);
  if (spec_.kind == ReductionKind::kAtCrossing) look_for_crossing(x, spec_.crossing.evaluate(variables));
  // The row that ends the step in which the impact was.
  if (spec_.kind == ReductionKind::kAtImpact && !is_done_ && count_ >= spec_.number) {
    value_ = x;
    is_done_ = true;
  }
  add_value(variables[Expression::kTimeVariable], x);
}

void Reduction::add_impact(std::span<const double> variables, bool is_own) {
  if (spec_.kind == ReductionKind::kAtImpact) ++count_;
  if (!spec_.is_of_impacts || !is_own || variables[Expression::kTimeVariable] < spec_.from_s) return;
  add_value(variables[Expression::kTimeVariable], spec_.of.evaluate(variables));
}

void Reduction::look_for_crossing(double x, double y) {
  if (has_rows_ && !is_done_ && last_y_ < 0 && y >= 0 && ++count_ == spec_.number) {
    value_ = last_ + (x - last_) * (-last_y_ / (y - last_y_));
    is_done_ = true;
  }
  last_y_ = y;
}

// What x was at from_s, where that lies between the last row and this one.
double Reduction::value_at_start(double time_s, double x) const {
  return time_s > last_s_ ? last_ + (x - last_) * (spec_.from_s - last_s_) / (time_s - last_s_) : x;
}

void Reduction::add_value(double time_s, double x) {
  const bool counts = time_s >= spec_.from_s;
  switch (spec_.kind) {
    case ReductionKind::kInitial:
      if (!has_rows_) value_ = x;
      break;
    case ReductionKind::kFinal:
      value_ = x;
      break;
    case ReductionKind::kMin:
      if (counts) value_ = is_done_ ? std::min(value_, x) : x;
      is_done_ |= counts;
      break;
    case ReductionKind::kMax:
      if (counts) value_ = is_done_ ? std::max(value_, x) : x;
      is_done_ |= counts;
      break;
    case ReductionKind::kAt:
      if (!is_done_ && counts) {
        value_ = has_rows_ ? value_at_start(time_s, x) : x;
        is_done_ = true;
      }
      break;
    case ReductionKind::kMean:  // sums over impacts, integrals over time, with x along a straight line between rows
    case ReductionKind::kRms: {
      const bool is_square = spec_.kind == ReductionKind::kRms;
      if (spec_.is_of_impacts) {
        value_ += is_square ? x * x : x;
      } else if (has_rows_ && time_s > spec_.from_s) {
        const double begin_s = std::max(spec_.from_s, last_s_);
        const double a = last_s_ < spec_.from_s ? value_at_start(time_s, x) : last_;
        value_ += (is_square ? (a * a + a * x + x * x) / 3 : (a + x) / 2) * (time_s - begin_s);
      }
      break;
    }
    case ReductionKind::kShare:
      if (has_rows_ && time_s > spec_.from_s) {
        const double begin_s = std::max(spec_.from_s, last_s_);
        const double a = last_s_ < spec_.from_s ? value_at_start(time_s, x) : last_;
        const double part = part_strictly_below(a, x, spec_.number + 1) - part_strictly_below(a, x, spec_.number);
        value_ += part * (time_s - begin_s);
      }
      break;
    case ReductionKind::kSum:
      value_ += x;
      break;
    case ReductionKind::kPercentile:
    case ReductionKind::kPeakFrequency:
    case ReductionKind::kPeakAmplitude:
      if (counts) {
        times_.push_back(time_s);
        samples_.push_back(x);
      }
      break;
    case ReductionKind::kCount:
    case ReductionKind::kAtImpact:
    case ReductionKind::kAtCrossing:
      break;
  }
  if (spec_.is_of_impacts) ++count_;
  last_ = x;
  last_s_ = time_s;
  has_rows_ = true;
}

double Reduction::result() const {
  const bool is_over_time = spec_.kind != ReductionKind::kInitial && spec_.kind != ReductionKind::kFinal &&
                            spec_.kind != ReductionKind::kAt && spec_.kind != ReductionKind::kCount;
  if (is_over_time && is_of_a_closed_window()) return kNotKnown;
  switch (spec_.kind) {
    case ReductionKind::kSum:
      return spec_.from_s > last_s_ ? kNotKnown : value_;
    case ReductionKind::kCount:
      return spec_.from_s > last_s_ ? kNotKnown : count_;
    case ReductionKind::kInitial:
    case ReductionKind::kFinal:
      return has_rows_ ? value_ : kNotKnown;
    case ReductionKind::kMin:
    case ReductionKind::kMax:
    case ReductionKind::kAt:
    case ReductionKind::kAtImpact:
    case ReductionKind::kAtCrossing:
      return is_done_ ? value_ : kNotKnown;
    case ReductionKind::kMean:
    case ReductionKind::kShare:
    case ReductionKind::kRms: {
      const double over = spec_.is_of_impacts ? count_ : last_s_ - spec_.from_s;
      if (!has_rows_ || !(over > 0)) return kNotKnown;
      return spec_.kind == ReductionKind::kRms ? std::sqrt(value_ / over) : value_ / over;
    }
    case ReductionKind::kPercentile:
      return percentile();
    case ReductionKind::kPeakFrequency:
      return spectrum_peak(times_, samples_).frequency_Hz;
    case ReductionKind::kPeakAmplitude:
      return spectrum_peak(times_, samples_).amplitude;
  }
  return kNotKnown;
}

double Reduction::percentile() const {
  const bool is_finite = std::all_of(samples_.begin(), samples_.end(), [](double x) { return std::isfinite(x); });
  if (samples_.empty() || !is_finite) return kNotKnown;
  return spec_.is_of_impacts ? percentile_of_values(samples_, spec_.number)
                             : percentile_of_time(times_, samples_, spec_.number);
}

void Reduction::write(std::vector<double>& numbers) const {
  const std::array head = {static_cast<double>(samples_.size()),
                           spec_.from_s,
                           spec_.number,
                           value_,
                           last_,
                           last_s_,
                           last_y_,
                           count_,
                           has_rows_ ? 1.0 : 0.0,
                           is_done_ ? 1.0 : 0.0};
  static_assert(head.size() == kHeadNumbers);
  numbers.insert(numbers.end(), head.begin(), head.end());
  numbers.insert(numbers.end(), times_.begin(), times_.end());
  numbers.insert(numbers.end(), samples_.begin(), samples_.end());
}

bool Reduction::read(std::span<const double>& numbers) {
  if (numbers.size() < kHeadNumbers) return false;
  const double samples = numbers[0];
  const std::size_t rest = numbers.size() - kHeadNumbers;
  // The same text may mean another time, if a parameter has changed.
  if (!(samples >= 0) || 2 * samples > static_cast<double>(rest) || numbers[1] != spec_.from_s ||
      numbers[2] != spec_.number)
    return false;
  value_ = numbers[3];
  last_ = numbers[4];
  last_s_ = numbers[5];
  last_y_ = numbers[6];
  count_ = numbers[7];
  has_rows_ = numbers[8] != 0;
  is_done_ = numbers[9] != 0;
  numbers = numbers.subspan(kHeadNumbers);
  const auto take = [&](std::vector<double>& values) {
    const std::span<const double> own = numbers.first(static_cast<std::size_t>(samples));
    values.assign(own.begin(), own.end());
    numbers = numbers.subspan(own.size());
  };
  take(times_);
  take(samples_);
  return true;
}

}  // namespace freeplay::simulation

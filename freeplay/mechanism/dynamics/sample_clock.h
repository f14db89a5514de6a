// The instants of a sampled controller: k T at which values are taken, and k T + shift from which they act.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/mechanism/description/mechanism_spec.h"

namespace freeplay::mechanism {

class SampleClock {
 public:
  SampleClock(double period_s, double shift_s) : period_s_(period_s), shift_s_(shift_s) {}
  // At which values are taken.
  explicit SampleClock(const SamplingSpec& sampling) : SampleClock(sampling.period_s, 0) {}
  // At which they begin to act: the delay beyond whole periods counts, the periods are values that wait.
  static SampleClock acting(const SamplingSpec& sampling) {
    const double beyond_s = sampling.delay_s - whole_periods(sampling) * sampling.period_s;
    return {sampling.period_s, beyond_s > kWhole * sampling.period_s ? beyond_s : 0};
  }
  static int whole_periods(const SamplingSpec& sampling) {
    return static_cast<int>(std::floor(sampling.delay_s / sampling.period_s + kWhole));
  }

  double next_after(double t) const {
    const double periods = periods_at(t);
    return (std::floor(periods + rounding(periods)) + 1) * period_s_ + shift_s_;
  }
  bool is_at(double t) const {
    const double periods = periods_at(t);
    return std::abs(periods - std::round(periods)) <= rounding(periods);
  }

 private:
  static constexpr double kWhole = 1e-6;  // of a period: a delay that is as near to whole periods is meant to be whole
  double periods_at(double t) const { return (t - shift_s_) / period_s_; }
  // Of one instant that is computed in two ways. Steps end at what next_after() says, so that no more is needed; an
  // instant that is only close to a sample is another one, and the sample is still to come.
  static double rounding(double periods) {
    return 16 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(periods));
  }

  double period_s_, shift_s_;
};

}  // namespace freeplay::mechanism

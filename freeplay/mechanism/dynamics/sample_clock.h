// The instants of a sampled controller: k T at which values are taken, and k T + shift from which they act.
#pragma once

#include <cmath>

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
    return {sampling.period_s, beyond_s > kSame * sampling.period_s ? beyond_s : 0};
  }
  static int whole_periods(const SamplingSpec& sampling) {
    return static_cast<int>(std::floor(sampling.delay_s / sampling.period_s + kSame));
  }

  double next_after(double t) const {
    return (std::floor((t - shift_s_) / period_s_ + kSame) + 1) * period_s_ + shift_s_;
  }
  bool is_at(double t) const {
    const double periods = (t - shift_s_) / period_s_;
    return std::abs(periods - std::round(periods)) <= kSame;
  }

 private:
  static constexpr double kSame = 1e-6;  // of a period: multiples of a step and of the period differ by rounding
  double period_s_, shift_s_;
};

}  // namespace freeplay::mechanism

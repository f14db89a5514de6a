#include "freeplay/study/trace.h"

#include <algorithm>

namespace freeplay::study {

double value_at(const std::vector<double>& time, const std::vector<double>& values, double t) {
  const auto after = std::lower_bound(time.begin(), time.end(), t);
  if (after == time.begin()) return values.front();
  if (after == time.end()) return values.back();
  const std::size_t i = static_cast<std::size_t>(after - time.begin());
  const double span = time[i] - time[i - 1];
  const double weight = span > 0 ? (t - time[i - 1]) / span : 1;
  return values[i - 1] + weight * (values[i] - values[i - 1]);
}

double StudyRun::typical_step_s() const {
  if (traits.step_rule == StepRule::kFixed && options.step_s) return *options.step_s;
  return summary.steps > 0 ? summary.time_s / static_cast<double>(summary.steps) : 0;
}

}  // namespace freeplay::study

#include "freeplay/study/dynamics/growth_fit.h"

#include <fmt/format.h>

#include <cmath>

namespace freeplay::study {

namespace {

constexpr std::size_t kParts = 10;

}  // namespace

void GrowthFit::add(double logarithm, double duration_s) {
  growths_.push_back(logarithm);
  durations_.push_back(duration_s);
  sum_ += logarithm;
  sum_s_ += duration_s;
}

bool GrowthFit::is_enough() const {
  return growths_.size() >= kParts;
}

std::string GrowthFit::what_is_missing() const {
  return fmt::format("only {} intervals lie behind the transient: choose shorter ones or a longer run",
                     growths_.size());
}

double GrowthFit::slope() const {
  double t = 0, sum = 0, mean_t = 0, mean_sum = 0, tt = 0, ts = 0;
  const double count = static_cast<double>(growths_.size());
  for (const bool has_means : {false, true}) {
    t = sum = 0;
    for (std::size_t i = 0; i < growths_.size(); ++i) {
      t += durations_[i];
      sum += growths_[i];
      if (has_means) {
        tt += (t - mean_t) * (t - mean_t);
        ts += (t - mean_t) * (sum - mean_sum);
      } else {
        mean_t += t / count;
        mean_sum += sum / count;
      }
    }
  }
  return ts / tt;
}

double GrowthFit::error() const {
  const std::size_t count = growths_.size();
  const double rate = slope();
  double squares = 0;
  for (std::size_t part = 0; part < kParts; ++part) {
    double growth = 0, time_s = 0;
    for (std::size_t i = part * count / kParts; i < (part + 1) * count / kParts; ++i) {
      growth += growths_[i];
      time_s += durations_[i];
    }
    squares += std::pow(growth / time_s - rate, 2);
  }
  return std::sqrt(squares / static_cast<double>(kParts * (kParts - 1)));
}

}  // namespace freeplay::study

// The rate of an exponential growth that is known interval by interval.
#pragma once

#include <string>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::study {

class GrowthFit {
 public:
  void add(double logarithm, double duration_s);

  double mean() const { return sum_ / sum_s_; }  // 1/s
  bool is_enough() const;
  std::string what_is_missing() const;
  // Of the sum of all growths over time, fitted: a distance swings as the motion does, and a fit does not care in which
  // phase the run ends.
  double slope() const;
  double error() const;  // standard error, from the means of ten parts

 private:
  std::vector<double> growths_, durations_;
  double sum_ = 0, sum_s_ = 0;
};

}  // namespace freeplay::study

// A function of a whole run: makes one number of the values that an expression has at the rows, or at the impacts. What
// each means is said once, in docs/reference/expressions.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

enum class ReductionKind : std::uint8_t {
  kInitial,
  kFinal,
  kAt,
  kMin,
  kMax,
  kMean,
  kRms,
  kSum,
  kCount,
  kPercentile,
  kPeakFrequency,
  kPeakAmplitude,
  kAtImpact,
  kAtCrossing,
  kShare
};

// How a function is called. Letters of `arguments`: x an expression, y one that crosses zero, t a time, T a time that
// may be left out, p a number of percent, n a number that counts from 1, i the impacts, l and h limits of x, b into how
// many equal parts they are divided, k which of these, from 1.
struct ReductionFunction {
  std::string_view name;
  ReductionKind kind;
  std::string_view arguments;
  bool takes_impacts;  // x may be of the impacts instead of the rows
};
std::span<const ReductionFunction> reduction_functions();

// What an expression may name of an impact: "impact.normal_impulse". Variables 1, 2, ... of the expression, the time
// is 0.
struct ImpactQuantity {
  std::string_view name;
  Dimension dimension;
  double ImpactRecord::*member;
};
std::span<const ImpactQuantity> impact_quantities();

// What is asked for.
struct ReductionSpec {
  ReductionKind kind = ReductionKind::kFinal;
  Expression of, crossing;
  double from_s = 0;
  double number = 0;  // of percent, or which one; of kShare `of` counts equal parts, and this is where the part begins
  bool is_of_impacts = false;
  std::string element;  // whose impacts; empty: all
  std::string text;     // as it was asked for
};

class Reduction {
 public:
  explicit Reduction(ReductionSpec spec) : spec_(std::move(spec)) {}

  const ReductionSpec& spec() const { return spec_; }
  Dimension dimension() const;

  void begin();
  // `variables`: t and the channels.
  void add_row(std::span<const double> variables);
  // `variables`: t and the impact quantities. `is_own`: of the element that is asked for.
  void add_impact(std::span<const double> variables, bool is_own);
  // Not a number where the run has not come far enough.
  double result() const;
  // What the run so far does not have of what is asked for, in words; empty where nothing is missing.
  std::string shortfall() const;

  // The run so far as numbers, the first one says how many follow.
  void write(std::vector<double>& numbers) const;
  // Of a reduction that is asked for the same; false, and unchanged, if the numbers are of another one. Takes what it
  // reads from the front.
  bool read(std::span<const double>& numbers);

 private:
  void add_value(double time_s, double x);
  void look_for_crossing(double x, double y);
  double value_at_start(double time_s, double x) const;
  double percentile() const;
  double end_s() const;          // of the run so far
  double next_switch_s() const;  // behind it, of an expression of time; infinity: none
  bool is_of_a_closed_window() const;
  std::string why_unknown() const;

  ReductionSpec spec_;
  double value_ = 0, last_ = 0, last_s_ = 0, last_y_ = 0;
  double count_ = 0;  // of values that were taken
  bool has_rows_ = false, is_done_ = false;
  std::vector<double> times_, samples_;  // of functions that need all values at once
};

}  // namespace freeplay::simulation

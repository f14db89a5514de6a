// What a function of the run asks for that the run does not have.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "freeplay/simulation/measure/reduction.h"

namespace freeplay::simulation {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kMostSwitches = 64;        // an expression that switches more often is periodic, and asks for no end
constexpr double kRoundingOfEnd = 1e-9;  // of the time: a switch at the end of the run, but for rounding

// Values of all sizes, since a threshold beside the window, as in step(force - 100 N)*step(10 s - t), is passed by some
// of them; with signs that are equal, and with those that are not.
bool is_for_any_values(double expected, const Expression& of, double time_s) {
  constexpr int kLeastPower = -9, kLargestPower = 12;
  std::vector<double> variables(1 + static_cast<std::size_t>(of.variables().back()));  // the time, at least
  for (int power = kLeastPower; power <= kLargestPower; ++power) {
    for (const unsigned signs : {0U, ~0U, 0x55555555U, 0xAAAAAAAAU}) {
      for (std::size_t k = 0; k < variables.size(); ++k) {
        const double size = std::pow(10.0, power) * (1 + 0.37 * static_cast<double>(k % 8));
        variables[k] = (signs >> (k % 32) & 1U) != 0 ? -size : size;
      }
      variables[Expression::kTimeVariable] = time_s;
      const double x = of.evaluate(variables);
      if (x != expected && !std::isnan(x)) return false;  // what overflows beside a closed window tells nothing
    }
  }
  return true;
}

}  // namespace

// A window in time, x*step(t - 9 s)*step(10 s - t), is seen by where it opens and closes. Samples of a table are none.
double Reduction::next_switch_s() const {
  if (spec_.of.has_samples()) return kNever;
  const double first = spec_.of.next_break(end_s());
  double later = first;
  for (int k = 0; k < kMostSwitches && std::isfinite(later); ++k) later = spec_.of.next_break(later);
  return std::isfinite(later) ? kNever : first;
}

double Reduction::end_s() const {
  return last_s_ + kRoundingOfEnd * std::abs(last_s_);
}

// A window that has never been open makes zeros, which are no data: the run has seen nothing else, nothing has switched
// since it began, something will, and until then the expression is zero whatever the values are. A share counts parts
// of a range, (x - low)/width, so that a closed window is always the same part; its value is a time.
bool Reduction::is_of_a_closed_window() const {
  const auto is_not_zero = [](double x) { return x != 0; };
  const bool is_share = spec_.kind == ReductionKind::kShare;
  if (!is_share && (value_ != 0 || last_ != 0 || std::any_of(samples_.begin(), samples_.end(), is_not_zero)))
    return false;
  if (!(spec_.of.next_break(0) > end_s()) || !std::isfinite(next_switch_s())) return false;
  return is_for_any_values(is_share ? last_ : 0, spec_.of, last_s_);
}

std::string Reduction::why_unknown() const {
  const double count = count_;
  switch (spec_.kind) {
    case ReductionKind::kAtImpact:
      return fmt::format("there were {:.0f} impacts", count);
    case ReductionKind::kAtCrossing:
      return fmt::format("there were {:.0f} such crossings", count);
    case ReductionKind::kPeakFrequency:
    case ReductionKind::kPeakAmplitude:
      return "there are too few rows to tell an oscillation";
    default:
      break;
  }
  if (spec_.is_of_impacts && count_ == 0)
    return spec_.element.empty() ? "there was no such impact"
                                 : fmt::format("there was no such impact of '{}'", spec_.element);
  if (!has_rows_) return "there are no rows";
  return std::isinf(result()) ? "a value of it is infinite, such as the gap of a point without contact"
                              : "a value of it is not a number";
}

std::string Reduction::shortfall() const {
  const bool is_known = std::isfinite(result());
  const bool is_instant = spec_.kind == ReductionKind::kInitial || spec_.kind == ReductionKind::kFinal;
  if (!is_instant && (spec_.from_s > last_s_ || (!is_known && spec_.from_s == last_s_)))
    return fmt::format("{} begins at {:.6g} s, and the run ends at {:.6g} s", spec_.text, spec_.from_s, last_s_);
  const double next_s = is_instant || spec_.kind == ReductionKind::kAt ? kNever : next_switch_s();
  if (std::isfinite(next_s))
    return fmt::format("{} changes with time at {:.6g} s, and the run ends at {:.6g} s", spec_.text, next_s, last_s_);
  return is_known ? std::string() : fmt::format("for {}, {}", spec_.text, why_unknown());
}

}  // namespace freeplay::simulation

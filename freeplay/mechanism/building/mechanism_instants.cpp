// Instants of a mechanism that steps must not pass over: those of sampled controllers, and where functions of time are
// not smooth.
#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/mechanism/dynamics/sample_clock.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

namespace {

constexpr double kNoInstant = std::numeric_limits<double>::infinity();

// Calls visit for each expression of the mechanism that may depend on the time.
template <class Visit>
void visit_expressions(const Mechanism& mechanism, Visit visit) {
  for (const Mechanism::Load& load : mechanism.loads) {
    for (const Expression& component : load.value) visit(component);
  }
  for (const Mechanism::Driver& driver : mechanism.drivers) {
    if (driver.motion) visit(*driver.motion);
    if (driver.sampling) continue;  // what happens between the samples is not seen
    if (driver.effort) visit(*driver.effort);
    if (driver.pid) visit(driver.pid->target);
  }
}

// Both sides of a break, whose place is rounded.
std::optional<MotionJump> jump_at(const std::string& driver, const Expression& motion, double t) {
  constexpr double kRelative = 1e-9;  // of the values: less is rounding of what was written down
  const double aside = 16 * std::numeric_limits<double>::epsilon() * std::abs(t);
  const double before_s = t - aside, after_s = t + aside;
  const TimeJet before = motion.evaluate_jet({&before_s, 1}), after = motion.evaluate_jet({&after_s, 1});
  const auto differ = [&](double a, double b, double slope_a, double slope_b) {
    const double rounding = 2 * aside * (std::abs(slope_a) + std::abs(slope_b));
    return std::abs(b - a) > kRelative * std::max(std::abs(a), std::abs(b)) + rounding;
  };
  if (differ(before.value, after.value, before.rate, after.rate))
    return MotionJump{driver, t, true, after.value - before.value};
  if (differ(before.rate, after.rate, before.acceleration, after.acceleration))
    return MotionJump{driver, t, false, after.rate - before.rate};
  return std::nullopt;
}

}  // namespace

double Mechanism::next_sample(double t) const {
  double next = kNoInstant;
  for (const Driver& driver : drivers) {
    if (!driver.sampling) continue;
    next = std::min(next, SampleClock(*driver.sampling).next_after(t));
    next = std::min(next, SampleClock::acting(*driver.sampling).next_after(t));
  }
  return next;
}

double Mechanism::next_break(double t) const {
  double next = kNoInstant;
  visit_expressions(*this, [&](const Expression& expression) { next = std::min(next, expression.next_break(t)); });
  return next;
}

double Mechanism::shortest_period() const {
  double shortest = kNoInstant;
  visit_expressions(*this,
                    [&](const Expression& expression) { shortest = std::min(shortest, expression.shortest_period()); });
  return shortest;
}

std::optional<MotionJump> Mechanism::next_motion_jump(double t) const {
  constexpr int kMostBreaks = 100'000;  // of a long table: looking at them takes less time than reading it
  std::optional<MotionJump> first;
  for (const Driver& driver : drivers) {
    if (!driver.motion) continue;
    double at = driver.motion->next_break(t);
    for (int k = 0; k < kMostBreaks && std::isfinite(at) && (!first || at < first->t); ++k) {
      if (const std::optional<MotionJump> jump = jump_at(driver.name, *driver.motion, at)) first = jump;
      at = driver.motion->next_break(at);
    }
  }
  return first;
}

}  // namespace freeplay::mechanism

#include "freeplay/integrators/smooth/onset_control.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::integrators {

namespace {

// The first time at which the cubic through (delta, delta') at both ends of a step is positive; the size of the step if
// it never is.
double first_contact(double delta_A, double rate_A, double delta_E, double rate_E, double size) {
  constexpr int kSamples = 16, kIterations = 60;
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  // c0 + s (c1 + s (c2 + s c3)), s from 0 to 1.
  const double c0 = delta_A, c1 = size * rate_A;
  const double c2 = 3 * (delta_E - delta_A) - size * (2 * rate_A + rate_E);
  const double c3 = 2 * (delta_A - delta_E) + size * (rate_A + rate_E);
  const auto delta = [&](double s) { return c0 + s * (c1 + s * (c2 + s * c3)); };
  const auto slope = [&](double s) { return c1 + s * (2 * c2 + s * (3 * c3)); };
  for (int k = 1; k <= kSamples; ++k) {
    double after = static_cast<double>(k) / kSamples;
    if (!(delta(after) > 0)) continue;
    // Newton's method inside of a bracket that every step narrows.
    double before = after - 1.0 / kSamples, s = after;
    for (int i = 0; i < kIterations; ++i) {
      const double value = delta(s);
      (value > 0 ? after : before) = s;
      double next = s - value / slope(s);
      if (!(next > before && next < after)) next = 0.5 * (before + after);
      const double change = std::abs(next - s);
      s = next;
      if (change <= kRounding * s) break;
    }
    return s * size;
  }
  return size;
}

}  // namespace

double touching_gap(const State& state) {
  constexpr double kNearOrigin_m = 1e-13, kRoundings = 8;
  return std::max(kNearOrigin_m, kRoundings * std::numeric_limits<double>::epsilon() * max_abs(state.q));
}

OnsetControl::OnsetControl(int points, const Options& options)
    : options_(options),
      is_watched_(static_cast<std::size_t>(points), false),
      gaps_(VecX::Zero(points)),
      rates_(VecX::Zero(points)) {
  starting_.reserve(static_cast<std::size_t>(points));
}

void OnsetControl::begin_step(const State& state, const VecX& gaps, const VecX& rates) {
  for (std::size_t i = 0; i < is_watched_.size(); ++i) is_watched_[i] = !state.contacts[i].is_touching;
  gaps_ = gaps;
  rates_ = rates;
  touching_m_ = touching_gap(state);
}

OnsetControl::Verdict OnsetControl::judge(double size_s, const VecX& gaps, const VecX& rates, double smallest_s) {
  starting_.clear();
  size_to_start_ = 0;
  return options_.control == PenetrationControl::kRoots ? judge_by_roots(size_s, gaps, rates, smallest_s)
                                                        : judge_by_depth(size_s, gaps, smallest_s);
}

void OnsetControl::start_closed(const VecX& gaps) {
  starting_.clear();
  for (int i = 0; i < gaps.size(); ++i) {
    if (is_watched(i) && gaps[i] < 0) starting_.push_back(i);
  }
}

OnsetControl::Verdict OnsetControl::judge_by_roots(double size_s, const VecX& gaps, const VecX& rates,
                                                   double smallest_s) {
  double first = size_s, nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < gaps.size(); ++i) {
    if (!is_watched(i)) continue;
    const bool approaches = rates[i] < 0;
    if (std::abs(gaps[i]) <= touching_m_ && approaches) {
      starting_.push_back(i);
    } else if (gaps[i] < 0 || (rates_[i] < 0 && !approaches)) {
      // Closed at the end, or perhaps in between.
      first = std::min(first, first_contact(-gaps_[i], -rates_[i], -gaps[i], -rates[i], size_s));
    } else if (approaches) {
      nearest = std::min(nearest, gaps[i] / -rates[i]);
    }
  }
  if (first < size_s && size_s > smallest_s) {
    starting_.clear();
    is_hunting_ = true;
    return {Action::kRetry, std::max(first, smallest_s)};
  }
  // What is inside now could not be found earlier.
  for (int i = 0; i < gaps.size(); ++i) {
    if (!is_watched(i) || !(gaps[i] < -touching_m_)) continue;
    starting_.push_back(i);
    deep_starts_ += -gaps[i] > options_.max_penetration_m;
  }
  if (is_hunting_ && starting_.empty() && nearest < size_s) {
    size_to_start_ = nearest;  // it ended a little early; the next step is short
  } else {
    is_hunting_ = false;
  }
  return {};
}

OnsetControl::Verdict OnsetControl::judge_by_depth(double size_s, const VecX& gaps, double smallest_s) {
  const double deepest = options_.max_penetration_m;
  double chord = 1;  // fraction of the step at which the first new contact would be delta_max/2 deep
  int deep = 0;
  for (int i = 0; i < gaps.size(); ++i) {
    if (!is_watched(i) || !(gaps[i] < 0)) continue;
    starting_.push_back(i);
    if (options_.control == PenetrationControl::kNone || !(-gaps[i] > deepest)) continue;
    ++deep;
    // Eq. (9) with signed depths. A gap that is not open at the start leaves nothing to interpolate.
    if (gaps_[i] > 0) chord = std::min(chord, (deepest / 2 + gaps_[i]) / (gaps_[i] - gaps[i]));
  }
  if (deep == 0) return {};
  if (options_.control == PenetrationControl::kProcedure1 && chord < 1) {
    starting_.clear();
    return {Action::kInterpolate, chord * size_s};
  }
  if (options_.control == PenetrationControl::kProcedure1 || size_s <= std::max(options_.min_step_s, smallest_s)) {
    deep_starts_ += deep;
    return {};
  }
  starting_.clear();
  const double factor = options_.control == PenetrationControl::kSecant && chord < 1 ? chord : 0.5;
  return {Action::kRetry, factor * size_s};
}

}  // namespace freeplay::integrators

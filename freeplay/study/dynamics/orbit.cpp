#include "freeplay/study/dynamics/orbit.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "freeplay/study/dynamics/lyapunov.h"
#include "freeplay/study/dynamics/motion.h"
#include "freeplay/study/sweep/runs/followed_start.h"

namespace freeplay::study {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kTurnTolerance = 0.05;  // of the first guess: how near to whole turns a coordinate must come
constexpr int kMostHalvings = 8;
constexpr double kRepeats = 1e-5;    // of the size of the state, in a second period
constexpr double kLeastScale = 0.1;  // of the largest coordinate, or velocity: one may pass zero at the start

class Shooting {
 public:
  Shooting(const ModelSpec& spec, const Model& model, const OrbitOptions& options, const StudyHooks& hooks)
      : options_(options), hooks_(hooks), model_(model), motion_(spec, model) {
    orbit_.period_s = options.period_s;
    orbit_.is_period_free = options.is_period_free;
  }

  PeriodicOrbit find() {
    if (!settle() || !guess_scales_and_turns() || !solve()) return orbit_;
    orbit_.start = followed_start(model_, std::span(x_.data(), static_cast<std::size_t>(x_.size())));
    if (!find_multipliers() || !repeats()) return orbit_;
    orbit_.is_found = true;
    return orbit_;
  }

 private:
  bool fail(const std::string& message) {
    orbit_.message = message;
    return false;
  }

  std::optional<State> start_at(const VecX& x) {
    try {
      return followed_start(model_, std::span(x.data(), static_cast<std::size_t>(x.size())));
    } catch (const ModelError&) {
      fail(
          "no run can begin in a state that is to be tried: its parts overlap and cannot be moved apart, or what "
          "drives the model is not where it was a period before");
      return std::nullopt;
    }
  }

  // The state after `period_s`, coordinates and velocities; whole turns are taken off.
  std::optional<VecX> after(const VecX& x, double period_s) {
    if (hooks_.should_stop()) {
      fail("interrupted");
      return std::nullopt;
    }
    const std::optional<State> begin = start_at(x);
    if (!begin) return std::nullopt;
    motion_.impacts = 0;
    StepStatus status = motion_.start(*begin);
    if (status == StepStatus::kOk) status = motion_.go_to(begin->t + period_s);
    if (status != StepStatus::kOk) {
      fail(failure_at(motion_.state.t, status));
      return std::nullopt;
    }
    VecX end(x.size());
    end << motion_.state.q, motion_.state.u;
    for (std::size_t i = 0; i < orbit_.turns.size(); ++i) end[static_cast<Eigen::Index>(i)] -= kTurn * orbit_.turns[i];
    return end;
  }

  bool settle() {
    const State initial = options_.start ? *options_.start : model_.system->initial_state();
    x_.resize(initial.q.size() + initial.u.size());
    x_ << initial.q, initial.u;
    // Whole periods, so that the drive is where it was.
    const double periods = std::floor(options_.settle_s / options_.period_s * (1 + 1e-9));
    if (periods < 1) return true;
    const std::optional<VecX> end = after(x_, periods * options_.period_s);
    if (!end) return false;
    // As a run begins there: what a motor has turned in these periods is no part of what turns in one.
    const std::optional<State> begin = start_at(*end);
    if (begin) x_ << begin->q, begin->u;
    return begin.has_value();
  }

  bool guess_scales_and_turns() {
    const std::optional<VecX> end = after(x_, orbit_.period_s);
    if (!end) return false;
    const Eigen::Index positions = model_.system->coordinate_count();
    for (Eigen::Index i = 0; i < positions; ++i) {
      const double turns = ((*end)[i] - x_[i]) / kTurn, whole = std::round(turns);
      orbit_.turns.push_back(std::abs(turns - whole) < kTurnTolerance ? static_cast<int>(whole) : 0);
    }
    scales_.resize(x_.size());
    const auto set_scales = [&](Eigen::Index begin, Eigen::Index count) {
      if (count == 0) return;
      const VecX sizes = x_.segment(begin, count).cwiseAbs().cwiseMax(end->segment(begin, count).cwiseAbs());
      const double largest = sizes.maxCoeff() > 0 ? sizes.maxCoeff() : 1;
      scales_.segment(begin, count) = sizes.cwiseMax(kLeastScale * largest);
    };
    set_scales(0, positions);
    set_scales(positions, x_.size() - positions);
    return true;
  }

  double size_of(const VecX& change) const { return change.cwiseQuotient(scales_).cwiseAbs().maxCoeff(); }

  // Column i: how the end depends on the i-th number of the start.
  bool differentiate() {
    derivative_.resize(x_.size(), x_.size());
    for (Eigen::Index i = 0; i < x_.size(); ++i) {
      const double step = options_.difference * scales_[i];
      VecX moved = x_;
      moved[i] += step;
      const std::optional<VecX> above = after(moved, orbit_.period_s);
      moved[i] = x_[i] - step;
      const std::optional<VecX> below = above ? after(moved, orbit_.period_s) : std::nullopt;
      if (!below) return false;
      derivative_.col(i) = (*above - *below) / (2 * step);
    }
    if (!options_.is_period_free) return true;
    const double step_s = options_.difference * orbit_.period_s;
    const std::optional<VecX> later = after(x_, orbit_.period_s + step_s);
    const std::optional<VecX> earlier = later ? after(x_, orbit_.period_s - step_s) : std::nullopt;
    if (!earlier) return false;
    rate_ = (*later - *earlier) / (2 * step_s);
    return true;
  }

  // (P' - 1) dx [+ rate dT] = x - P(x); with a free period dx is kept off the direction of the motion itself. In the
  // scales of the numbers, and by the least change where the equations leave a choice.
  VecX newton_step(const VecX& residual) const {
    const Eigen::Index n = x_.size(), extra = options_.is_period_free ? 1 : 0;
    MatX equations = MatX::Zero(n + extra, n + extra);
    VecX right = VecX::Zero(n + extra);
    const MatX identity = MatX::Identity(n, n);
    equations.topLeftCorner(n, n) =
        scales_.cwiseInverse().asDiagonal() * (derivative_ - identity) * scales_.asDiagonal();
    right.head(n) = -residual.cwiseQuotient(scales_);
    if (extra > 0) {
      const VecX rate = rate_.cwiseQuotient(scales_) * orbit_.period_s;
      equations.topRightCorner(n, 1) = rate;
      equations.bottomLeftCorner(1, n) = rate.transpose() / std::max(rate.norm(), 1e-300);
    }
    VecX step = equations.completeOrthogonalDecomposition().solve(right);
    step.head(n) = step.head(n).cwiseProduct(scales_);
    if (extra > 0) step[n] *= orbit_.period_s;
    return step;
  }

  bool solve() {
    std::optional<VecX> end = after(x_, orbit_.period_s);
    if (!end) return false;
    for (; orbit_.iterations <= options_.most_iterations; ++orbit_.iterations) {
      orbit_.residual = size_of(*end - x_);
      orbit_.impacts = motion_.impacts;
      if (orbit_.residual <= options_.tolerance) return true;
      if (!differentiate()) return false;
      const VecX step = newton_step(*end - x_);
      if (!take(step, end)) return false;
    }
    return fail(
        fmt::format("Newton's method has not come to a periodic motion in {} steps: a period changes the state "
                    "by {:.2g} of its size",
                    options_.most_iterations, orbit_.residual));
  }

  // The step, or as much of it as makes the residual smaller.
  bool take(const VecX& step, std::optional<VecX>& end) {
    const VecX x = x_;
    const double period_s = orbit_.period_s;
    double part = 1;
    for (int halving = 0; halving <= kMostHalvings; ++halving, part /= 2) {
      x_ = x + part * step.head(x.size());
      if (options_.is_period_free) orbit_.period_s = period_s + part * step[x.size()];
      if (!(orbit_.period_s > 0)) continue;
      end = after(x_, orbit_.period_s);
      if (!end) return false;
      if (size_of(*end - x_) < orbit_.residual) return true;
    }
    x_ = x;
    orbit_.period_s = period_s;
    return fail(
        fmt::format("no step of Newton's method comes nearer to a periodic motion: a period changes the state "
                    "by {:.2g} of its size",
                    orbit_.residual));
  }

  // Also in the second period, whose drive may be another one: a state that a time brings back is no periodic motion
  // yet.
  bool repeats() {
    const std::optional<VecX> once = after(x_, orbit_.period_s);
    if (!once) return false;
    const StepStatus status = motion_.go_to(orbit_.start.t + 2 * orbit_.period_s);
    if (status != StepStatus::kOk) return fail(failure_at(motion_.state.t, status));
    VecX twice(x_.size());
    twice << motion_.state.q, motion_.state.u;
    for (std::size_t i = 0; i < orbit_.turns.size(); ++i)
      twice[static_cast<Eigen::Index>(i)] -= 2 * kTurn * orbit_.turns[i];
    const double change = size_of(twice - *once);
    const double growth = orbit_.multipliers.empty() ? 0 : std::abs(orbit_.multipliers.front());
    if (change <= kRepeats * (1 + growth)) return true;
    return fail(
        fmt::format("the state comes back after {:.9g} s, but what drives the model does not: in the second "
                    "period it changes by {:.2g} of its size",
                    orbit_.period_s, change));
  }

  bool find_multipliers() {
    if (!differentiate()) return false;
    const Eigen::VectorXcd values = derivative_.eigenvalues();
    orbit_.multipliers.assign(values.begin(), values.end());
    std::stable_sort(orbit_.multipliers.begin(), orbit_.multipliers.end(),
                     [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
    return true;
  }

  const OrbitOptions options_;
  const StudyHooks& hooks_;
  const Model& model_;
  Motion motion_;
  PeriodicOrbit orbit_;
  VecX x_, scales_, rate_;
  MatX derivative_;
};

}  // namespace

double PeriodicOrbit::largest_multiplier() const {
  std::vector<std::complex<double>> rest = multipliers;
  if (is_period_free && !rest.empty()) {
    rest.erase(std::min_element(rest.begin(), rest.end(),
                                [](const auto& a, const auto& b) { return std::abs(a - 1.0) < std::abs(b - 1.0); }));
  }
  double largest = 0;
  for (const std::complex<double>& value : rest) largest = std::max(largest, std::abs(value));
  return largest;
}

PeriodicOrbit find_orbit(const ModelSpec& spec, const Model& model, const OrbitOptions& options,
                         const StudyHooks& hooks) {
  check_lyapunov(spec, *model.system);
  if (!(options.period_s > 0) || !std::isfinite(options.period_s))
    throw ModelError("--period", fmt::format("the period is {} s", options.period_s), "give a time greater than 0");
  return Shooting(spec, model, options, hooks).find();
}

}  // namespace freeplay::study

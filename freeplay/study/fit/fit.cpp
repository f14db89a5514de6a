#include "freeplay/study/fit/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/math/philox.h"
#include "freeplay/simulation/recording/row_recorder.h"
#include "freeplay/study/fit/fit_runs.h"
#include "freeplay/study/sweep/workers/parallel.h"

namespace freeplay::study {

namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
constexpr int kMostRounds = 4;        // of weights
constexpr double kSameWeight = 0.02;  // weights that change by less are found
constexpr std::size_t kMostDescents = 8;
constexpr const char* kBoundsHint = "write NAME=FROM:TO, both in units of one kind";

[[noreturn]] void refuse_parameter(const std::string& message, const std::string& hint) {
  throw ModelError({Diagnostic{{"--parameters", 0, 0}, "", message, hint, {}}});
}

double scatter_of(const std::vector<double>& values) {
  const double count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double scatter = std::sqrt(squares / count);
  return scatter > 0 ? scatter : std::max(std::abs(mean), 1e-300);
}

// The channels of the model, for the columns of the data.
std::vector<ChannelInfo> channels_of(const ModelFamily& family) {
  const Model model = build_model(family.base());
  return available_channels(*model.system, *model.contacts, family.base().simulate.integrator);
}

class ModelFit {
 public:
  ModelFit(const FitPlan& plan, const FitHooks& hooks)
      : plan_(plan),
        hooks_(hooks),
        family_(plan.model, plan.overrides),
        data_(read_fit_data(plan.data, channels_of(family_), plan.channels)),
        axes_(parse_parameters()),
        runs_(family_, data_, axes_) {
    for (const FitSeries& series : data_.series) sigma_.push_back(scatter_of(series.values));
    for (std::size_t k = 0; k < sigma_.size(); ++k) count_ += data_.series[k].values.size();
    if (count_ <= axes_.size())
      refuse_parameter(fmt::format("{} numbers do not tell {} parameters", count_, axes_.size()), "fit fewer of them");
  }

  FitResult run() {
    const auto start = std::chrono::steady_clock::now();
    if (hooks_.begins) hooks_.begins();
    const VecX own = options_.start;
    FitResult result;
    FitMinima minima(count_);
    LeastSquares fit = descend(choose_starts(), minima, result);
    if (fit.end != LeastSquares::End::kStopped) fit = reweighted(std::move(fit));
    options_.start = own;
    describe(fit, result);
    result.minima = minima.list();
    std::vector<FitRuns::Outcome> outcomes;  // without values if it was stopped
    static_cast<void>(run_all({own, fit.point.size() > 0 ? fit.point : own}, outcomes));
    add_series(outcomes[0], outcomes[1], result);
    result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  }

 private:
  std::vector<SweepAxis> parse_parameters() {
    std::vector<SweepAxis> axes;
    std::set<std::string> names;
    for (const std::string& text : plan_.parameters) {
      axes.push_back(text.find('=') == std::string::npos ? axis_without_bounds(text) : axis_within_bounds(text));
      if (!names.insert(axes.back().name).second)
        refuse_parameter(fmt::format("'{}' is there twice", text), "name it once");
    }
    if (axes.empty()) refuse_parameter("nothing is to be fitted", "write --parameters mu,c=0.1mm:2mm");
    const auto count = static_cast<Eigen::Index>(axes.size());
    options_.low = options_.high = options_.scale = options_.start = VecX(count);
    for (Eigen::Index k = 0; k < count; ++k) place_parameter(k, axes[static_cast<std::size_t>(k)]);
    return axes;
  }

  const ModelParameter* parameter_of(const std::string& name) const {
    for (const ModelParameter& parameter : family_.base().parameters) {
      if (parameter.name == name && !parameter.word) return &parameter;
    }
    return nullptr;
  }

  SweepAxis axis_without_bounds(const std::string& name) const {
    const ModelParameter* const parameter = parameter_of(name);
    if (parameter == nullptr) {
      std::vector<std::string> known;
      for (const ModelParameter& each : family_.base().parameters) known.push_back(each.name);
      refuse_parameter(fmt::format("the model has no parameter '{}'", name), did_you_mean(name, known));
    }
    SweepAxis axis;
    axis.name = name;
    axis.dimension = parameter->value.dimension;
    if (parameter->value.value == 0) {
      const std::string one = axis.override_text(1).substr(name.size() + 1);  // "1 m/s"
      refuse_parameter(fmt::format("'{}' is 0, which does not tell how large it may become", name),
                       fmt::format("give bounds, such as --parameters \"{}=0:{}\", or a start by --set", name, one));
    }
    axis.from = -kNoBound;
    axis.to = kNoBound;
    return axis;
  }

  SweepAxis axis_within_bounds(const std::string& text) const {
    SweepAxis axis;
    try {
      axis = parse_sweep_axis(text);
    } catch (const ModelError& error) {  // which it says of --over
      refuse_parameter(error.diagnostics().front().message, kBoundsHint);
    }
    if (axis.is_list || axis.count > 0 || !(axis.from < axis.to))
      refuse_parameter(fmt::format("'{}' are no bounds", text), "write NAME=FROM:TO, with FROM below TO");
    try {
      for (const double end : {axis.from, axis.to}) family_.check(std::vector{axis.override_text(end)});
    } catch (const ModelError& error) {  // which the reader says of --set, and with its hints
      refuse_parameter(fmt::format("'{}': {}", text, error.diagnostics().front().message), kBoundsHint);
    }
    return axis;
  }

  void place_parameter(Eigen::Index k, const SweepAxis& axis) {
    const ModelParameter* const parameter = parameter_of(axis.name);
    const bool has_bounds = std::isfinite(axis.from);
    options_.low[k] = axis.from;
    options_.high[k] = axis.to;
    options_.start[k] =
        parameter != nullptr ? std::clamp(parameter->value.value, axis.from, axis.to) : 0.5 * (axis.from + axis.to);
    options_.scale[k] = std::abs(options_.start[k]);
    if (has_bounds && !(options_.scale[k] > 0.01 * (axis.to - axis.from)))
      options_.scale[k] = 0.1 * (axis.to - axis.from);
  }

  // False if it was stopped.
  bool run_all(const std::vector<VecX>& points, std::vector<FitRuns::Outcome>& outcomes) const {
    outcomes.resize(points.size());
    const LeaveAtOnce leave = [&](std::size_t /*done*/) { hooks_.leave(); };
    const auto run = [&](std::size_t i) {
      outcomes[i] = runs_.run(points[i], hooks_.stop_requested);
      return !outcomes[i].was_stopped;
    };
    return work_in_parallel(points.size(), worker_count(plan_.workers), hooks_.stop_requested, run,
                            hooks_.leave ? leave : LeaveAtOnce()) == points.size();
  }

  // Residuals divided by what they scatter by.
  std::optional<std::vector<VecX>> residuals(const std::vector<VecX>& points) {
    std::vector<FitRuns::Outcome> outcomes;
    if (!run_all(points, outcomes)) return std::nullopt;
    std::vector<VecX> found(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      ++run_count_;
      if (!outcomes[i].values.empty()) {
        found[i] = weighted(outcomes[i]);
        continue;
      }
      ++failed_runs_;
      if (i == 0) failure_ = outcomes[i].failure;
    }
    return found;
  }

  VecX weighted(const FitRuns::Outcome& outcome) const {
    VecX all(static_cast<Eigen::Index>(count_));
    Eigen::Index row = 0;
    for (std::size_t s = 0; s < data_.series.size(); ++s) {
      for (std::size_t i = 0; i < outcome.values[s].size(); ++i)
        all[row++] = (outcome.values[s][i] - data_.series[s].values[i]) / sigma_[s];
    }
    return all.allFinite() ? all : VecX();
  }

  // Within the bounds, or between half and twice of the model's value: a Latin hypercube, so that no part of the range
  // of any parameter is left out.
  std::vector<VecX> drawn_starts() const {
    std::vector<VecX> points(static_cast<std::size_t>(starts_), options_.start);
    for (Eigen::Index k = 0; k < options_.start.size(); ++k) {
      const SweepAxis& axis = axes_[static_cast<std::size_t>(k)];
      const auto random = [&](int purpose, std::size_t i) {
        return random_number(plan_.seed, static_cast<std::uint32_t>(2 * k + purpose), i);
      };
      std::vector<std::size_t> parts(points.size());
      std::iota(parts.begin(), parts.end(), std::size_t{0});
      std::stable_sort(parts.begin(), parts.end(),
                       [&](std::size_t i, std::size_t j) { return random(0, i) < random(0, j); });
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double u = (static_cast<double>(parts[i]) + random(1, i)) / static_cast<double>(points.size());
        points[i][k] = std::isfinite(axis.from) ? axis.value_in_range(u) : options_.start[k] * std::exp2(2 * u - 1);
      }
    }
    return points;
  }

  // The model's own values and the best of some others; the own ones alone where no others are asked for, or none of
  // them can be run.
  std::vector<VecX> choose_starts() {
    const int count = plan_.starts.value_or(kStartsPerParameter * static_cast<int>(axes_.size()));
    starts_ = std::max(0, count);
    if (starts_ == 0) return {options_.start};
    std::vector<VecX> points = drawn_starts();
    points.insert(points.begin(), options_.start);
    const std::optional<std::vector<VecX>> tried = residuals(points);
    if (!tried) return {options_.start};
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if ((*tried)[i].size() > 0) order.push_back(i);
    }
    if (order.empty()) return {options_.start};
    std::stable_sort(order.begin() + (order.front() == 0 ? 1 : 0), order.end(), [&](std::size_t a, std::size_t b) {
      return (*tried)[a].squaredNorm() < (*tried)[b].squaredNorm();
    });
    std::vector<VecX> starts;
    for (const std::size_t i : order) {
      if (starts.size() < kMostDescents) starts.push_back(points[i]);
    }
    return starts;
  }

  LeastSquares descend(const std::vector<VecX>& starts, FitMinima& minima, FitResult& result) {
    result.starts = starts_;
    LeastSquares last;
    for (const VecX& start : starts) {
      ++descent_;
      options_.start = start;
      last = least_squares();
      const bool was_stopped = last.end == LeastSquares::End::kStopped;
      if (last.residuals.size() > 0) minima.add(last, options_);
      if (was_stopped || minima.are_settled()) break;
    }
    result.descents = descent_;
    if (minima.is_empty()) return last;
    LeastSquares best = minima.best();
    if (last.end == LeastSquares::End::kStopped) best.end = last.end;
    return best;
  }

  LeastSquares least_squares() {
    const int before = iterations_;
    LeastSquares fit = fit_least_squares(
        options_, [&](const std::vector<VecX>& points) { return residuals(points); },
        [&](const LeastSquares& now) {
          if (hooks_.progress)
            hooks_.progress(
                {descent_, before + now.iterations, run_count_, std::sqrt(now.sum / static_cast<double>(count_))});
        });
    iterations_ += fit.iterations;
    return fit;
  }

  // Columns count by their own residuals, from the best minimum on.
  LeastSquares reweighted(LeastSquares fit) {
    if (data_.series.size() < 2) return fit;
    for (int round = 1; round < kMostRounds; ++round) {
      if (fit.end == LeastSquares::End::kStopped || fit.residuals.size() == 0 || !reweight(fit)) break;
      options_.start = fit.point;
      fit = least_squares();
    }
    return fit;
  }

  // False if the weights are as they were.
  bool reweight(const LeastSquares& fit) {
    bool has_changed = false;
    Eigen::Index row = 0;
    for (std::size_t s = 0; s < sigma_.size(); ++s) {
      const auto size = static_cast<Eigen::Index>(data_.series[s].values.size());
      const double rms =
          std::sqrt(fit.residuals.segment(row, size).squaredNorm() / static_cast<double>(size)) * sigma_[s];
      row += size;
      const double sigma = std::max(rms, kExactFit * scatter_of(data_.series[s].values));
      has_changed |= std::abs(sigma - sigma_[s]) > kSameWeight * sigma_[s];
      sigma_[s] = sigma;
    }
    return has_changed;
  }

  void describe(const LeastSquares& fit, FitResult& result) const {
    result.model_name = family_.base().name;
    result.end = fit.end;
    result.iterations = iterations_;
    result.runs = run_count_;
    result.failed_runs = failed_runs_;
    if (fit.end == LeastSquares::End::kNoStart) result.message = failure_;
    const bool has_jacobian = fit.jacobian.rows() == fit.residuals.size() && fit.residuals.size() > 0;
    const FitCovariance covariance = has_jacobian ? covariance_of(fit, options_) : FitCovariance{};
    result.degrees_of_freedom = covariance.degrees_of_freedom;
    const double bound = student_bound_95(covariance.degrees_of_freedom);
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      FittedParameter found;
      found.name = axes_[k].name;
      found.unit = axes_[k].dimension.si_unit();
      found.start = options_.start[i];
      found.value = fit.point.size() > 0 ? fit.point[i] : options_.start[i];
      found.lower_bound = options_.low[i];
      found.upper_bound = options_.high[i];
      found.is_at_bound = found.value <= found.lower_bound || found.value >= found.upper_bound;
      found.is_determined = has_jacobian && covariance.is_determined[k];
      const bool has_interval = found.is_determined && !found.is_at_bound;
      found.deviation = has_interval ? std::sqrt(covariance.covariance(i, i)) : std::nan("");
      found.low = found.value - bound * found.deviation;
      found.high = found.value + bound * found.deviation;
      result.parameters.push_back(std::move(found));
    }
    if (has_jacobian) result.correlation = correlation_of(covariance.covariance);
  }

  static MatX correlation_of(const MatX& covariance) {
    MatX correlation = covariance;
    for (Eigen::Index i = 0; i < covariance.rows(); ++i) {
      for (Eigen::Index j = 0; j < covariance.cols(); ++j) {
        const double size = std::sqrt(covariance(i, i) * covariance(j, j));
        correlation(i, j) = size > 0 ? covariance(i, j) / size : i == j ? 1 : 0;
      }
    }
    return correlation;
  }

  void add_series(const FitRuns::Outcome& before, const FitRuns::Outcome& after, FitResult& result) const {
    const auto rms = [&](const FitRuns::Outcome& outcome, std::size_t s) {
      if (outcome.values.empty()) return std::nan("");
      double squares = 0;
      const std::vector<double>& measured = data_.series[s].values;
      for (std::size_t i = 0; i < measured.size(); ++i) squares += std::pow(outcome.values[s][i] - measured[i], 2);
      return std::sqrt(squares / static_cast<double>(measured.size()));
    };
    for (std::size_t s = 0; s < data_.series.size(); ++s) {
      const FitSeries& series = data_.series[s];
      result.series.push_back(
          {series.channel, series.unit, series.time_s, series.values,
           after.values.empty() ? std::vector<double>(series.values.size(), std::nan("")) : after.values[s],
           rms(before, s), rms(after, s)});
    }
  }

  const FitPlan& plan_;
  const FitHooks& hooks_;
  LeastSquaresOptions options_;
  ModelFamily family_;
  FitData data_;
  std::vector<SweepAxis> axes_;
  FitRuns runs_;
  std::vector<double> sigma_;  // of the residuals of each series
  std::size_t count_ = 0;      // of all residuals
  int starts_ = 0, descent_ = 0, iterations_ = 0;
  std::int64_t run_count_ = 0, failed_runs_ = 0;
  std::string failure_;
};

}  // namespace

FitResult fit_model(const FitPlan& plan, const FitHooks& hooks) {
  return ModelFit(plan, hooks).run();
}

}  // namespace freeplay::study

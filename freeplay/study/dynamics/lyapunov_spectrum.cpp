#include "freeplay/study/dynamics/lyapunov_spectrum.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "freeplay/study/dynamics/growth_fit.h"
#include "freeplay/study/dynamics/motion.h"
#include "freeplay/study/dynamics/tangent_space.h"

namespace freeplay::study {

namespace {

constexpr int kMostExtensionsOfAll = 20;  // of an interval that ends between the impacts of two runs
constexpr double kVanished = 1e-7;        // of a distance: what rounding leaves of one that is gone

class SpectrumRuns {
 public:
  SpectrumRuns(const ModelSpec& spec, const Model& model, const LyapunovOptions& options)
      : options_(options),
        end_s_(spec.simulate.duration_s),
        interval_s_(options.interval_s > 0 ? options.interval_s : end_s_ / 1000),
        positions_(model.system->coordinate_count()),
        motion_(spec, model),
        tangents_(*model.system, options.start ? *options.start : model.system->initial_state()) {
    const auto directions = static_cast<std::size_t>(tangents_.dimension());
    for (std::size_t i = 0; i < directions; ++i) twins_.push_back(std::make_unique<Motion>(spec, model));
    fits_.resize(directions);
    has_vanished_.assign(directions, false);
  }

  LyapunovSpectrum run(const State& start, const StudyHooks& hooks) {
    if (!go(motion_.start(start), start.t)) return result_;
    axes_ = tangents_.basis(motion_.state, interval_s_);
    for (const std::unique_ptr<Motion>& twin : twins_) {
      if (!go(twin->start(start), start.t)) return result_;
    }
    place_twins();
    if (take_intervals(motion_, end_s_, hooks, result_.message, [this] { return take_interval(); })) finish();
    return result_;
  }

 private:
  bool go(StepStatus status, double t_s) {
    if (status == StepStatus::kOk) return true;
    result_.message = failure_at(t_s, status);
    return false;
  }

  // Velocities count by what they do in an interval.
  VecX coordinates(const State& state) const {
    VecX z(state.q.size() + state.u.size());
    z << state.q, interval_s_ * state.u;
    return z;
  }

  void place_twins() {
    const double size = coordinates(motion_.state).norm();
    distance_ = options_.distance * (size > 0 ? size : 1);
    for (std::size_t i = 0; i < twins_.size(); ++i) {
      const VecX direction = distance_ * axes_.col(static_cast<Eigen::Index>(i));
      State& state = twins_[i]->state;
      state = motion_.state;
      state.q += direction.head(positions_);
      state.u += direction.tail(direction.size() - positions_) / interval_s_;
      twins_[i]->impacts = motion_.impacts;
    }
  }

  bool all_in_step() const {
    return std::all_of(twins_.begin(), twins_.end(),
                       [&](const std::unique_ptr<Motion>& twin) { return are_in_step(motion_, *twin); });
  }

  bool take_interval() {
    const double begin_s = motion_.state.t;
    for (int extension = 0; extension <= kMostExtensionsOfAll; ++extension) {
      const double t_s = std::min(motion_.state.t + interval_s_, end_s_);
      if (!go(motion_.go_to(t_s), t_s)) return false;
      for (const std::unique_ptr<Motion>& twin : twins_) {
        if (!go(twin->go_to(t_s), t_s)) return false;
      }
      if (all_in_step() || t_s >= end_s_) break;
    }
    if (!all_in_step() && motion_.state.t >= end_s_) return true;  // the last one tells nothing
    note(begin_s);
    return true;
  }

  void note(double begin_s) {
    MatX differences(axes_.rows(), axes_.cols());
    const VecX own = coordinates(motion_.state);
    for (std::size_t i = 0; i < twins_.size(); ++i)
      differences.col(static_cast<Eigen::Index>(i)) = (coordinates(twins_[i]->state) - own) / distance_;
    // In the directions that loops, motions and quaternions allow: what errors of the integrator add across them grows
    // by no law of the motion, and a direction that has vanished gets a new one among them.
    const MatX allowed = tangents_.basis(motion_.state, interval_s_);
    const Eigen::HouseholderQR<MatX> qr(allowed.transpose() * differences);
    axes_ = allowed * (qr.householderQ() * MatX::Identity(axes_.cols(), axes_.cols()));
    for (Eigen::Index i = 0; i < axes_.cols(); ++i) {
      const double growth = std::abs(qr.matrixQR()(i, i));
      if (begin_s < options_.transient_s) continue;
      if (growth <= kVanished) has_vanished_[static_cast<std::size_t>(i)] = true;
      if (growth > 0) fits_[static_cast<std::size_t>(i)].add(std::log(growth), motion_.state.t - begin_s);
    }
    place_twins();
  }

  void finish() {
    for (std::size_t i = 0; i < fits_.size(); ++i) {
      if (!has_vanished_[i] && !fits_[i].is_enough()) {
        result_.message = fits_[i].what_is_missing();
        return;
      }
    }
    std::vector<std::pair<double, double>> rates;
    for (std::size_t i = 0; i < fits_.size(); ++i) {
      rates.emplace_back(has_vanished_[i] ? -std::numeric_limits<double>::infinity() : fits_[i].slope(),
                         has_vanished_[i] ? 0 : fits_[i].error());
    }
    std::stable_sort(rates.begin(), rates.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [rate, error] : rates) {
      result_.per_s.push_back(rate);
      result_.error_per_s.push_back(error);
    }
    result_.is_complete = true;
  }

  const LyapunovOptions options_;
  const double end_s_, interval_s_;
  const int positions_;
  Motion motion_;
  TangentSpace tangents_;
  std::vector<std::unique_ptr<Motion>> twins_;
  MatX axes_;  // orthonormal: the directions in which the runs stand off the motion
  double distance_ = 0;
  std::vector<GrowthFit> fits_;
  std::vector<bool> has_vanished_;
  LyapunovSpectrum result_;
};

}  // namespace

double LyapunovSpectrum::sum_per_s() const {
  return std::accumulate(per_s.begin(), per_s.end(), 0.0);
}

LyapunovSpectrum lyapunov_spectrum(const ModelSpec& spec, const Model& model, const LyapunovOptions& options,
                                   const StudyHooks& hooks) {
  check_lyapunov(spec, *model.system);
  const System& system = *model.system;
  if (!(options.distance > 0) || options.transient_s < 0 || options.interval_s < 0)
    throw ModelError("lyapunov", "distance, transient and interval must not be negative", "leave them out");
  const State start = options.start ? *options.start : system.initial_state();
  if (TangentSpace(system, start).dimension() == 0)
    throw ModelError("drivers", "prescribed motions and loops leave nothing free, so that there are no neighbours",
                     "drive by a torque, or give joints play");
  return SpectrumRuns(spec, model, options).run(start, hooks);
}

}  // namespace freeplay::study

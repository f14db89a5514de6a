#include "freeplay/study/dynamics/lyapunov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/study/perturbed_system.h"

namespace freeplay::study {

namespace {

constexpr int kParts = 10;
// An interval that ends between the impacts of the two is made longer, not more often than this.
constexpr int kMostExtensions = 20;
constexpr double kMerged = 1e-14;  // of positions and velocities

// A motion that goes on from instant to instant.
class Motion {
 public:
  Motion(const ModelSpec& spec, const Model& model)
      : system_(*model.system), integrator_(make_integrator(*model.system, *model.contacts, spec.simulate)) {}

  State state;
  std::int64_t impacts = 0;

  StepStatus start(const State& at) {
    state = at;
    return integrator_->start(state).status;
  }
  StepStatus go_to(double t_s) {
    while (state.t < t_s) {
      const double limit_s = std::min(t_s, system_.next_break(state.t));
      const StepStatus status = integrator_->step(state, limit_s).status;
      if (status != StepStatus::kOk) return status;
      for (const ContactEvent& event : integrator_->events()) impacts += event.kind == ContactEventKind::kImpact;
    }
    return StepStatus::kOk;
  }

 private:
  const System& system_;
  std::unique_ptr<Integrator> integrator_;
};

void check(const ModelSpec& spec, const System& system) {
  const std::vector<Diagnostic> obstacles = run_obstacles(spec);
  if (!obstacles.empty()) throw ModelError(obstacles);
  const IntegratorEntry* entry = find_integrator(spec.simulate.integrator);
  const bool has_contacts_in_steps = entry->traits.contact_treatment == ContactTreatment::kImpulses;
  if (has_contacts_in_steps || entry->traits.step_rule == StepRule::kFixed) {
    throw ModelError(
        "simulate.integrator",
        fmt::format("'{}' does not find the instants of impacts, which the distance of two motions depends on",
                    spec.simulate.integrator),
        "use 'event-driven', or 'dopri5' with force laws");
  }
  if (std::isfinite(system.next_sample(0))) {
    throw ModelError("drivers", "a sampled driver holds values that no neighbouring motion has",
                     "take 'sample' away: a controller in continuous time has an exponent");
  }
  for (const ChannelDescription& channel : system.channels()) {
    if (!channel.name.ends_with(".integral")) continue;
    throw ModelError("drivers",
                     "the integral of a pid adds a coordinate that no force depends on, and that never forgets",
                     "leave out the 'i' of the pid");
  }
  if (spec.simulate.integrator.starts_with("cvode")) {
    throw ModelError(
        "simulate.integrator",
        fmt::format("'{}' remembers steps that a motion drawn back has not made", spec.simulate.integrator),
        "use 'dopri5'");
  }
}

class Benettin {
 public:
  Benettin(const ModelSpec& spec, const Model& model, const LyapunovOptions& options)
      : options_(options),
        end_s_(spec.simulate.duration_s),
        interval_s_(options.interval_s > 0 ? options.interval_s : end_s_ / 1000),
        motion_(spec, model),
        twin_(spec, model) {}

  LyapunovExponent run(const State& start, const StudyHooks& hooks) {
    if (!go(motion_.start(start), start.t)) return result_;
    // What loops and drivers do not allow, the start draws back.
    State nearby = start;
    nearby.u = perturbed_velocities(motion_.state.u, options_.distance);
    if (!go(twin_.start(nearby), start.t)) return result_;
    for (int k = 1; motion_.state.t < end_s_; ++k) {
      if (hooks.should_stop()) {
        result_.message = "interrupted";
        return result_;
      }
      if (!take_interval()) return result_;
      if (hooks.progress) hooks.progress(motion_.state.t / end_s_, k);
    }
    finish();
    return result_;
  }

 private:
  bool go(StepStatus status, double t_s) {
    if (status == StepStatus::kOk) return true;
    result_.message = fmt::format("at t = {:.9g} s: {}", t_s, to_string(status));
    return false;
  }

  // Velocities count by what they do in an interval.
  double size_of(const VecX& q, const VecX& u) const {
    return std::sqrt(q.squaredNorm() + interval_s_ * interval_s_ * u.squaredNorm());
  }

  bool are_in_step() const {
    const auto touches = [](const ContactMemory& a, const ContactMemory& b) {
      return a.key == b.key && a.is_touching == b.is_touching && a.mode == b.mode;
    };
    const std::vector<ContactMemory>&a = motion_.state.contacts, &b = twin_.state.contacts;
    return motion_.impacts == twin_.impacts && std::equal(a.begin(), a.end(), b.begin(), b.end(), touches);
  }

  bool take_interval() {
    const double begin_s = motion_.state.t;
    for (int extension = 0; extension <= kMostExtensions; ++extension) {
      const double t_s = std::min(motion_.state.t + interval_s_, end_s_);
      if (!go(motion_.go_to(t_s), t_s) || !go(twin_.go_to(t_s), t_s)) return false;
      if (are_in_step() || t_s >= end_s_) break;
    }
    if (!are_in_step() && motion_.state.t >= end_s_) return true;  // the last one tells nothing
    note(begin_s);
    return !result_.has_merged;
  }

  void note(double begin_s) {
    const VecX dq = twin_.state.q - motion_.state.q, du = twin_.state.u - motion_.state.u;
    const double size = size_of(motion_.state.q, motion_.state.u), distance = size_of(dq, du);
    const double wanted = options_.distance * size;
    if (distance <= kMerged * size) {
      result_.has_merged = result_.is_complete = true;
      result_.per_s = -std::numeric_limits<double>::infinity();
      return;
    }
    if (begin_s >= options_.transient_s && last_distance_ > 0) {
      growths_.push_back(std::log(distance / last_distance_));
      durations_.push_back(motion_.state.t - begin_s);
      sum_ += growths_.back();
      sum_s_ += durations_.back();
      result_.time_s.push_back(motion_.state.t);
      result_.estimate.push_back(sum_ / sum_s_);
    }
    // What contacts remember belongs to the motion that is followed.
    const double factor = wanted / distance;
    twin_.state = motion_.state;
    twin_.state.q += factor * dq;
    twin_.state.u += factor * du;
    twin_.impacts = motion_.impacts;
    last_distance_ = wanted;
  }

  void finish() {
    const std::size_t count = growths_.size();
    if (count < kParts) {
      result_.message =
          fmt::format("only {} intervals lie behind the transient: choose shorter ones or a longer run", count);
      return;
    }
    result_.is_complete = true;
    result_.per_s = fitted_slope();
    double squares = 0;
    for (std::size_t part = 0; part < kParts; ++part) {
      double growth = 0, time_s = 0;
      for (std::size_t i = part * count / kParts; i < (part + 1) * count / kParts; ++i) {
        growth += growths_[i];
        time_s += durations_[i];
      }
      squares += std::pow(growth / time_s - result_.per_s, 2);
    }
    result_.error_per_s = std::sqrt(squares / (kParts * (kParts - 1)));
  }

  // Of the sum of all growths over time: the distance swings as the motion does, and a fit does not care in which phase
  // the run ends.
  double fitted_slope() const {
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

  const LyapunovOptions options_;
  const double end_s_, interval_s_;
  Motion motion_, twin_;
  LyapunovExponent result_;
  std::vector<double> growths_, durations_;
  double sum_ = 0, sum_s_ = 0;
  double last_distance_ = 0;  // 0: the first interval, in which the difference finds its direction
};

}  // namespace

LyapunovExponent largest_lyapunov_exponent(const ModelSpec& spec, const Model& model, const LyapunovOptions& options,
                                           const StudyHooks& hooks) {
  check(spec, *model.system);
  if (!(options.distance > 0) || options.transient_s < 0 || options.interval_s < 0)
    throw ModelError("lyapunov", "distance, transient and interval must not be negative", "leave them out");
  return Benettin(spec, model, options).run(model.system->initial_state(), hooks);
}

}  // namespace freeplay::study

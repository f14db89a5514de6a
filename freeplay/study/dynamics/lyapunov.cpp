#include "freeplay/study/dynamics/lyapunov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/study/dynamics/growth_fit.h"
#include "freeplay/study/dynamics/motion.h"
#include "freeplay/study/perturbed_system.h"

namespace freeplay::study {

namespace {

// An interval that ends between the impacts of the two is made longer, not more often than this.
constexpr int kMostExtensions = 20;
constexpr double kMerged = 1e-14;  // of positions and velocities

}  // namespace

void check_lyapunov(const ModelSpec& spec, const System& system) {
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

namespace {

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
  double size_of(const VecX& q, const VecX& u) const {
    return std::sqrt(q.squaredNorm() + interval_s_ * interval_s_ * u.squaredNorm());
  }

  bool take_interval() {
    const double begin_s = motion_.state.t;
    for (int extension = 0; extension <= kMostExtensions; ++extension) {
      const double t_s = std::min(motion_.state.t + interval_s_, end_s_);
      if (!go(motion_.go_to(t_s), t_s) || !go(twin_.go_to(t_s), t_s)) return false;
      if (are_in_step(motion_, twin_) || t_s >= end_s_) break;
    }
    if (!are_in_step(motion_, twin_) && motion_.state.t >= end_s_) return true;  // the last one tells nothing
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
      growth_.add(std::log(distance / last_distance_), motion_.state.t - begin_s);
      result_.time_s.push_back(motion_.state.t);
      result_.estimate.push_back(growth_.mean());
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
    if (!growth_.is_enough()) {
      result_.message = growth_.what_is_missing();
      return;
    }
    result_.is_complete = true;
    result_.per_s = growth_.slope();
    result_.error_per_s = growth_.error();
  }

  const LyapunovOptions options_;
  const double end_s_, interval_s_;
  Motion motion_, twin_;
  LyapunovExponent result_;
  GrowthFit growth_;
  double last_distance_ = 0;  // 0: the first interval, in which the difference finds its direction
};

}  // namespace

LyapunovExponent largest_lyapunov_exponent(const ModelSpec& spec, const Model& model, const LyapunovOptions& options,
                                           const StudyHooks& hooks) {
  check_lyapunov(spec, *model.system);
  if (!(options.distance > 0) || options.transient_s < 0 || options.interval_s < 0)
    throw ModelError("lyapunov", "distance, transient and interval must not be negative", "leave them out");
  return Benettin(spec, model, options).run(options.start ? *options.start : model.system->initial_state(), hooks);
}

}  // namespace freeplay::study

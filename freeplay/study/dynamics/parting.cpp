#include "freeplay/study/dynamics/parting.h"

#include <algorithm>
#include <cmath>

#include "freeplay/math/philox.h"
#include "freeplay/study/dynamics/lyapunov.h"
#include "freeplay/study/dynamics/motion.h"
#include "freeplay/study/dynamics/tangent_space.h"
#include "freeplay/study/perturbed_system.h"

namespace freeplay::study {

namespace {

constexpr int kLeastMembers = 2;        // below this there is no scatter to tell an error from
constexpr double kComeTogether = 1e-3;  // of `apart`: neighbours that begin anew because rounding is near

// One machine and its neighbour.
class PartingPair {
 public:
  PartingPair(const ModelSpec& spec, const Model& model, const PartingOptions& options, int member)
      : options_(options),
        system_(*model.system),
        member_(member),
        end_s_(spec.simulate.duration_s),
        interval_s_(options.interval_s > 0 ? options.interval_s : end_s_ / 1000),
        motion_(spec, model),
        twin_(spec, model) {}

  std::string message;  // of a failure
  double growth = 0, time_s = 0;
  std::int64_t partings = 0;

  bool run(const StudyHooks& hooks) {
    State start = system_.initial_state();
    if (member_ > 0) start.u = perturbed_velocities(start.u, options_.spread * member_);
    if (!go(motion_.start(start), start.t) || !go(twin_.start(start), start.t)) return false;
    if (options_.transient_s > start.t && !go(motion_.go_to(options_.transient_s), options_.transient_s)) return false;
    place_somewhere();
    if (!take_intervals(motion_, end_s_, hooks, message, [this] { return take_interval(); })) return false;
    if (!is_waiting_) note();
    return true;
  }

 private:
  bool go(StepStatus status, double t_s) {
    if (status == StepStatus::kOk) return true;
    message = failure_at(t_s, status);
    return false;
  }

  // In a direction of the member's own among those that loops and motions allow. Positions alone: a difference of
  // velocities would make the distance grow at first by what it does in no time.
  void place_somewhere() {
    TangentSpace tangents(system_, motion_.state);
    const MatX basis = tangents.basis(motion_.state, interval_s_);
    const Eigen::Index positions = motion_.state.q.size();
    VecX direction = VecX::Zero(basis.rows());
    for (Eigen::Index i = 0; i < tangents.freedoms(); ++i) {
      const auto stream = static_cast<std::uint32_t>(member_);
      direction += (2 * random_number(0, stream, static_cast<std::uint64_t>(i)) - 1) * basis.col(i);
    }
    place(direction.head(positions), direction.tail(direction.size() - positions) / interval_s_);
  }

  void place(const VecX& dq, const VecX& du) {
    const double factor = options_.apart / dq.norm();
    twin_.state = motion_.state;  // what contacts remember belongs to the motion that is followed
    twin_.state.q += factor * dq;
    twin_.state.u += factor * du;
    twin_.impacts = motion_.impacts;
    placed_s_ = motion_.state.t;
    is_waiting_ = false;
  }

  bool take_interval() {
    const double t_s = std::min(motion_.state.t + interval_s_, end_s_);
    if (!go(motion_.go_to(t_s), t_s) || !go(twin_.go_to(t_s), t_s)) return false;
    const VecX dq = twin_.state.q - motion_.state.q;
    const bool has_parted = dq.norm() >= options_.until, has_met = dq.norm() <= kComeTogether * options_.apart;
    if (!is_waiting_ && (has_parted || has_met)) {
      note();
      partings += has_parted;
      is_waiting_ = true;
    }
    // Positions are continuous, so that their distance counts at any instant; but between the impacts of the two the
    // difference of velocities is no neighbour's, and time that passes until both have had theirs is left out.
    if (!is_waiting_ || !are_in_step(motion_, twin_)) return true;
    if (!(dq.norm() > 0)) {
      message = "two neighbours have become the same motion, to the last digit";
      return false;
    }
    place(dq, twin_.state.u - motion_.state.u);
    return true;
  }

  void note() {
    const double distance = (twin_.state.q - motion_.state.q).norm();
    if (!(distance > 0) || motion_.state.t <= placed_s_) return;
    growth += std::log(distance / options_.apart);
    time_s += motion_.state.t - placed_s_;
  }

  const PartingOptions options_;
  const System& system_;
  const int member_;
  const double end_s_, interval_s_;
  Motion motion_, twin_;
  double placed_s_ = 0;
  bool is_waiting_ = false;  // has been noted, and begins anew at the next chance
};

void check_parting(const PartingOptions& options) {
  const auto refuse = [](const char* option, const char* message, const char* hint) {
    throw ModelError({Diagnostic{{option, 0, 0}, "", message, hint, {}}});
  };
  if (!(options.apart > 0)) refuse("--apart", "neighbours begin at no distance", "give a number above 0, such as 1e-9");
  if (!(options.until > options.apart) || !std::isfinite(options.until))
    refuse("--until", "neighbours have parted before they begin", "give --apart a smaller number than --until");
  if (options.members < kLeastMembers)
    throw ModelError("--members", "the scatter of the members tells the error of their mean", "give two or more");
  if (options.transient_s < 0 || options.interval_s < 0 || options.spread < 0)
    throw ModelError("lyapunov", "transient, interval and spread must not be negative", "leave them out");
}

// Growths over times, and from the members' own rates the error of that.
void summarise(const std::vector<double>& times, double growth, PartingRate& found) {
  double time_s = 0, squares = 0;
  for (const double each : times) time_s += each;
  found.per_s = growth / time_s;
  for (const double rate : found.member_per_s) squares += std::pow(rate - found.per_s, 2);
  const auto count = static_cast<double>(found.member_per_s.size());
  found.error_per_s = std::sqrt(squares / (count * (count - 1)));
  found.is_complete = true;
}

}  // namespace

double PartingRate::tenfold_s() const {
  return std::log(10) / per_s;
}

PartingRate measure_parting(const ModelSpec& spec, const Model& model, const PartingOptions& options,
                            const StudyHooks& hooks) {
  check_lyapunov(spec, *model.system);
  check_parting(options);
  if (TangentSpace(*model.system, model.system->initial_state()).dimension() == 0)
    throw ModelError("drivers", "prescribed motions and loops leave nothing free, so that there are no neighbours",
                     "drive by a torque, or give joints play");
  PartingRate found;
  std::vector<double> times;
  double growth = 0;
  for (int member = 0; member < options.members; ++member) {
    StudyHooks of_member = hooks;
    if (hooks.progress) {
      of_member.progress = [&](double fraction, std::int64_t steps) {
        hooks.progress((member + fraction) / options.members, steps);
      };
    }
    PartingPair pair(spec, model, options, member);
    if (!pair.run(of_member)) {
      found.message = pair.message;
      return found;
    }
    if (!(pair.time_s > 0)) {
      found.message = "no time is left behind the transient";
      return found;
    }
    growth += pair.growth;
    times.push_back(pair.time_s);
    found.partings += pair.partings;
    found.member_per_s.push_back(pair.growth / pair.time_s);
  }
  summarise(times, growth, found);
  return found;
}

}  // namespace freeplay::study

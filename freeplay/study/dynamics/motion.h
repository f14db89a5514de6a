// A motion that can be stopped at any instant, looked at, moved and continued. For integrators that choose their steps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "freeplay/model/model.h"
#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/study/study_run.h"

namespace freeplay::study {

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

inline std::string failure_at(double t_s, StepStatus status) {
  return fmt::format("at t = {:.9g} s: {}", t_s, to_string(status));
}

// Takes intervals until the motion has come to its end. False if one failed, or the study is to stop, as `message` then
// says.
template <class TakeInterval>
bool take_intervals(const Motion& motion, double end_s, const StudyHooks& hooks, std::string& message,
                    const TakeInterval& take) {
  for (int k = 1; motion.state.t < end_s; ++k) {
    if (hooks.should_stop()) {
      message = "interrupted";
      return false;
    }
    if (!take()) return false;
    if (hooks.progress) hooks.progress(motion.state.t / end_s, k);
  }
  return true;
}

// Whether two motions nearby have passed the same impacts: only then their difference is that of neighbours.
inline bool are_in_step(const Motion& motion, const Motion& twin) {
  const auto touches = [](const ContactMemory& a, const ContactMemory& b) {
    return a.key == b.key && a.is_touching == b.is_touching && a.mode == b.mode;
  };
  const std::vector<ContactMemory>&a = motion.state.contacts, &b = twin.state.contacts;
  return motion.impacts == twin.impacts && std::equal(a.begin(), a.end(), b.begin(), b.end(), touches);
}

}  // namespace freeplay::study

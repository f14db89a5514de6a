// What a cause is decided by and can be read from the two runs directly.
#include <algorithm>

#include "freeplay/study/compare/cause.h"

namespace freeplay::study {

const char* to_string(Cause cause) {
  switch (cause) {
    case Cause::kChaos:
      return "chaos";
    case Cause::kLaw:
      return "law";
    case Cause::kZeno:
      return "zeno";
    case Cause::kSolver:
      return "solver";
    case Cause::kStep:
      return "step";
    case Cause::kUndecided:
      break;
  }
  return "undecided";
}

bool laws_may_differ(const StudyRun& a, const StudyRun& b) {
  return a.is_smooth != b.is_smooth || a.other_settings != b.other_settings;
}

bool only_solver_differs(const StudyRun& a, const StudyRun& b) {
  const SimulationOptions &x = a.options, &y = b.options;
  return !a.is_smooth && x.integrator == y.integrator && x.solver != y.solver && x.step_s == y.step_s &&
         x.min_step_s == y.min_step_s && x.max_step_s == y.max_step_s && x.theta == y.theta &&
         x.activation == y.activation && x.velocity_forces == y.velocity_forces && x.constraint == y.constraint &&
         x.step_choice == y.step_choice && x.projection_m == y.projection_m && a.other_settings == b.other_settings;
}

double contact_duration(const StudyRun& run, int contact, double onset_s) {
  if (!run.is_smooth) return 0;
  const std::vector<double>* force = run.trace.find(run.force_channels[static_cast<std::size_t>(contact)]);
  if (force == nullptr) return 0;
  const std::vector<double>& time = run.trace.time;
  std::size_t i = static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), onset_s) - time.begin());
  while (i < time.size() && (*force)[i] > 0) ++i;
  return i < time.size() ? time[i] - onset_s : 0;
}

}  // namespace freeplay::study

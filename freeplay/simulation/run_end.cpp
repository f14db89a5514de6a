#include "freeplay/simulation/run_end.h"

#include <fmt/format.h>

#include <cmath>

#include "freeplay/integrators/integrator.h"

namespace freeplay::simulation {

namespace {

// A difference between the duration and a whole number of steps that is more than rounding.
bool is_noticeable(double difference_s, const SimulationOptions& options) {
  return options.step_s && std::abs(difference_s) > 1e-6 * *options.step_s;
}

}  // namespace

// Steps that are all equal end on a multiple of the step, the nearest one; all others end at the duration.
double end_time_of(const SimulationOptions& options) {
  if (!options.step_s) return options.duration_s;
  const double on_grid_s = std::round(options.duration_s / *options.step_s) * *options.step_s;
  const IntegratorEntry* entry = find_integrator(options.integrator);
  const bool is_fixed = entry == nullptr || entry->traits.step_rule == StepRule::kFixed;
  return is_fixed || !is_noticeable(on_grid_s - options.duration_s, options) ? on_grid_s : options.duration_s;
}

void tell_of_another_end(double end_s, const SimulationOptions& options, const RunContext& context) {
  if (!is_noticeable(end_s - options.duration_s, options)) return;
  const std::string text = fmt::format(
      "the duration, {:.6g} s, is not a multiple of the step, {:.6g} s: the run ends at t = {:.6g} s. Choose a step "
      "that "
      "divides it",
      options.duration_s, *options.step_s, end_s);
  constexpr double kHardlyAnyDifference = 1e-3;
  const bool matters = std::abs(end_s - options.duration_s) > kHardlyAnyDifference * options.duration_s;
  matters ? context.warn(text) : context.info(text);
}

}  // namespace freeplay::simulation

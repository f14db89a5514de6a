// What the tests of spatial joints with play share: one step rule for all runs, reference columns, states as they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "freeplay/integrators/integrator.h"
#include "physics/csv_table.h"
#include "physics/model_run.h"

namespace freeplay::test {

inline Overrides joined(Overrides overrides, const Overrides& more) {
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

// Overrides of the examples with `integrator: nlp-variable-step`.
inline Overrides step_rule(const std::string& constraint, const std::string& choice, double shortest, double longest) {
  return {"simulate.constraint=" + constraint, "simulate.step_choice=" + choice, fmt::format("h_min={} s", shortest),
          fmt::format("h_max={} s", longest)};
}
inline Overrides fixed_step(const std::string& constraint, double h) {
  return step_rule(constraint, "fixed", h, h);
}

// The row nearest to a time.
inline std::size_t row_at(const std::vector<double>& time, double t) {
  const auto after = std::lower_bound(time.begin(), time.end(), t);
  if (after == time.begin()) return 0;
  const std::size_t i = static_cast<std::size_t>(after - time.begin());
  return i == time.size() || time[i] - t > t - time[i - 1] ? i - 1 : i;
}

inline double value_at(const std::vector<double>& time, const std::vector<double>& values, double t) {
  const auto after = std::upper_bound(time.begin() + 1, time.end() - 1, t);
  const std::size_t i = static_cast<std::size_t>(after - time.begin());
  return values[i - 1] + (values[i] - values[i - 1]) * (t - time[i - 1]) / (time[i] - time[i - 1]);
}

inline double mean_after(const ModelRun& run, const std::string& channel, double t) {
  double sum = 0, duration = 0;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    if (run.time()[i] <= t) continue;
    const double h = run.time()[i] - run.time()[i - 1];
    sum += h * run[channel][i];
    duration += h;
  }
  return sum / duration;
}

// Without row 0: the reference files begin with the end of the first step.
inline std::vector<double> after_start(const std::vector<double>& values) {
  return {values.begin() + 1, values.end()};
}

// Largest deviation of a column from its reference, in parts of the largest reference value.
inline double relative_difference(const std::vector<double>& values, const std::vector<double>& reference) {
  const double scale = largest(reference);
  return largest_difference(values, reference) / (scale > 0 ? scale : 1);
}

// Angle of a body that has turned about the x axis only.
inline double angle_about_x(const ModelRun& run, const std::string& body, std::size_t row) {
  return 2 * std::atan2(run[body + ".e1"][row], run[body + ".e0"][row]);
}
inline double angle_about_z(const ModelRun& run, const std::string& body, std::size_t row) {
  return 2 * std::atan2(run[body + ".e3"][row], run[body + ".e0"][row]);
}

// Steps of nlp-variable-step with the coordinates as the integrator has them: quaternions are not drawn to unit length
// there, and no channel shows that.
inline std::vector<State> states_of_steps(const ModelFile& file, const std::function<void(State&)>& disturb = {}) {
  const Model model = build_model(file);
  IntegratorOptions options;
  options.min_step_s = file.simulate.min_step_s.value_or(0);
  options.max_step_s = file.simulate.max_step_s.value_or(0);
  options.step_constraint = file.simulate.step_constraint;
  options.step_choice = file.simulate.step_choice;
  const auto integrator = find_integrator("nlp-variable-step")->make(*model.system, *model.contacts, options);
  State state = model.system->initial_state();
  if (disturb) disturb(state);
  EXPECT_EQ(integrator->start(state).status, StepStatus::kOk);
  std::vector<State> states = {state};
  while (state.t < file.simulate.duration_s) {
    const StepReport report = integrator->step(state, file.simulate.duration_s);
    EXPECT_EQ(report.status, StepStatus::kOk) << "after " << state.t << " s";
    if (report.status != StepStatus::kOk) break;
    states.push_back(state);
  }
  return states;
}

}  // namespace freeplay::test

#include "freeplay/study/sweep/runs/dynamic_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/study/dynamics/lyapunov.h"
#include "freeplay/study/dynamics/orbit.h"
#include "freeplay/study/dynamics/section.h"

namespace freeplay::study {

namespace {

constexpr double kUnknownMeasure = std::numeric_limits<double>::quiet_NaN();

// A time, such as "20 s"; "" is none.
double transient_time(const std::string& text) {
  if (text.empty()) return 0;
  try {
    const Quantity time = parse_quantity(text);
    if (time.dimension == dimensions::kTime && time.value >= 0) return time.value;
  } catch (const ExpressionError&) {
    // told below
  }
  throw ModelError({Diagnostic{
      {"--lyapunov", 0, 0}, "", fmt::format("the transient '{}' is not a time", text), "write --lyapunov=20s", {}}});
}

}  // namespace

DynamicMeasures::DynamicMeasures(const std::optional<std::string>& lyapunov, std::string orbit)
    : orbit_(std::move(orbit)) {
  if (lyapunov) transient_s_ = transient_time(*lyapunov);
}

std::vector<SweepColumn> DynamicMeasures::columns() const {
  std::vector<SweepColumn> columns;
  if (transient_s_) columns.push_back({"lyapunov", "1/s", {}});
  if (!orbit_.empty()) {
    columns.push_back({"orbit_multiplier", "1", {}});
    columns.push_back({"orbit_impacts", "1", {}});
  }
  return columns;
}

void DynamicMeasures::check(const ModelFile& file, const Model& model) const {
  if (is_empty()) return;
  try {
    check_lyapunov(file, *model.system);  // orbits have the same needs
  } catch (const ModelError& error) {
    throw file.located(error);
  }
  if (!orbit_.empty()) static_cast<void>(period_s(file, model));
}

// The expression may name parameters, as that of a section by time.
double DynamicMeasures::period_s(const ModelFile& file, const Model& model) const {
  SectionPlan plan;
  plan.at = fmt::format("every({})", orbit_);
  plan.points = {"time=t"};
  try {
    return Section(plan, file, model).period_s();
  } catch (const ModelError& error) {
    throw ModelError({Diagnostic{{"--orbit", 0, 0},
                                 "",
                                 fmt::format("'{}': {}", orbit_, error.diagnostics().front().message),
                                 "give a time, or an expression of parameters: --orbit 2*pi/omega",
                                 {}}});
  }
}

DynamicMeasures::Outcome DynamicMeasures::measure_exponent(const ModelFile& file, const Model& model,
                                                           const State& start, const std::atomic<bool>* stop_requested,
                                                           double& value) const {
  LyapunovOptions options;
  options.transient_s = *transient_s_;
  options.start = start;
  StudyHooks hooks;
  hooks.stop_requested = stop_requested;
  const LyapunovExponent exponent = largest_lyapunov_exponent(file, model, options, hooks);
  value = exponent.is_complete ? exponent.per_s : kUnknownMeasure;
  if (exponent.is_complete) return {};
  return {hooks.should_stop(), "no exponent: " + exponent.message, ""};
}

// Values with which there is no period have no periodic motion; the run has its other measures all the same.
DynamicMeasures::Outcome DynamicMeasures::measure_orbit(const ModelFile& file, const Model& model, const State& start,
                                                        const std::atomic<bool>* stop_requested,
                                                        std::span<double> values) const {
  std::fill(values.begin(), values.end(), kUnknownMeasure);
  OrbitOptions options;
  try {
    options.period_s = period_s(file, model);
  } catch (const ModelError& error) {
    return {false, "", "no period: " + error.diagnostics().front().message};
  }
  options.settle_s = file.simulate.duration_s;
  options.start = start;
  StudyHooks hooks;
  hooks.stop_requested = stop_requested;
  const PeriodicOrbit orbit = find_orbit(file, model, options, hooks);
  if (!orbit.is_found) return {hooks.should_stop(), "", "no periodic motion was found: " + orbit.message};
  values[0] = orbit.largest_multiplier();
  values[1] = static_cast<double>(orbit.impacts);
  return {};
}

DynamicMeasures::Outcome DynamicMeasures::measure(const ModelFile& file, const Model& model, const State& start,
                                                  const std::atomic<bool>* stop_requested,
                                                  std::span<double> values) const {
  Outcome outcome;
  if (transient_s_) {
    outcome = measure_exponent(file, model, start, stop_requested, values[0]);
    values = values.subspan(1);
  }
  if (orbit_.empty() || outcome.was_stopped || !outcome.failure.empty()) return outcome;
  return measure_orbit(file, model, start, stop_requested, values);
}

}  // namespace freeplay::study

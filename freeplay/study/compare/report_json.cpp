#include "freeplay/study/compare/report_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/study/compare/report_text.h"

namespace freeplay::study {

namespace {

using Json = nlohmann::ordered_json;

// Not every number has a place in JSON.
template <class Number>
Json number_or_null(const std::optional<Number>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json impact_json(const std::optional<ImpactRecord>& impact) {
  if (!impact) return nullptr;
  return {{"time", impact->time_s},
          {"velocity_before", impact->normal_velocity_before},
          {"velocity_after", impact->normal_velocity_after},
          {"normal_impulse", impact->normal_impulse},
          {"energy_lost", impact->energy_lost_J}};
}

Json run_json(const Comparison& comparison, std::size_t index) {
  const StudyRun& run = comparison.runs[index];
  const RunSummary& s = run.summary;
  const bool is_error_controlled = run.traits.step_rule == StepRule::kErrorControlled;
  const bool has_sum = run.traits.solves_contact_problems() && run.has_every_row;
  Json object = {
      {"label", run.label},
      {"is_reference", comparison.reference == index},
      {"status", status_text(run)},
      {"reason", run.reason},
      {"hint", run.hint},
      {"overrides", run.overrides},
      {"differs_in",
       comparison.reference ? Json(differing_settings(comparison.runs[*comparison.reference], run)) : Json(nullptr)},
      {"integrator", run.options.integrator},
      {"solver", run.traits.solves_contact_problems() ? Json(run.options.solver) : Json(nullptr)},
      {"step", number_or_null(run.options.step_s)},
      {"tolerance", is_error_controlled ? Json(run.options.relative_tolerance) : Json(nullptr)}};
  if (run.has_data()) {
    object["result"] = (comparison.plan.out / run.folder / "result.h5").string();
    object["time"] = s.time_s;
    object["impacts"] = s.impacts;
    object["events"] = s.events;
    object["cost"] = {{"wall_seconds", s.wall_seconds},
                      {"steps", s.steps},
                      {"rejected_steps", s.rejected_steps},
                      {"evaluations", s.evaluations},
                      {"solver_iterations", has_sum ? Json(run.solver_iterations) : Json(nullptr)},
                      {"fallback_steps", s.fallback_steps},
                      {"steps_per_second", s.steps_per_second()}};
  }
  object["warnings"] = run.warnings;
  return object;
}

Json parting_json(const Comparison& comparison, const PairReport& pair, const PartingReport& report) {
  const Parting& parting = report.parting;
  Json tests = Json::array();
  for (const CauseTest& test : report.finding.tests)
    tests.push_back({{"cause", to_string(test.cause)}, {"holds", test.holds}, {"evidence", test.evidence}});
  const StudyRun& reference = comparison.runs[*comparison.reference];
  return {{"reference_formulation", reference.label},
          {"formulation", comparison.runs[pair.run].label},
          {"contact", reference.contacts[static_cast<std::size_t>(parting.contact)]},
          {"impact", parting.order},
          {"time", parting.time_s},
          {"kind", to_string(parting.kind)},
          {"difference", parting.difference},
          {"allowed", parting.allowed},
          {"reference", impact_json(parting.reference)},
          {"other", impact_json(parting.other)},
          {"cause", to_string(report.finding.cause)},
          {"sentence", parting_sentence(comparison, pair, report)},
          {"evidence", report.finding.sentence},
          {"tests", tests}};
}

Json pairs_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const PairReport& pair : comparison.pairs) {
    Json partings = Json::array();
    for (const PartingReport& report : pair.partings) partings.push_back(parting_json(comparison, pair, report));
    list.push_back({{"formulation", comparison.runs[pair.run].label},
                    {"agrees_until", pair.agrees_until_s},
                    {"matched_impacts", pair.match.matched},
                    {"largest_time_difference", pair.match.largest_time_difference_s},
                    {"largest_speed_difference", pair.match.largest_speed_difference_m_s},
                    {"motion_parted_at", number_or_null(pair.motion_parted_at_s)},
                    {"largest_motion_difference", pair.largest_motion_difference},
                    {"partings", partings}});
  }
  return list;
}

Json twin_json(const Comparison& comparison) {
  if (!comparison.twin) return nullptr;
  const PerturbationGrowth& twin = *comparison.twin;
  return {{"perturbation", twin.perturbation},
          {"differs", twin.differs},
          {"largest_difference", twin.largest},
          {"growth_factor", number_or_null(twin.factor)},
          {"growth_rate", number_or_null(twin.rate_per_s)},
          {"parted_difference", kPartedDifference},
          {"parted_at", number_or_null(twin.parted_at_s)},
          {"sentence", twin_sentence(twin)}};
}

Json quantities_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const ComparedQuantity& quantity : comparison.quantities) {
    Json values = Json::array();
    for (const QuantityValue& value : quantity.values)
      values.push_back({{"whole", number_or_null(value.whole)},
                        {"before_parting", number_or_null(value.before)},
                        {"reference_before_parting", number_or_null(value.reference_before)}});
    list.push_back({{"group", quantity.group},
                    {"name", quantity.name},
                    {"unit", quantity.unit},
                    {"values", values},
                    {"relative_spread", number_or_null(quantity.spread)},
                    {"agrees", quantity.spread ? Json(quantity.agrees) : Json(nullptr)}});
  }
  return list;
}

Json accumulations_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const Accumulation& cluster : comparison.accumulations) {
    const StudyRun& reference = comparison.runs[*comparison.reference];
    list.push_back({{"contact", reference.contacts[static_cast<std::size_t>(cluster.contact)]},
                    {"begin", cluster.begin_s},
                    {"last", cluster.last_s},
                    {"limit", cluster.limit_s},
                    {"impacts", cluster.impacts},
                    {"ratio", cluster.ratio}});
  }
  return list;
}

}  // namespace

Json comparison_json(const Comparison& comparison) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) runs.push_back(run_json(comparison, i));
  Json object = {
      {"model", comparison.model},
      {"file", comparison.plan.model.string()},
      {"overrides", comparison.plan.overrides},
      {"interrupted", comparison.was_interrupted},
      {"reference", comparison.reference ? Json(comparison.runs[*comparison.reference].label) : Json(nullptr)},
      {"formulations", runs}};
  const std::optional<Comparison::First> first = comparison.first_parting();
  object["first_disagreement"] = first ? parting_json(comparison, *first->pair, *first->report) : Json(nullptr);
  object["pairs"] = pairs_json(comparison);
  object["twin"] = twin_json(comparison);
  object["accumulations"] = accumulations_json(comparison);
  object["channels"] = comparison.curves;
  object["force_window"] = comparison.window_s;
  object["quantities"] = quantities_json(comparison);
  return object;
}

}  // namespace freeplay::study

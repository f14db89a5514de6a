#include "freeplay/study/sweep/study_plan.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/io/model/resolved_text.h"

namespace freeplay::study {

namespace {

using PlanJson = nlohmann::ordered_json;

const std::string& kept_text(const SweepTable& table, const char* name) {
  const auto found = table.header.attributes.find(name);
  if (found == table.header.attributes.end()) throw IoError(fmt::format("the file does not hold '{}'", name));
  return found->second;
}

std::vector<std::string> kept_list(const PlanJson& study, const char* name) {
  const PlanJson list = study.value(name, PlanJson::array());
  if (!list.is_array()) throw IoError(fmt::format("the study's '{}' is not a list", name));
  std::vector<std::string> texts;
  for (const PlanJson& text : list) texts.push_back(text.get<std::string>());
  return texts;
}

SweepPlan read_plan(const SweepTable& table, const std::optional<std::filesystem::path>& model) {
  const PlanJson study = PlanJson::parse(kept_text(table, "study"), nullptr, false);
  if (!study.is_object() || !study.contains("measures") || !study["measures"].is_object())
    throw IoError("the file does not say which study it holds");
  SweepPlan plan;
  plan.model = model.value_or(kept_text(table, "model_file"));
  const bool is_resolved = table.header.attributes.contains(kResolvedModelAttribute);
  if (!model) plan.text = kept_text(table, is_resolved ? kResolvedModelAttribute : "model");
  if (!model && is_resolved) plan.own_text = kept_text(table, "model");
  plan.overrides = kept_list(study, "set");
  plan.over = kept_list(study, "over");
  plan.sample = study.value("sample", "");
  plan.seed = study.value("seed", std::uint64_t{0});
  plan.backend = sweep_backend(study.value("backend", "engine"));
  plan.worst = study.value("worst", "");
  // In the order of the columns.
  for (const SweepColumn& measure : table.header.measures) {
    if (!study["measures"].contains(measure.name)) continue;  // of dynamics
    plan.measures.push_back(measure.name + "=" + study["measures"][measure.name].get<std::string>());
  }
  if (study.contains("lyapunov")) plan.lyapunov = study["lyapunov"].get<std::string>();
  plan.orbit = study.value("orbit", "");
  plan.section.at = study.value("section", "");
  plan.section.points = kept_list(study, "points");
  plan.section.skip = study.value("skip", std::int64_t{0});
  if (study.contains("turns")) plan.section.turns = study["turns"].get<std::int64_t>();
  plan.follow = study.value("follow", "");
  return plan;
}

}  // namespace

SweepPlan plan_of_study(const SweepTable& table, const std::optional<std::filesystem::path>& model) {
  try {
    return read_plan(table, model);
  } catch (const PlanJson::exception&) {
    throw IoError("the file does not say which study it holds");
  }
}

}  // namespace freeplay::study

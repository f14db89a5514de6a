#include "freeplay/study/sweep/runs/study_member.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/study/sweep/runs/followed_start.h"
#include "freeplay/study/sweep/study_plan.h"

namespace freeplay::study {

namespace {

const SweepRow* find_row(const SweepTable& table, std::int64_t run) {
  const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                [&](const SweepRow& candidate) { return candidate.index == run; });
  return row == table.rows.end() ? nullptr : &*row;
}

// Where the neighbour ended from which the run went on; empty: it began as the model says. One that failed has handed
// on the state that it began with.
std::vector<double> start_of(const SweepTable& table, const SweepRunner& runner, std::int64_t run) {
  const SweepChains& chains = runner.chains();
  if (!chains.follows()) return {};
  const std::int64_t chain = chains.chain_of(run);
  for (std::int64_t place = 1; place < chains.length(); ++place) {
    if (chains.index(chain, place) != run) continue;
    for (std::int64_t earlier = place - 1; earlier >= 0; --earlier) {
      const SweepRow* before = find_row(table, chains.index(chain, earlier));
      std::vector<double> state = before == nullptr ? std::vector<double>{} : runner.final_state(*before);
      if (!state.empty()) return state;
    }
    break;
  }
  return {};
}

std::string model_fingerprint(const SweepHeader& header) {
  const auto study = header.attributes.find("study");
  if (study == header.attributes.end()) return "";
  const auto json = nlohmann::json::parse(study->second, nullptr, false);
  return json.is_object() ? json.value("model", "") : "";
}

}  // namespace

// Beside member(), which records only what the measures need.
RecordedMember SweepRunner::recorded(const std::vector<double>& values, std::span<const double> start) const {
  RecordedMember one{family_.member(points_.overrides_of(values)), {}, {}};
  one.file.measures = measures_;
  one.model = build_model(one.file);
  if (!section_.at.empty()) Section(section_, one.file, one.model).adapt(one.file.simulate);
  one.start = start.empty() ? one.model.system->initial_state() : followed_start(one.model, start);
  return one;
}

namespace {

SweepPlan recording_plan(const SweepTable& table, const std::optional<std::filesystem::path>& model) {
  SweepPlan plan = plan_of_study(table, model);
  plan.backend = SweepBackend::kEngine;  // compiled code records nothing
  return plan;
}

}  // namespace

StudyMembers::StudyMembers(const SweepTable& table, const std::optional<std::filesystem::path>& model)
    : table_(table), runner_(recording_plan(table, model)) {
  if (model_fingerprint(runner_.header()) != model_fingerprint(table.header))
    throw IoError(
        fmt::format("{} is not the model that the study was made from", recording_plan(table, model).model.string()));
}

RecordedMember StudyMembers::member(std::int64_t run) const {
  const SweepRow* row = find_row(table_, run);
  if (row == nullptr)
    throw IoError(fmt::format("the study has no run {}: it has {} of {}, numbered from 0", run, table_.rows.size(),
                              table_.header.runs));
  return runner_.recorded(row->values, start_of(table_, runner_, run));
}

RecordedMember study_member(const SweepTable& table, std::int64_t run,
                            const std::optional<std::filesystem::path>& model) {
  if (find_row(table, run) == nullptr)  // before the model is read
    throw IoError(fmt::format("the study has no run {}: it has {} of {}, numbered from 0", run, table.rows.size(),
                              table.header.runs));
  return StudyMembers(table, model).member(run);
}

}  // namespace freeplay::study

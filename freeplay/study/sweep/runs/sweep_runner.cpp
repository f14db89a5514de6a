#include "freeplay/study/sweep/runs/sweep_runner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/study/sweep/runs/followed_start.h"
#include "freeplay/study/sweep/runs/refusal_text.h"

namespace freeplay::study {

namespace {

// Measures see the rows; nothing else is kept.
class NoSink final : public RecordSink {
 public:
  void begin(const RecordLayout& layout) override { measures = layout.measures; }
  void row(double /*time_s*/, std::span<const double> /*values*/) override {}
  void impact(const ImpactRecord& /*record*/) override {}
  void end(const RunSummary& /*summary*/) override {}

  std::vector<ChannelInfo> measures;
};

}  // namespace

struct SweepRunner::Member {
  ModelFile file;
  Model model;
  std::optional<Section> section;
  State start;
};

bool SweepRunner::run_several(std::span<const std::int64_t> indices, const std::atomic<bool>* stop_requested,
                              const RowsOut& hand_out) const {
  std::vector<LaneResult> measured(indices.size());
  if (compiled_ != nullptr) measured = compiled_->measure(indices, stop_requested);
  std::vector<SweepRow> rows;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!measured[i].is_done) {
      left.push_back(i);
      continue;
    }
    SweepRow& row = rows.emplace_back();
    row.index = indices[i];
    row.values = points_.values(indices[i]);
    row.values.insert(row.values.end(), measured[i].values.begin(), measured[i].values.end());
    row.crossings = std::move(measured[i].crossings);
  }
  if (!rows.empty()) hand_out(std::move(rows));
  for (const std::size_t i : left) {
    if (stop_requested != nullptr && stop_requested->load(std::memory_order_relaxed)) return false;
    std::optional<SweepRow> row = run(indices[i], {}, stop_requested);
    if (!row) return false;
    if (compiled_ != nullptr && row->status != SweepStatus::kRefused) {  // which nothing can run
      row->left_because = measured[i].left_because;
      ++left_to_engine_;
    }
    hand_out({std::move(*row)});
  }
  return true;
}

std::optional<SweepRow> SweepRunner::run(std::int64_t index, std::span<const double> start,
                                         const std::atomic<bool>* stop_requested) const {
  std::vector<double> values = points_.values(chains_.point_of(index));
  if (chains_.has_directions()) values.push_back(chains_.is_down(index) ? 1 : 0);
  return run_from(index, std::move(values), start, stop_requested);
}

std::optional<SweepRow> SweepRunner::run_at(std::int64_t index, std::vector<double> values,
                                            const std::atomic<bool>* stop_requested) const {
  return run_from(index, std::move(values), {}, stop_requested);
}

std::optional<SweepRow> SweepRunner::run_from(std::int64_t index, std::vector<double> values,
                                              std::span<const double> start,
                                              const std::atomic<bool>* stop_requested) const {
  SweepRow row;
  row.index = index;
  row.values = std::move(values);
  row.values.resize(header_.parameters.size() + header_.measures.size() + header_.final_state.size(),
                    std::numeric_limits<double>::quiet_NaN());
  bool was_stopped = false;
  try {
    const Member one = member(row.values, start);
    measure(one, stop_requested, row, was_stopped);
    if (!dynamics_.is_empty() && !was_stopped) measure_dynamics(one, stop_requested, row, was_stopped);
  } catch (const ModelError& error) {
    row.status = SweepStatus::kRefused;
    row.message = refusal_text(error);
  }
  if (was_stopped) return std::nullopt;
  return row;
}

std::vector<double> SweepRunner::values_in_box(const std::vector<double>& place) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < place.size(); ++k) values.push_back(points_.axes()[k].value_in_range(place[k]));
  return values;
}

std::vector<double> SweepRunner::nominal_place() const {
  std::vector<double> place;
  for (const SweepAxis& axis : points_.axes()) {
    place.push_back(0.5);
    for (const ModelParameter& parameter : family_.base().parameters) {
      if (parameter.name == axis.name && !parameter.word) place.back() = axis.place_in_range(parameter.value.value);
    }
  }
  return place;
}

std::vector<double> SweepRunner::final_state(const SweepRow& row) const {
  if (row.status != SweepStatus::kCompleted) return {};
  return {row.values.end() - static_cast<std::ptrdiff_t>(header_.final_state.size()), row.values.end()};
}

SweepRunner::Member SweepRunner::member(const std::vector<double>& values, std::span<const double> start) const {
  Member one{family_.member(points_.overrides_of(values)), {}, {}, {}};
  one.file.measures = measures_;
  one.file.record.channels = channels_;
  one.file.record.motion = false;
  one.file.record.contact_forces = 0;
  one.model = build_model(one.file);
  if (!section_.at.empty()) {
    one.section.emplace(section_, one.file, one.model);
    one.section->adapt(one.file.simulate);
    one.file.record.every = 1;
  }
  one.start = start.empty() ? one.model.system->initial_state() : followed_start(one.model, start);
  return one;
}

void SweepRunner::measure(const Member& member, const std::atomic<bool>* stop_requested, SweepRow& row,
                          bool& was_stopped) const {
  const std::unique_ptr<Simulation> simulation = build_simulation(member.file, member.model);
  RunContext context;
  context.stop_requested = stop_requested;
  NoSink nothing;
  std::optional<SectionSink> crossings;
  std::unique_ptr<InsideOfSteps> inside;
  if (member.section) {
    if (member.section->is_by_zero()) inside = InsideOfSteps::make(member.file, member.model);
    crossings.emplace(*member.section, inside.get());
  }
  RecordSink& sink = crossings ? static_cast<RecordSink&>(*crossings) : nothing;
  simulation->open(member.start, sink, context);
  // A neighbour that follows takes up the motion at the end of the duration, in which the drive has come to its start
  // again, and not at some crossing.
  const bool ends_early = crossings && !chains_.follows();
  do {
    if (inside != nullptr) inside->note_start(simulation->state());
  } while (!(ends_early && crossings->is_full()) && simulation->advance());
  const RunSummary summary = simulation->close();
  was_stopped = summary.status == RunStatus::kInterrupted;
  row.warnings = static_cast<std::int32_t>(summary.warnings.size());
  if (crossings) row.crossings = std::move(crossings->crossings());
  if (summary.status == RunStatus::kFailed) {
    row.status = SweepStatus::kFailed;
    row.message = "the run failed " + summary.message;
    row.crossings.clear();
    return;
  }
  const std::size_t first_measure = header_.parameters.size();
  for (std::size_t i = 0; i < summary.measures.size(); ++i) row.values[first_measure + i] = summary.measures[i].value;
  if (header_.final_state.empty()) return;
  const State& state = simulation->state();
  auto next = row.values.end() - static_cast<std::ptrdiff_t>(header_.final_state.size());
  next = std::copy(state.q.begin(), state.q.end(), next);
  std::copy(state.u.begin(), state.u.end(), next);
}

void SweepRunner::measure_dynamics(const Member& member, const std::atomic<bool>* stop_requested, SweepRow& row,
                                   bool& was_stopped) const {
  if (row.status != SweepStatus::kCompleted) return;
  const auto first = row.values.begin() + static_cast<std::ptrdiff_t>(header_.parameters.size());
  const std::span<double> values(first + static_cast<std::ptrdiff_t>(measures_.size()),
                                 header_.measures.size() - measures_.size());
  const DynamicMeasures::Outcome outcome =
      dynamics_.measure(member.file, member.model, member.start, stop_requested, values);
  was_stopped = outcome.was_stopped;
  row.message = outcome.no_orbit;
  const bool has_nothing_else = header_.section.empty() && header_.final_state.empty() &&
                                std::all_of(first, first + static_cast<std::ptrdiff_t>(header_.measures.size()),
                                            [](double value) { return std::isnan(value); });
  if (!row.message.empty() && has_nothing_else) row.status = SweepStatus::kFailed;
  if (outcome.failure.empty()) return;
  std::fill_n(first, header_.measures.size(), std::numeric_limits<double>::quiet_NaN());
  row.status = SweepStatus::kFailed;
  row.message = outcome.failure;
}

}  // namespace freeplay::study

#include "freeplay/compile/compiled_family.h"

#include <algorithm>

namespace freeplay::compile {

namespace {

constexpr long long kStepsAtATime = 1024;

}  // namespace

CompiledFamily::CompiledFamily(std::span<const Sample> samples, const std::vector<std::string>& channels)
    : code_(samples, channels),
      source_(code_.processor_source()),
      cached_(compile_object(source_, processor_toolchain())),
      object_(cached_.file) {}

void CompiledFamily::run(std::span<LaneData> lanes, const LaneRowSink& rows,
                         const std::function<bool()>& should_stop) const {
  static_cast<void>(run_lanes(lanes, rows, should_stop));
}

CompiledFamily::Counts CompiledFamily::run_counting(std::span<LaneData> lanes) const {
  return run_lanes(lanes, {}, {});
}

CompiledFamily::Counts CompiledFamily::run_lanes(std::span<LaneData> lanes, const LaneRowSink& rows,
                                                 const std::function<bool()>& should_stop) const {
  if (lanes.empty()) return {};
  mark_lanes_without_numbers(lanes);
  const LaneData::Rules& rules = lanes.front().rules;
  std::vector<FreeplayLane> data;
  for (LaneData& lane : lanes)
    data.push_back({lane.member.data(), lane.laws.data(), lane.state.data(), lane.measured.data(), lane.step_s,
                    lane.end_s, lane.every, lane.status});
  const std::size_t width = static_cast<std::size_t>(this->width()), channels = code_.channel_count();
  std::size_t most_rows = 2 + width;  // each lane has its own, and one at its end
  for (const LaneData& lane : lanes) most_rows += static_cast<std::size_t>(kStepsAtATime / lane.every) + 1;
  most_rows = std::min(most_rows, static_cast<std::size_t>(kStepsAtATime) + 2);
  std::vector<double> values(rows ? most_rows * channels * width + 1 : 0), times(rows ? most_rows * width : 0);
  std::vector<double> row(channels);
  FreeplayRun run{};
  run.lanes = data.data();
  run.lane_count = static_cast<int>(lanes.size());
  run.tolerance_m_s = rules.tolerance_m_s;
  run.touching = rules.touching;
  run.threshold_m_s = rules.threshold_m_s;
  run.rows = rows ? values.data() : nullptr;
  run.row_times = times.data();
  const long long steps = step_count(lanes);
  long long done = 0;
  while (done < steps && !(should_stop && should_stop())) {
    run.first_step = done + 1;
    run.steps = std::min(kStepsAtATime, steps - done);
    object_.run(run);
    done += run.steps;
    for (std::size_t r = 0; rows && r < static_cast<std::size_t>(run.row_count); ++r) {
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if (data[lane].status != 0 || times[r * width + lane] < 0) continue;
        for (std::size_t c = 0; c < channels; ++c) row[c] = values[(r * channels + c) * width + lane];
        rows(lane, times[r * width + lane], row);
      }
    }
    if (std::ranges::all_of(data, [](const FreeplayLane& lane) { return lane.status != 0; })) break;
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].status = status_after(lanes[i], data[i].status, done);
  return {run.contact_steps, run.hard_steps};
}

}  // namespace freeplay::compile

#include "freeplay/compile/device_family.h"

#include <algorithm>
#include <vector>

namespace freeplay::compile {

namespace {

// A request to stop is seen after so many steps: a fraction of a second.
constexpr long long kStepsPerLaunch = 2000;
constexpr std::size_t kFewestLanes = 256;

// Numbers of all lanes, entry by entry; and back.
std::vector<double> columns_of(std::span<const LaneData> lanes, std::vector<double> LaneData::*numbers) {
  const std::size_t entries = (lanes.front().*numbers).size();
  std::vector<double> columns(entries * lanes.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (std::size_t i = 0; i < entries; ++i) columns[i * lanes.size() + lane] = (lanes[lane].*numbers)[i];
  }
  return columns;
}

void take_columns(const std::vector<double>& columns, std::vector<double> LaneData::*numbers,
                  std::span<LaneData> lanes) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    std::vector<double>& own = lanes[lane].*numbers;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = columns[i * lanes.size() + lane];
  }
}

}  // namespace

DeviceFamily::DeviceFamily(std::span<const FamilySample> samples, const Toolchain& toolchain)
    : code_(samples, {}), cached_(compile_object(code_.device_source(), toolchain)), object_(cached_.file) {}

DeviceFamily::Counts DeviceFamily::run(std::span<LaneData> lanes, const std::function<bool()>& should_stop) const {
  Counts counts;
  std::size_t at_once = lanes.size();
  for (std::size_t first = 0; first < lanes.size();) {
    const std::span<LaneData> some = lanes.subspan(first, std::min(at_once, lanes.size() - first));
    try {
      run_at_once(some, should_stop, counts);
      first += some.size();
    } catch (const DeviceFailure& failure) {
      if (!failure.is_of_memory || at_once <= kFewestLanes) throw;
      at_once = std::max(kFewestLanes, at_once / 2);
    }
  }
  return counts;
}

void DeviceFamily::run_at_once(std::span<LaneData> lanes, const std::function<bool()>& should_stop,
                               Counts& counts) const {
  std::vector<double> member = columns_of(lanes, &LaneData::member), laws = columns_of(lanes, &LaneData::laws);
  std::vector<double> state = columns_of(lanes, &LaneData::state), measured = columns_of(lanes, &LaneData::measured);
  std::vector<double> times;
  std::vector<int> status;
  for (const LaneData& lane : lanes) times.push_back(lane.step_s);
  for (const LaneData& lane : lanes) times.push_back(lane.end_s);
  for (const LaneData& lane : lanes) status.push_back(lane.status);
  FreeplayBatch batch{};
  batch.lanes = static_cast<long long>(lanes.size());
  batch.member = member.data();
  batch.laws = laws.data();
  batch.state = state.data();
  batch.measured = measured.data();
  batch.times = times.data();
  batch.status = status.data();
  const LaneData::Rules& rules = lanes.front().rules;
  batch.every = rules.every;
  batch.tolerance_m_s = rules.tolerance_m_s;
  batch.touching = rules.touching;
  batch.threshold_m_s = rules.threshold_m_s;
  DeviceObject::Run run(object_, batch);
  const long long steps = step_count(lanes);
  for (long long first = 1; first <= steps; first += kStepsPerLaunch) {
    if (should_stop && should_stop()) return;
    run.advance(first, std::min(kStepsPerLaunch, steps - first + 1));
  }
  run.bring_back();
  take_columns(state, &LaneData::state, lanes);
  take_columns(measured, &LaneData::measured, lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].status = status[i];
  counts.contact_steps += batch.contact_steps;
  counts.hard_steps += batch.hard_steps;
}

}  // namespace freeplay::compile

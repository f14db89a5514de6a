#include "freeplay/compile/device_family.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

namespace freeplay::compile {

namespace {

// A request to stop is seen after so many steps: a fraction of a second.
constexpr long long kStepsPerLaunch = 2000;
constexpr std::size_t kFewestLanes = 256;
constexpr long long kFirstRoom = 128, kMostFirstRoom = 4096,
                    kMoreRoom = 4;  // for crossings that cannot be counted before

constexpr std::size_t kTakenPlace = 6;  // in LaneData::section

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
    if (lanes[lane].status == kLaneHasNoRoom) continue;
    std::vector<double>& own = lanes[lane].*numbers;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = columns[i * lanes.size() + lane];
  }
}

// Of a section by time all crossings can be counted; otherwise it is a guess. Lanes that need more are run again: a
// section without an end must not ask for all memory before a run has shown how many points it has.
long long first_room(std::span<const LaneData> lanes, bool is_by_time) {
  const LaneData::Rules& rules = lanes.front().rules;
  if (rules.turns >= 0) return std::clamp(rules.turns, 1LL, kMostFirstRoom);
  if (!is_by_time) return kFirstRoom;
  double most = 1;
  for (const LaneData& lane : lanes) most = std::max(most, lane.end_s / lane.section.front() + 1);
  return std::clamp(std::llround(std::ceil(std::min(most, 1e15))) - rules.skip, 1LL, kMostFirstRoom);
}

// Of each lane as many as it has taken.
void take_crossings(const std::vector<double>& columns, std::size_t width, std::span<LaneData> lanes) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane].status == kLaneHasNoRoom) continue;
    const std::size_t count = static_cast<std::size_t>(lanes[lane].section[kTakenPlace]) * width;
    lanes[lane].crossings.resize(count);
    for (std::size_t i = 0; i < count; ++i) lanes[lane].crossings[i] = columns[i * lanes.size() + lane];
  }
}

}  // namespace

DeviceFamily::DeviceFamily(std::span<const FamilySample> samples, const Toolchain& toolchain)
    : code_(samples, {}), cached_(compile_object(code_.device_source(), toolchain)), object_(cached_.file) {}

DeviceFamily::Counts DeviceFamily::run(std::span<LaneData> lanes, const ShouldStop& should_stop) const {
  Counts counts;
  if (lanes.empty()) return counts;
  mark_lanes_without_numbers(lanes);
  long long room = code_.has_section() ? first_room(lanes, code_.section_kind() == LaneSection::kEvery) : 0;
  run_in_portions(lanes, room, should_stop, counts);
  const auto needs_room = [](const LaneData& lane) { return lane.status == kLaneHasNoRoom; };
  while (std::ranges::any_of(lanes, needs_room)) {
    room *= kMoreRoom;
    std::vector<std::size_t> places;
    std::vector<LaneData> again;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (!needs_room(lanes[i])) continue;
      places.push_back(i);
      again.push_back(lanes[i]);
      again.back().status = 0;
    }
    if (should_stop && should_stop()) return counts;
    run_in_portions(again, room, should_stop, counts);
    for (std::size_t k = 0; k < places.size(); ++k) lanes[places[k]] = std::move(again[k]);
  }
  return counts;
}

void DeviceFamily::run_in_portions(std::span<LaneData> lanes, long long room, const ShouldStop& should_stop,
                                   Counts& counts) const {
  std::size_t at_once = lanes.size();
  for (std::size_t first = 0; first < lanes.size();) {
    const std::span<LaneData> some = lanes.subspan(first, std::min(at_once, lanes.size() - first));
    try {
      run_at_once(some, room, should_stop, counts);
      first += some.size();
    } catch (const DeviceFailure& failure) {
      if (!failure.is_of_memory || at_once <= kFewestLanes) throw;
      at_once = std::max(kFewestLanes, at_once / 2);
    } catch (const std::bad_alloc&) {  // of this machine, for the crossings
      if (at_once <= kFewestLanes) throw DeviceFailure("there is no memory for the points of the section", true);
      at_once = std::max(kFewestLanes, at_once / 2);
    }
  }
}

void DeviceFamily::run_at_once(std::span<LaneData> lanes, long long room, const ShouldStop& should_stop,
                               Counts& counts) const {
  std::vector<double> member = columns_of(lanes, &LaneData::member), laws = columns_of(lanes, &LaneData::laws);
  std::vector<double> state = columns_of(lanes, &LaneData::state), measured = columns_of(lanes, &LaneData::measured);
  std::vector<double> section = columns_of(lanes, &LaneData::section), times;
  const std::size_t crossing_width = 1 + code_.section_points();
  std::vector<double> crossings(static_cast<std::size_t>(room) * crossing_width * lanes.size());
  std::vector<int> status;
  for (const LaneData& lane : lanes) times.push_back(lane.step_s);
  for (const LaneData& lane : lanes) times.push_back(lane.end_s);
  for (const LaneData& lane : lanes) times.push_back(lane.every);
  for (const LaneData& lane : lanes) status.push_back(lane.status);
  FreeplayBatch batch{};
  batch.lanes = static_cast<long long>(lanes.size());
  batch.member = member.data();
  batch.laws = laws.data();
  batch.state = state.data();
  batch.measured = measured.data();
  batch.times = times.data();
  batch.section = section.data();
  batch.crossings = crossings.data();
  batch.room = room;
  batch.status = status.data();
  const LaneData::Rules& rules = lanes.front().rules;
  batch.skip = rules.skip;
  batch.turns = rules.turns;
  batch.tolerance_m_s = rules.tolerance_m_s;
  batch.touching = rules.touching;
  batch.threshold_m_s = rules.threshold_m_s;
  DeviceObject::Run run(object_, batch);
  const long long steps = step_count(lanes);
  long long done = 0;
  while (done < steps && !(should_stop && should_stop())) {
    const long long count = std::min(kStepsPerLaunch, steps - done);
    run.advance(done + 1, count);
    done += count;
  }
  run.bring_back();
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].status = status_after(lanes[i], status[i], done);
  take_columns(state, &LaneData::state, lanes);
  take_columns(measured, &LaneData::measured, lanes);
  take_columns(section, &LaneData::section, lanes);
  if (code_.has_section()) take_crossings(crossings, crossing_width, lanes);
  counts.contact_steps += batch.contact_steps;
  counts.hard_steps += batch.hard_steps;
}

}  // namespace freeplay::compile

#include "freeplay/report/rows/event_choice.h"

#include <algorithm>
#include <optional>

namespace freeplay::report {

namespace {

constexpr std::int64_t kBlockEvents = 8'192;

// An impact and the end of rebounds leave the mode to the records beside them.
bool tells_mode(ContactEventKind kind) {
  return kind != ContactEventKind::kImpact && kind != ContactEventKind::kRest;
}

}  // namespace

EventChoice choose_events(const ResultReader& result, double from_s, double to_s, std::size_t most) {
  EventChoice choice;
  std::vector<std::optional<EventRecord>> before(result.contacts().size());
  std::vector<EventRecord> block;
  for (std::int64_t first = 0; first < result.event_count(); first += kBlockEvents) {
    block.resize(static_cast<std::size_t>(std::min(kBlockEvents, result.event_count() - first)));
    result.read_events(first, block);
    for (const EventRecord& event : block) {
      if (event.time_s < from_s && tells_mode(event.kind)) before[static_cast<std::size_t>(event.contact)] = event;
      if (!(event.time_s >= from_s && event.time_s <= to_s)) continue;
      ++choice.total;
      if (choice.shown.size() <= most) choice.shown.push_back(event);
    }
  }
  if (choice.shown.size() > most) {
    choice.shown.clear();
    return choice;
  }
  std::vector<EventRecord> known;
  for (const std::optional<EventRecord>& event : before) {
    if (event) known.push_back(*event);
  }
  choice.shown.insert(choice.shown.begin(), known.begin(), known.end());
  return choice;
}

}  // namespace freeplay::report

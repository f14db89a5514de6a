// What `info` says about the events of a run: how many of each kind, and the first and the last ones.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"
#include "terminal/terminal.h"

namespace freeplay::app {

// Whether runs of this integrator have events to tell of.
bool locates_events(const std::string& integrator);

struct EventReport {
  struct Counts {
    std::string contact;
    std::array<std::int64_t, kContactEventKinds.size()> of_kind{};
    std::int64_t total = 0;
  };
  struct Event {
    double time_s = 0;
    std::string contact;
    ContactEventKind kind{};
  };
  std::int64_t total = 0;
  std::vector<Counts> contacts;    // that had any, in the order of the file
  std::vector<Event> first, last;  // of few events all are in `first`
};
// Reads the table in pieces: it may be larger than the memory.
EventReport event_report(const ResultReader& result);

std::string text_of(const EventReport& report, const Painter& paint);  // empty if there are no events
nlohmann::ordered_json counts_json(const EventReport& report);
nlohmann::ordered_json events_json(const std::vector<EventReport::Event>& events);

}  // namespace freeplay::app

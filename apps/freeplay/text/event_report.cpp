#include "text/event_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "freeplay/integrators/integrator.h"
#include "terminal/text_table.h"

namespace freeplay::app {

namespace {

constexpr std::int64_t kFirst = 12, kLast = 4, kBlock = 8192;
constexpr std::size_t kMostContacts = 24;

std::vector<EventReport::Event> events_of(const ResultReader& result, std::int64_t from, std::int64_t to) {
  std::vector<EventRecord> records(static_cast<std::size_t>(to - from));
  result.read_events(from, records);
  std::vector<EventReport::Event> events;
  for (const EventRecord& record : records)
    events.push_back({record.time_s, result.contacts()[static_cast<std::size_t>(record.contact)], record.kind});
  return events;
}

void add_counts(TextTable& table, const EventReport::Counts& counts) {
  std::vector<std::string> cells{printable(counts.contact)};
  for (const std::int64_t count : counts.of_kind) cells.push_back(grouped(count));
  table.add(std::move(cells));
}

// Of many contacts those with the most events, and the sum of all.
std::string counts_text(const EventReport& report, const Painter& paint) {
  std::vector<EventReport::Counts> shown = report.contacts;
  if (shown.size() > kMostContacts) {
    std::stable_sort(shown.begin(), shown.end(), [](const auto& a, const auto& b) { return a.total > b.total; });
    shown.resize(kMostContacts);
  }
  TextTable table("l" + std::string(kContactEventKinds.size(), 'r'));
  std::vector<std::string> head{paint.dim("contact")};
  for (const ContactEventKind kind : kContactEventKinds) head.push_back(paint.dim(event_word(kind)));
  table.add(std::move(head));
  for (const EventReport::Counts& counts : shown) add_counts(table, counts);
  if (report.contacts.size() > 1) {
    EventReport::Counts sum{fmt::format("all {}", report.contacts.size()), {}, report.total};
    for (const EventReport::Counts& counts : report.contacts) {
      for (std::size_t k = 0; k < sum.of_kind.size(); ++k) sum.of_kind[k] += counts.of_kind[k];
    }
    add_counts(table, sum);
  }
  return table.text();
}

}  // namespace

bool locates_events(const std::string& integrator) {
  const IntegratorEntry* entry = find_integrator(integrator);
  return entry != nullptr && entry->traits.locates_events();
}

EventReport event_report(const ResultReader& result) {
  EventReport report;
  report.total = result.event_count();
  std::vector<EventReport::Counts> counts(result.contacts().size());
  std::vector<EventRecord> block;
  for (std::int64_t first = 0; first < report.total; first += kBlock) {
    block.resize(static_cast<std::size_t>(std::min(kBlock, report.total - first)));
    result.read_events(first, block);
    for (const EventRecord& event : block) {
      EventReport::Counts& of_contact = counts[static_cast<std::size_t>(event.contact)];
      ++of_contact.of_kind[static_cast<std::size_t>(event.kind)];
      ++of_contact.total;
    }
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i].contact = result.contacts()[i];
    if (counts[i].total > 0) report.contacts.push_back(std::move(counts[i]));
  }
  const bool is_short = report.total <= kFirst + kLast;
  report.first = events_of(result, 0, is_short ? report.total : kFirst);
  if (!is_short) report.last = events_of(result, report.total - kLast, report.total);
  return report;
}

std::string text_of(const EventReport& report, const Painter& paint) {
  if (report.total == 0) return {};
  TextTable table("rll");
  table.add({paint.dim("time, s"), paint.dim("contact"), paint.dim("event")});
  const auto add = [&](const EventReport::Event& event) {
    table.add({fmt::format("{:.9g}", event.time_s), printable(event.contact), std::string(event_word(event.kind))});
  };
  for (const EventReport::Event& event : report.first) add(event);
  if (!report.last.empty())
    table.add({paint.dim("..."), paint.dim(grouped(report.total - kFirst - kLast) + " more"), ""});
  for (const EventReport::Event& event : report.last) add(event);
  return fmt::format("{}\n{}\n{}", paint.bold("Events"), counts_text(report, paint), table.text());
}

nlohmann::ordered_json counts_json(const EventReport& report) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const EventReport::Counts& counts : report.contacts) {
    nlohmann::ordered_json entry = {{"contact", counts.contact}};
    for (const ContactEventKind kind : kContactEventKinds)
      entry[std::string(event_word(kind))] = counts.of_kind[static_cast<std::size_t>(kind)];
    all.push_back(std::move(entry));
  }
  return all;
}

nlohmann::ordered_json events_json(const std::vector<EventReport::Event>& events) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const EventReport::Event& event : events)
    all.push_back({{"time", event.time_s}, {"contact", event.contact}, {"kind", event_word(event.kind)}});
  return all;
}

}  // namespace freeplay::app

// The fields of the tables `summary`, `impacts`, `events` and `contact_forces` of a result file: names, units and where
// their values are. One list for the file, and for whoever shows them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <variant>

#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

struct SummaryField {
  const char* name;
  const char* unit;
  std::variant<double RunSummary::*, std::int64_t RunSummary::*> member;
};
inline constexpr std::size_t kSummaryFieldCount = 20;
std::span<const SummaryField, kSummaryFieldCount> summary_fields();  // the numbers; a status and a message beside them

struct RecordField {
  const char* name;
  const char* unit;
  std::size_t offset;       // in the record
  bool is_index = false;    // std::int32_t instead of double
  std::size_t letters = 0;  // a word of so many bytes at most, padded with NUL
  bool is_single = false;   // float instead of double
};
std::span<const RecordField> impact_fields();  // of ImpactRecord

// EventRecord as it is in the file, where the kind is a word: the table explains itself.
struct StoredEvent {
  double time_s = 0;
  std::int32_t contact = 0;
  std::array<char, 12> kind{};
};
std::span<const RecordField> event_fields();  // of StoredEvent
StoredEvent stored(const EventRecord& event);
// ContactForce as it is in the file, with the row that it belongs to; rows increase.
struct StoredContactForce {
  std::int32_t row = 0;
  ContactForce force;
};
std::span<const RecordField> contact_force_fields();  // of StoredContactForce
// nullopt: the kind is no word that this version knows.
std::optional<EventRecord> read_event(const StoredEvent& stored);

}  // namespace freeplay::io

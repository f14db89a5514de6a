#include "freeplay/io/schema/record_fields.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "freeplay/core/error.h"

namespace freeplay::io {

namespace {

constexpr RecordField kImpactFields[] = {
    {"time", "s", offsetof(ImpactRecord, time_s)},
    {"contact", "1", offsetof(ImpactRecord, contact), true},
    {"normal_impulse", "N s", offsetof(ImpactRecord, normal_impulse)},
    {"tangential_impulse_1", "N s", offsetof(ImpactRecord, tangential_impulse_1)},
    {"tangential_impulse_2", "N s", offsetof(ImpactRecord, tangential_impulse_2)},
    {"normal_velocity_before", "m/s", offsetof(ImpactRecord, normal_velocity_before)},
    {"normal_velocity_after", "m/s", offsetof(ImpactRecord, normal_velocity_after)},
    {"tangential_velocity_before", "m/s", offsetof(ImpactRecord, tangential_velocity_before)},
    {"tangential_velocity_after", "m/s", offsetof(ImpactRecord, tangential_velocity_after)},
    {"energy_lost", "J", offsetof(ImpactRecord, energy_lost_J)},
};

constexpr RecordField kEventFields[] = {
    {"time", "s", offsetof(StoredEvent, time_s)},
    {"contact", "1", offsetof(StoredEvent, contact), true},
    {"kind", "", offsetof(StoredEvent, kind), false, sizeof StoredEvent::kind},
};

constexpr std::size_t force_offset(std::size_t member) {
  return offsetof(StoredContactForce, force) + member;
}

constexpr RecordField kContactForceFields[] = {
    {"row", "1", offsetof(StoredContactForce, row), true},
    {"first", "1", force_offset(offsetof(ContactForce, first)), true},
    {"second", "1", force_offset(offsetof(ContactForce, second)), true},
    {"x", "m", force_offset(offsetof(ContactForce, x_m)), false, 0, true},
    {"y", "m", force_offset(offsetof(ContactForce, y_m)), false, 0, true},
    {"z", "m", force_offset(offsetof(ContactForce, z_m)), false, 0, true},
    {"force_x", "N", force_offset(offsetof(ContactForce, fx_N)), false, 0, true},
    {"force_y", "N", force_offset(offsetof(ContactForce, fy_N)), false, 0, true},
    {"force_z", "N", force_offset(offsetof(ContactForce, fz_N)), false, 0, true},
};

const SummaryField kSummaryFields[kSummaryFieldCount] = {
    {"time", "s", &RunSummary::time_s},
    {"steps", "1", &RunSummary::steps},
    {"rejected_steps", "1", &RunSummary::rejected_steps},
    {"evaluations", "1", &RunSummary::evaluations},
    {"rows", "1", &RunSummary::rows},
    {"impacts", "1", &RunSummary::impacts},
    {"events", "1", &RunSummary::events},
    {"contact_starts", "1", &RunSummary::contacts_begun},
    {"rejected_by_contact", "1", &RunSummary::rejected_by_contact},
    {"largest_initial_penetration", "m", &RunSummary::largest_initial_penetration_m},
    {"injected_energy", "J", &RunSummary::injected_energy_J},
    {"max_penetration", "m", &RunSummary::max_penetration_m},
    {"worst_residual", "m/s", &RunSummary::worst_residual_m_s},
    {"worst_acceleration_residual", "m/s^2", &RunSummary::worst_residual_m_s2},
    {"worst_position_residual", "m", &RunSummary::worst_position_residual_m},
    {"energy_initial", "J", &RunSummary::energy_initial_J},
    {"energy_final", "J", &RunSummary::energy_final_J},
    {"energy_drift", "J", &RunSummary::energy_drift_J},
    {"max_energy_drift", "J", &RunSummary::max_energy_drift_J},
    {"wall_time", "s", &RunSummary::wall_seconds},
};

}  // namespace

std::span<const SummaryField, kSummaryFieldCount> summary_fields() {
  return kSummaryFields;
}

std::span<const RecordField> impact_fields() {
  return kImpactFields;
}

std::span<const RecordField> event_fields() {
  return kEventFields;
}

std::span<const RecordField> contact_force_fields() {
  return kContactForceFields;
}

StoredEvent stored(const EventRecord& event) {
  StoredEvent record{event.time_s, event.contact};
  const std::string_view word = event_word(event.kind);
  FREEPLAY_ASSERT(word.size() <= record.kind.size());
  std::copy(word.begin(), word.end(), record.kind.begin());
  return record;
}

std::optional<EventRecord> read_event(const StoredEvent& stored) {
  const std::string_view word(stored.kind.data(), ::strnlen(stored.kind.data(), stored.kind.size()));
  for (const ContactEventKind kind : kContactEventKinds) {
    if (event_word(kind) == word) return EventRecord{stored.time_s, stored.contact, kind};
  }
  return {};
}

}  // namespace freeplay::io

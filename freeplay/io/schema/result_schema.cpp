#include "freeplay/io/schema/result_schema.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <variant>

#include "freeplay/core/error.h"
#include "freeplay/io/result/tables/result_peaks.h"

namespace freeplay::io::result_schema {

namespace {

// The record: status, the numbers (8 bytes each), message, warnings, one per line, what came in and was lost, peak
// forces. The texts are padded with NUL.
constexpr std::size_t kStatusBytes = 16;
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kMessageBytes = 1024;
constexpr std::size_t kMessageOffset = kStatusBytes + kNumberBytes * kSummaryFieldCount;
constexpr std::size_t kWarningsBytes = 8192;
constexpr std::size_t kWarningsOffset = kMessageOffset + kMessageBytes;
struct AccountField {
  const char* name;
  double EnergyAccount::*member;
};
constexpr std::array<AccountField, 4> kAccountFields = {{{"energy_input", &EnergyAccount::input},
                                                         {"impact_loss", &EnergyAccount::impact_loss},
                                                         {"friction_loss", &EnergyAccount::friction_loss},
                                                         {"damping_loss", &EnergyAccount::damping_loss}}};
constexpr std::size_t kAccountOffset = kWarningsOffset + kWarningsBytes;
constexpr std::size_t kPeaksBytes = 8192;
constexpr std::size_t kPeaksOffset = kAccountOffset + kNumberBytes * kAccountFields.size();
constexpr std::size_t kRecordBytes = kPeaksOffset + kPeaksBytes;
constexpr std::string_view kRunning = "running";

void insert(const hdf5::Datatype& compound, const char* name, std::size_t offset, hid_t type) {
  hdf5::check(H5Tinsert(compound.get(), name, offset, type), "make a record type");
}

void put_text(std::byte* place, std::size_t bytes, std::string_view text) {
  const std::string_view kept = hdf5::utf8_prefix(text, bytes);
  std::memcpy(place, kept.data(), kept.size());
}

std::string get_text(const std::byte* place, std::size_t bytes) {
  const auto* text = reinterpret_cast<const char*>(place);
  return {text, ::strnlen(text, bytes)};
}

// As many whole lines as there is room for; the last one says how many are left out.
std::string lines_of(const std::vector<std::string>& warnings) {
  constexpr std::size_t kRoomForCount = 64;
  std::string lines;
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    if (lines.size() + warnings[i].size() + kRoomForCount > kWarningsBytes)
      return lines + "and " + std::to_string(warnings.size() - i) + " more";
    lines += warnings[i] + (i + 1 < warnings.size() ? "\n" : "");
  }
  return lines;
}

std::vector<std::string> warnings_of(std::string_view lines) {
  std::vector<std::string> warnings;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    warnings.emplace_back(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return warnings;
}

RunStatus status_named(std::string_view name) {
  for (const RunStatus status : {RunStatus::kCompleted, RunStatus::kInterrupted, RunStatus::kFailed}) {
    if (name_of(status) == name) return status;
  }
  throw hdf5::Error("the run's status is not a known word: \"" + std::string(name) + "\"");
}

std::vector<std::byte> encode(const RunSummary& summary, std::string_view status) {
  std::vector<std::byte> record(kRecordBytes);
  put_text(record.data(), kStatusBytes, status);
  std::size_t offset = kStatusBytes;
  for (const SummaryField& field : summary_fields()) {
    std::visit([&](auto member) { std::memcpy(record.data() + offset, &(summary.*member), kNumberBytes); },
               field.member);
    offset += kNumberBytes;
  }
  put_text(record.data() + kMessageOffset, kMessageBytes, summary.message);
  put_text(record.data() + kWarningsOffset, kWarningsBytes, lines_of(summary.warnings));
  for (std::size_t i = 0; i < kAccountFields.size(); ++i)
    std::memcpy(record.data() + kAccountOffset + i * kNumberBytes, &(summary.account.*kAccountFields[i].member),
                kNumberBytes);
  put_text(record.data() + kPeaksOffset, kPeaksBytes, text_of_peaks(summary.peak_forces, kPeaksBytes));
  return record;
}

}  // namespace

TableDescription impact_table() {
  return {kImpacts, impact_fields(), sizeof(ImpactRecord)};
}

TableDescription event_table() {
  return {kEvents, event_fields(), sizeof(StoredEvent)};
}

TableDescription contact_force_table() {
  return {kContactForces, contact_force_fields(), sizeof(StoredContactForce)};
}

namespace {

hid_t number_type(const RecordField& field) {
  if (field.is_index) return H5T_NATIVE_INT32;
  return field.is_single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

}  // namespace

hdf5::Datatype record_type(const TableDescription& table, Packing packing) {
  hdf5::Datatype type(hdf5::check(H5Tcreate(H5T_COMPOUND, table.record_bytes), "make a record type"));
  for (const RecordField& field : table.fields) {
    if (field.letters > 0)
      insert(type, field.name, field.offset, hdf5::fixed_text_type(field.letters).get());
    else
      insert(type, field.name, field.offset, number_type(field));
  }
  if (packing == Packing::kPacked) hdf5::check(H5Tpack(type.get()), "make a record type");
  return type;
}

std::vector<std::string> units_of(const TableDescription& table) {
  std::vector<std::string> units;
  for (const RecordField& field : table.fields) units.emplace_back(field.unit);
  return units;
}

hdf5::Datatype summary_type() {
  hdf5::Datatype type(hdf5::check(H5Tcreate(H5T_COMPOUND, kRecordBytes), "make the summary type"));
  insert(type, "status", 0, hdf5::fixed_text_type(kStatusBytes).get());
  std::size_t offset = kStatusBytes;
  for (const SummaryField& field : summary_fields()) {
    const bool is_count = std::holds_alternative<std::int64_t RunSummary::*>(field.member);
    insert(type, field.name, offset, is_count ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
    offset += kNumberBytes;
  }
  insert(type, "message", kMessageOffset, hdf5::fixed_text_type(kMessageBytes).get());
  insert(type, "warnings", kWarningsOffset, hdf5::fixed_text_type(kWarningsBytes).get());
  for (std::size_t i = 0; i < kAccountFields.size(); ++i)
    insert(type, kAccountFields[i].name, kAccountOffset + i * kNumberBytes, H5T_NATIVE_DOUBLE);
  insert(type, "peak_forces", kPeaksOffset, hdf5::fixed_text_type(kPeaksBytes).get());
  return type;
}

std::vector<std::string> summary_units() {
  std::vector<std::string> units{""};
  for (const SummaryField& field : summary_fields()) units.emplace_back(field.unit);
  units.insert(units.end(), 2, "");  // message and warnings
  units.insert(units.end(), kAccountFields.size(), "J");
  units.emplace_back();  // peak_forces
  return units;
}

std::vector<std::byte> encode_running() {
  return encode(RunSummary{}, kRunning);
}

std::vector<std::byte> encode(const RunSummary& summary) {
  return encode(summary, name_of(summary.status));
}

std::optional<RunSummary> decode(const std::vector<std::byte>& record) {
  const std::string status = get_text(record.data(), kStatusBytes);
  if (status == kRunning) return std::nullopt;
  RunSummary summary;
  summary.status = status_named(status);
  std::size_t offset = kStatusBytes;
  for (const SummaryField& field : summary_fields()) {
    std::visit([&](auto member) { std::memcpy(&(summary.*member), record.data() + offset, kNumberBytes); },
               field.member);
    offset += kNumberBytes;
  }
  summary.message = get_text(record.data() + kMessageOffset, kMessageBytes);
  summary.warnings = warnings_of(get_text(record.data() + kWarningsOffset, kWarningsBytes));
  for (std::size_t i = 0; i < kAccountFields.size(); ++i)
    std::memcpy(&(summary.account.*kAccountFields[i].member), record.data() + kAccountOffset + i * kNumberBytes,
                kNumberBytes);
  summary.peak_forces = peaks_of_text(get_text(record.data() + kPeaksOffset, kPeaksBytes));
  return summary;
}

}  // namespace freeplay::io::result_schema

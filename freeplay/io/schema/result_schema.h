// The layout of a result file, known to writer and reader alike (docs/reference/result_file.md). Internal to
// freeplay/io, as it shows HDF5.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/schema/record_fields.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io::result_schema {

// Version 1 had texts of variable length, and is still read; nothing else has changed.
inline constexpr int kFormatVersion = 2, kOldestFormatVersion = 1;
inline constexpr const char* kFormatAttribute = "freeplay_result";
inline constexpr const char* kTime = "time";
inline constexpr const char* kChannels = "channels";
inline constexpr const char* kMotion = "motion";
// Of many bodies instead (motion_table.h).
inline constexpr const char *kMotionTable = "motion_table", *kMotionNames = "motion_names",
                            *kMotionUnits = "motion_units";
inline constexpr const char* kMeasures = "measures";  // models that measure nothing have none
inline constexpr const char* kWear = "wear";          // models in which nothing wears have none
inline constexpr const char* kNameAttribute = "name";
inline constexpr const char* kUnitAttribute = "unit";
inline constexpr const char* kFieldUnitsAttribute = "units";
inline constexpr const char* kImpacts = "impacts";
inline constexpr const char* kEvents = "events";                 // files of earlier versions have none
inline constexpr const char* kContactForces = "contact_forces";  // runs that were not asked for them have none
inline constexpr const char* kContacts = "contacts";
inline constexpr const char* kGeometry = "geometry";
inline constexpr const char* kSummary = "summary";
inline constexpr const char* kCheckpoint = "checkpoint";

// The tables that grow with the run: what they hold, and in records of how many bytes.
struct TableDescription {
  const char* name;
  std::span<const RecordField> fields;
  std::size_t record_bytes;
};
TableDescription impact_table();         // of ImpactRecord
TableDescription event_table();          // of StoredEvent
TableDescription contact_force_table();  // of StoredContactForce
// A packed type is for the file, an unpacked one describes the record in memory.
enum class Packing { kAsInMemory, kPacked };
hdf5::Datatype record_type(const TableDescription& table, Packing packing);
std::vector<std::string> units_of(const TableDescription& table);

// The summary is one record of fixed size, so that it can be filled in after SWMR has started. A file starts with the
// status "running" and keeps it if the run is killed.
hdf5::Datatype summary_type();
std::vector<std::string> summary_units();
std::vector<std::byte> encode_running();
std::vector<std::byte> encode(const RunSummary& summary);
// nullopt while the status is "running". Throws hdf5::Error when it is a word that this version does not know.
std::optional<RunSummary> decode(const std::vector<std::byte>& record);

}  // namespace freeplay::io::result_schema

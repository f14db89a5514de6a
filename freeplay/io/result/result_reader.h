// Reads a result file: of a finished run, of one that is still going on, or of one that was killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/io/schema/record_fields.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

// A channel was asked for that the file does not hold. The message proposes the nearest name.
class UnknownChannel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the file holds at the moment of opening; open it again to see more of a run that is going on.
// Throws IoError when the file cannot be opened, is no result file, or is damaged.
class ResultReader {
 public:
  explicit ResultReader(std::filesystem::path path);
  ~ResultReader();
  ResultReader(ResultReader&&) noexcept;
  ResultReader& operator=(ResultReader&&) noexcept;

  const std::filesystem::path& path() const;
  const std::vector<ChannelInfo>& channels() const;  // in the order of the run's layout
  // Poses of bodies that the run kept for pictures, since its `record` list left them out; readable as channels are.
  const std::vector<ChannelInfo>& motion_channels() const;
  const std::vector<std::string>& contacts() const;
  const std::map<std::string, std::string>& attributes() const;
  std::string geometry_json() const;

  // Rows that are complete: the length that all columns have in common.
  std::int64_t rows() const;
  std::vector<double> read_time() const;
  std::vector<double> read_channel(std::string_view name) const;
  // The same for out.size() rows from row `first` on, for files that are larger than the memory.
  void read_time(std::int64_t first, std::span<double> out) const;
  void read_channel(std::string_view name, std::int64_t first, std::span<double> out) const;

  // Without a summary, that is while the run goes on or after a kill, they may reach beyond the last row.
  std::vector<ImpactRecord> impacts() const;
  // The same in pieces.
  std::int64_t impact_count() const;
  void read_impacts(std::int64_t first, std::span<ImpactRecord> out) const;
  // In the order of EventRecord; none if an earlier version wrote the file. For them the same holds.
  std::vector<EventRecord> events() const;
  std::int64_t event_count() const;
  void read_events(std::int64_t first, std::span<EventRecord> out) const;

  // Contact forces of rows, where the run was asked for them (`record.contact_forces`): how many there are, in the
  // order of rows. Those behind the last row are left out.
  std::int64_t contact_force_count() const;
  void read_contact_forces(std::int64_t first, std::span<StoredContactForce> out) const;

  // As the file holds it, for read_checkpoint() (checkpoint.h); empty if there is none.
  std::vector<std::byte> checkpoint_record() const;

  const std::optional<RunSummary>& summary() const;  // empty while the run goes on, and after a kill
  std::string_view status() const;                   // "completed", "interrupted", "failed" or "running or killed"

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace freeplay::io

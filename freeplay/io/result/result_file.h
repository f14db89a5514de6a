// The HDF5 file of a run: its contents, and rows, impacts and events appended to it. Internal to freeplay/io.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "freeplay/io/hdf5/hdf5_file_driver.h"
#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/result/tables/motion_table.h"
#include "freeplay/io/schema/record_fields.h"
#include "freeplay/io/schema/result_schema.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

// Rows as they come, time first, with impacts and events.
struct RowBatch {
  // Not filled with zeros: a short run never touches most of it.
  std::unique_ptr<double[]> rows;
  std::vector<ImpactRecord> impacts;
  std::vector<StoredEvent> events;
  std::vector<StoredContactForce> forces;
  std::size_t first_row = 0, row_count = 0, first_impact = 0, first_event = 0, first_force = 0;

  bool is_empty() const { return row_count == 0 && impacts.empty() && events.empty() && forces.empty(); }
  void follow(const RowBatch& before) {
    first_row = before.first_row + before.row_count;
    first_impact = before.first_impact + before.impacts.size();
    first_event = before.first_event + before.events.size();
    first_force = before.first_force + before.forces.size();
    row_count = 0;
    impacts.clear();
    events.clear();
    forces.clear();
  }
};

// Everything but create() and close() throws hdf5::Error. A write that the system refuses is no failure of these
// functions: see write_error().
class ResultFile {
 public:
  // These return 0 or the errno of the failure; EWOULDBLOCK: another process is writing this file.
  [[nodiscard]] int create(const std::filesystem::path& path);
  [[nodiscard]] int close();

  // Datasets without rows and a summary that says "running"; readers may come from here on. A batch has
  // `rows_per_batch` rows at most.
  void create_contents(const RecordLayout& layout, std::size_t rows_per_chunk, std::size_t rows_per_batch);
  // They survive a kill of this process once it returns.
  void append(const RowBatch& batch);
  void write_measures(std::span<const MeasuredValue> measures);  // those of the layout, in its order
  void write_wear(std::span<const SurfaceWear> wear);            // of the surfaces of the layout, in its order
  void write_checkpoint(const std::vector<std::byte>& record);
  void write_summary(const std::vector<std::byte>& record);

  double last_time_s() const { return last_time_s_; }  // appended
  int write_error() const { return posix_file_.write_error(); }
  bool is_at(const std::filesystem::path& path) const { return posix_file_.is_at(path); }
  // Closes what is open, and writes no more: the file stays as of its last append().
  void give_up();

 private:
  void open();
  // A table of records that grows with the run.
  struct GrowingTable {
    hdf5::Dataset dataset;
    hdf5::Datatype type;  // in memory
    void create(hid_t file, const result_schema::TableDescription& description, std::size_t records_per_chunk);
    void append(std::size_t size, std::size_t count, const void* records) const;
    void close();
  };
  void create_tables(const RecordLayout& layout);
  void create_columns(const char* group_name, std::span<const ChannelInfo> channels);
  void close_handles();

  std::filesystem::path path_;
  hdf5::PosixFile posix_file_;  // outlives the handles below
  hdf5::File file_;
  hdf5::Dataset time_, summary_, checkpoint_;
  std::vector<hdf5::Dataset> columns_, measures_, wear_;
  GrowingTable impacts_, events_, forces_;
  MotionTableWriter motion_;
  std::size_t width_ = 1;  // of a row: time and channels
  std::size_t rows_per_chunk_ = 1;
  std::unique_ptr<double[]> gathered_;  // a few columns of a batch
  double last_time_s_ = 0;
};

}  // namespace freeplay::io

// The file of a family of runs, sweep.h5 (docs/reference/sweep_file.md): rows are added as they come and survive a
// kill, and at the end the file is written once more, in the order of the points, so that its bytes do not depend on
// how many workers there were or how often the study was interrupted.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "freeplay/io/sweep/sweep_table.h"

namespace freeplay::io {

// A message of a row that grows beyond this is cut.
inline constexpr std::size_t kSweepMessageBytes = 400;

// All of them throw IoError with the path and the reason; what was written before stays readable.
class SweepWriter {
 public:
  // Makes missing folders and the file with its first rows; once these are in it, it takes the place of an earlier one.
  // Throws if another process is writing it.
  SweepWriter(std::filesystem::path path, const SweepHeader& header, std::span<const SweepRow> first_rows = {});
  ~SweepWriter();
  SweepWriter(const SweepWriter&) = delete;
  SweepWriter& operator=(const SweepWriter&) = delete;

  // In any order. They survive a kill of this process once it returns.
  void append(std::span<const SweepRow> rows);
  void close();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The whole file at once, which replaces that of `path` in one instant: same table, same bytes.
void write_sweep(const std::filesystem::path& path, const SweepTable& table);

// Of a study that has ended, goes on, or was killed. A row that occurs twice counts once.
SweepTable read_sweep(const std::filesystem::path& path);
// The same with one run alone, or none if the study has no such run; without its crossings and how it ended. Takes a
// time that hardly depends on how many runs there are.
SweepTable read_sweep_run(const std::filesystem::path& path, std::int64_t run);
// Whether there is an HDF5 file that says so of itself.
bool is_sweep_file(const std::filesystem::path& path);

}  // namespace freeplay::io

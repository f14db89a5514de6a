// Writes a run into one HDF5 file that stays readable whatever happens: a kill, a full disk, a failed step.
// The layout is described in docs/reference/result_file.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

struct ResultWriterOptions {
  int rows_per_chunk = 1024;      // rows that are buffered and stored together; fewer when there are many channels
  double flush_interval_s = 0.5;  // a row waits no longer than this (wall clock) once the next row has come
};

// begin() makes missing folders and the new file, `<name>.partial`. That is filled on another thread while
// the first rows come, and replaces an earlier file in one instant, once it can be read; at the latest when flush()
// returns. Full buffers are written on that thread too, with the same result. (Where HDF5 was built without thread
// safety, begin() and row() do that themselves.)
//
// Two runs never write the same file: begin() of the second one throws IoError while the first one goes on. end()
// throws it if the file is not in its place any more.
//
// Failures throw IoError with the path and the system's reason. The file then remains as of its last flush; a later
// row(), impact() or event() throws again, end() does nothing, as the failure is known. What fails on the other thread
// is thrown by the call that waits for it next: a row() that fills a buffer or comes after the flush interval, flush()
// or end(). A writer that is destroyed without end() keeps its rows; the file then reads as that of a killed run.
class ResultWriter final : public RecordSink {
 public:
  explicit ResultWriter(std::filesystem::path path, ResultWriterOptions options = {});
  ~ResultWriter() override;
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  void begin(const RecordLayout& layout) override;
  void row(double time_s, std::span<const double> values) override;
  void impact(const ImpactRecord& record) override;
  void event(const EventRecord& record) override;
  void contact_forces(std::span<const ContactForce> forces) override;
  void checkpoint(const Checkpoint& checkpoint) override;
  void end(const RunSummary& summary) override;

  // Hands every row, impact and event so far to the system: from here on they survive a kill of this process.
  void flush();
  std::int64_t rows_flushed() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace freeplay::io

#include "freeplay/io/result/result_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <span>
#include <system_error>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/result/background_job.h"
#include "freeplay/io/result/checkpoint.h"
#include "freeplay/io/result/result_file.h"
#include "freeplay/io/schema/result_schema.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;
namespace schema = result_schema;
using Clock = std::chrono::steady_clock;

// Milliseconds are enough for the question whether to flush, and reading the clock exactly costs as much as a row.
Clock::time_point roughly_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);  // of the same beginning as steady_clock
  return Clock::time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

// Buffered rows take at most this much, so that 10 000 channels do not fill the memory: those that come and those that
// are being written, or, where a single chunk of all columns takes more than half, one for both in turn. Below
// kMinRowsPerChunk the index of the chunks would outgrow the data.
constexpr std::size_t kBufferBytes = std::size_t{32} << 20;
constexpr std::size_t kMinRowsPerChunk = 16;
// A flush writes all columns: many impacts or events in few rows must not ask for it often.
constexpr std::size_t kMostPendingRecords = 4096;
constexpr std::size_t kMostPendingForces = std::size_t{1} << 16;  // contact forces, which are many: 2.4 MB
// A fast run fills a chunk in a few milliseconds; several are written together, since a flush costs more than the data.
constexpr std::size_t kMostChunksPerFlush = 4;
// A flush that takes long (thousands of channels, a slow disk) is repeated less often: a tenth of the time at most.
constexpr int kWorkPerFlush = 10;

std::size_t rows_per_chunk(const ResultWriterOptions& options, std::size_t columns) {
  const std::size_t wanted = static_cast<std::size_t>(std::max(1, options.rows_per_chunk));
  const std::size_t affordable = std::max(kMinRowsPerChunk, kBufferBytes / (columns * sizeof(double)));
  return std::min(wanted, affordable);
}

std::size_t chunks_per_flush(std::size_t rows_per_chunk, std::size_t columns) {
  const std::size_t affordable = kBufferBytes / 2 / (columns * sizeof(double) * rows_per_chunk);
  return std::clamp<std::size_t>(affordable, 1, kMostChunksPerFlush);
}

constexpr const char* kIsInUse =
    "another run is writing it at this moment; wait for its end, or give this run a folder of its own (--out)";
constexpr const char* kIsGone = "it was removed or replaced while the run went on";

std::string system_reason(int error) {
  return std::generic_category().message(error);
}

}  // namespace

class ResultWriter::Impl {
 public:
  Impl(fs::path path, ResultWriterOptions options) : path_(std::move(path)), options_(options) {}
  ~Impl();

  void begin(const RecordLayout& layout);
  void row(double time_s, std::span<const double> values);
  void impact(const ImpactRecord& record);
  void event(const EventRecord& record);
  void contact_forces(std::span<const ContactForce> forces);
  void checkpoint(const Checkpoint& checkpoint);
  void end(const RunSummary& summary);
  void flush();
  std::int64_t rows_flushed() const { return static_cast<std::int64_t>(rows_flushed_); }

 private:
  enum class State { kNew, kOpen, kFailed, kEnded };

  void make_buffers(std::size_t width);
  void create_file(const RecordLayout& layout);
  void close_file();
  void flush_if_due();
  // Writing in the background: what came is handed over, the last part of it is waited for, and then vouched for.
  void hand_over();
  void wait_for_job();
  void set_next_flush();
  void require_open() const;
  // Runs `action`; whatever goes wrong in HDF5 or below it, the file is frozen and closed, and IoError is thrown.
  template <typename Action>
  void guarded(Action action);
  [[noreturn]] void fail(const std::string& reason);

  fs::path path_, partial_path_;
  ResultWriterOptions options_;
  State state_ = State::kNew;
  std::string failure_;

  ResultFile file_;
  std::size_t width_ = 1;  // time and channels
  std::size_t rows_per_chunk_ = 1, rows_per_flush_ = 1;
  RowBatch coming_, in_writing_;  // the second one and the file belong to the job while there is one
  std::size_t rows_flushed_ = 0;
  double last_time_flushed_s_ = 0;
  Clock::duration last_append_{};
  Clock::time_point next_flush_;
  hdf5::BackgroundJob job_;  // is over before anything above goes
};

template <typename Action>
void ResultWriter::Impl::guarded(Action action) {
  const hdf5::QuietErrors quiet;
  try {
    action();
  } catch (const hdf5::Error& error) {
    fail(error.what());
  }
  if (file_.write_error() != 0) fail(system_reason(file_.write_error()));
}

void ResultWriter::Impl::fail(const std::string& reason) {
  // The system's reason says more than what HDF5 makes of it.
  const int error = file_.write_error();
  failure_ = fmt::format("cannot write {}: {}", path_.string(), error != 0 ? system_reason(error) : reason);
  if (rows_flushed_ > 0) {
    failure_ += fmt::format(" (its first {} rows, up to t = {} s, are safe)", rows_flushed_, last_time_flushed_s_);
  }
  state_ = State::kFailed;
  file_.give_up();
  std::error_code ignored;
  if (!partial_path_.empty()) fs::remove(partial_path_, ignored);
  throw IoError(failure_);
}

void ResultWriter::Impl::require_open() const {
  if (state_ == State::kFailed) throw IoError(failure_);
  FREEPLAY_ASSERT(state_ == State::kOpen);
}

void ResultWriter::Impl::begin(const RecordLayout& layout) {
  FREEPLAY_ASSERT(state_ == State::kNew);
  std::error_code error;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
  if (error) fail(error.message());

  make_buffers(layout.channels.size() + 1);
  partial_path_ = path_;
  partial_path_ += ".partial";  // the same for all runs, so that the second one meets the first one's lock
  guarded([&] {
    const int reason = file_.create(partial_path_);
    if (reason != 0) partial_path_.clear();  // it is not ours
    if (reason == EWOULDBLOCK || (reason == 0 && hdf5::PosixFile::is_in_use(path_))) throw hdf5::Error(kIsInUse);
    if (reason != 0) throw hdf5::Error(system_reason(reason));
  });
  state_ = State::kOpen;
  set_next_flush();
  // A hundred channels take as long as ten thousand steps of a small model.
  job_.start([this, layout] { create_file(layout); });
}

void ResultWriter::Impl::make_buffers(std::size_t width) {
  width_ = width;
  rows_per_chunk_ = rows_per_chunk(options_, width);
  rows_per_flush_ = rows_per_chunk_ * chunks_per_flush(rows_per_chunk_, width);
  const std::size_t numbers = rows_per_flush_ * width;
  coming_.rows = std::make_unique_for_overwrite<double[]>(numbers);
  if (2 * numbers * sizeof(double) <= kBufferBytes)
    in_writing_.rows = std::make_unique_for_overwrite<double[]>(numbers);
}

void ResultWriter::Impl::create_file(const RecordLayout& layout) {
  file_.create_contents(layout, rows_per_chunk_, rows_per_flush_);
  if (file_.write_error() != 0) return;  // wait_for_job() tells
  std::error_code error;
  fs::rename(partial_path_, path_, error);
  if (error) throw hdf5::Error(error.message());
  partial_path_.clear();
}

void ResultWriter::Impl::row(double time_s, std::span<const double> values) {
  require_open();
  FREEPLAY_ASSERT(values.size() + 1 == width_);
  double* row = coming_.rows.get() + coming_.row_count * width_;
  *row = time_s;
  std::copy(values.begin(), values.end(), row + 1);
  ++coming_.row_count;
  flush_if_due();
}

void ResultWriter::Impl::impact(const ImpactRecord& record) {
  require_open();
  coming_.impacts.push_back(record);
  flush_if_due();
}

void ResultWriter::Impl::event(const EventRecord& record) {
  require_open();
  coming_.events.push_back(stored(record));
  flush_if_due();
}

// They belong to the row that comes next: a flush between the two leaves forces behind the last row, which readers
// pass over, and never a row without its forces.
void ResultWriter::Impl::contact_forces(std::span<const ContactForce> forces) {
  require_open();
  const auto row = static_cast<std::int32_t>(coming_.first_row + coming_.row_count);
  for (const ContactForce& force : forces) coming_.forces.push_back({row, force});
}

void ResultWriter::Impl::checkpoint(const Checkpoint& checkpoint) {
  if (state_ == State::kFailed) return;
  flush();  // a checkpoint vouches for the rows up to it
  const std::vector<std::byte> record = encode_checkpoint(checkpoint);
  guarded([&] { file_.write_checkpoint(record); });
}

void ResultWriter::Impl::flush_if_due() {
  // Flushes end at the boundary of a chunk, so that no chunk is written twice because of them.
  const bool buffer_is_full = coming_.row_count == rows_per_flush_ - coming_.first_row % rows_per_chunk_;
  const std::size_t most_records = std::max(coming_.impacts.size(), coming_.events.size());
  const bool has_many = most_records == kMostPendingRecords || coming_.forces.size() >= kMostPendingForces;
  if (buffer_is_full || has_many) hand_over();
  if (roughly_now() >= next_flush_) flush();
}

void ResultWriter::Impl::flush() {
  require_open();
  hand_over();
  wait_for_job();
  set_next_flush();
}

// While there is no job.
void ResultWriter::Impl::set_next_flush() {
  next_flush_ =
      Clock::now() +
      std::max(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.flush_interval_s)),
               kWorkPerFlush * last_append_);
}

void ResultWriter::Impl::hand_over() {
  wait_for_job();
  const bool is_alone = in_writing_.rows == nullptr;
  std::swap(coming_, in_writing_);
  set_next_flush();
  job_.start([this] {
    const Clock::time_point start = Clock::now();
    file_.append(in_writing_);
    last_append_ = Clock::now() - start;
  });
  if (is_alone) {
    wait_for_job();
    coming_.rows = std::move(in_writing_.rows);
  }
  coming_.follow(in_writing_);
}

void ResultWriter::Impl::wait_for_job() {
  guarded([&] { job_.wait(); });
  rows_flushed_ = in_writing_.first_row + in_writing_.row_count;
  last_time_flushed_s_ = file_.last_time_s();
}

void ResultWriter::Impl::end(const RunSummary& summary) {
  if (state_ == State::kFailed) return;
  coming_.is_empty() ? wait_for_job() : flush();
  if (!file_.is_at(path_)) {
    rows_flushed_ = 0;  // nothing is safe
    fail(kIsGone);
  }
  guarded([&] {
    file_.write_measures(summary.measures);  // first: a summary vouches for all that a run has written
    file_.write_wear(summary.wear);
    file_.write_summary(schema::encode(summary));
  });
  close_file();
}

void ResultWriter::Impl::close_file() {
  int error = 0;
  guarded([&] { error = file_.close(); });
  if (error != 0) fail(system_reason(error));
  state_ = State::kEnded;
}

ResultWriter::Impl::~Impl() {
  if (state_ != State::kOpen) return;
  try {
    flush();
    close_file();
  } catch (const std::exception&) {
    // A destructor has nobody to tell; the file is readable up to its last flush.
  }
}

ResultWriter::ResultWriter(fs::path path, ResultWriterOptions options)
    : impl_(std::make_unique<Impl>(std::move(path), options)) {}
ResultWriter::~ResultWriter() = default;

void ResultWriter::begin(const RecordLayout& layout) {
  impl_->begin(layout);
}
void ResultWriter::row(double time_s, std::span<const double> values) {
  impl_->row(time_s, values);
}
void ResultWriter::impact(const ImpactRecord& record) {
  impl_->impact(record);
}
void ResultWriter::event(const EventRecord& record) {
  impl_->event(record);
}
void ResultWriter::contact_forces(std::span<const ContactForce> forces) {
  impl_->contact_forces(forces);
}
void ResultWriter::checkpoint(const Checkpoint& checkpoint) {
  impl_->checkpoint(checkpoint);
}
void ResultWriter::end(const RunSummary& summary) {
  impl_->end(summary);
}
void ResultWriter::flush() {
  impl_->flush();
}
std::int64_t ResultWriter::rows_flushed() const {
  return impl_->rows_flushed();
}

}  // namespace freeplay::io

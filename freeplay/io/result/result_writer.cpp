#include "freeplay/io/result/result_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <span>
#include <system_error>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/io/result/background_job.h"
#include "freeplay/io/result/checkpoint.h"
#include "freeplay/io/result/column_gather.h"
#include "freeplay/io/result/hdf5_file_driver.h"
#include "freeplay/io/result/hdf5_handle.h"
#include "freeplay/io/result/result_schema.h"
#include "freeplay/io/result/result_table.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;
namespace schema = result_schema;
using hdf5::check;
using Clock = std::chrono::steady_clock;

// Buffered rows take at most this much, so that 10 000 channels do not fill the memory: those that come and those that
// are being written, or, where a single chunk of all columns takes more than half, one for both in turn. Below
// kMinRowsPerChunk the index of the chunks would outgrow the data.
constexpr std::size_t kBufferBytes = std::size_t{32} << 20;
constexpr std::size_t kMinRowsPerChunk = 16;
constexpr std::size_t kImpactsPerChunk = 256;
// A flush writes all columns: many impacts in few rows must not ask for it often.
constexpr std::size_t kMostPendingImpacts = 4096;
// A fast run fills a chunk in a few milliseconds; several are written together, since a flush costs more than the data.
constexpr std::size_t kMostChunksPerFlush = 4;
constexpr std::size_t kCheckpointBytesPerChunk = 4096;
// HDF5 searches its whole metadata cache on each flush (H5Dflush for every channel took 75 % of the time with 1000
// channels), and takes the square of the number of changed objects (one flush for 20 000 channels took minutes).
constexpr std::size_t kColumnsPerFlush = 512;
// A flush that takes long (thousands of channels, a slow disk) is repeated less often: a tenth of the time at most.
constexpr int kWorkPerFlush = 10;
// A kill can cut a write in two where a page of the system ends, and half an index is of no use. HDF5 is told to let no
// header or index cross such a border. (Without: 12 unreadable files in 4900 kills of a writer that did little else
// than flush; with: none in 6700.) Only beyond 8000 chunks, that is 8 million rows, are blocks of the index larger than
// this.
constexpr hsize_t kSystemPageBytes = 4096;

std::size_t rows_per_chunk(const ResultWriterOptions& options, std::size_t columns) {
  const std::size_t wanted = static_cast<std::size_t>(std::max(1, options.rows_per_chunk));
  const std::size_t affordable = std::max(kMinRowsPerChunk, kBufferBytes / (columns * sizeof(double)));
  return std::min(wanted, affordable);
}

std::size_t chunks_per_flush(std::size_t rows_per_chunk, std::size_t columns) {
  const std::size_t affordable = kBufferBytes / 2 / (columns * sizeof(double) * rows_per_chunk);
  return std::clamp<std::size_t>(affordable, 1, kMostChunksPerFlush);
}

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
  void checkpoint(const Checkpoint& checkpoint);
  void end(const RunSummary& summary);
  void flush();
  std::int64_t rows_flushed() const { return static_cast<std::int64_t>(rows_flushed_); }

 private:
  enum class State { kNew, kOpen, kFailed, kEnded };

  // Rows as they come, time first, and impacts: row() is one copy; append() gathers the columns, a few at a time.
  struct Batch {
    // Not filled with zeros: a short run never touches most of it.
    std::unique_ptr<double[]> rows;
    std::vector<ImpactRecord> impacts;
    std::size_t first_row = 0, row_count = 0, first_impact = 0;

    bool is_empty() const { return row_count == 0 && impacts.empty(); }
    void follow(const Batch& before) {
      first_row = before.first_row + before.row_count;
      first_impact = before.first_impact + before.impacts.size();
      row_count = 0;
      impacts.clear();
    }
  };

  void make_buffers(std::size_t width);
  void create_file(const RecordLayout& layout);
  void open_file();
  void create_contents(const RecordLayout& layout);
  void create_columns(const char* group_name, std::span<const ChannelInfo> channels);
  void write_summary(const std::vector<std::byte>& record);
  void close_file();
  void flush_if_due();
  // Writing in the background: what came is handed over, the last part of it is waited for, and then vouched for.
  void hand_over();
  void wait_for_job();
  void set_next_flush();
  void append(const Batch& batch);
  void require_open() const;
  // Runs `action`; whatever goes wrong in HDF5 or below it, the file is frozen and closed, and IoError is thrown.
  template <typename Action>
  void guarded(Action action);
  [[noreturn]] void fail(const std::string& reason);
  void close_handles();

  fs::path path_, partial_path_;
  ResultWriterOptions options_;
  State state_ = State::kNew;
  std::string failure_;

  hdf5::PosixFile posix_file_;  // outlives the handles below
  hdf5::File file_;
  hdf5::Dataset time_, impacts_, summary_, checkpoint_;
  std::vector<hdf5::Dataset> columns_;
  hdf5::Datatype impact_type_;

  std::size_t width_ = 1;  // time and channels
  std::size_t rows_per_chunk_ = 1, rows_per_flush_ = 1;
  Batch coming_, in_writing_;  // the second one and all of the file belong to the job while there is one
  std::unique_ptr<double[]> gathered_;
  std::size_t rows_flushed_ = 0;
  double last_time_flushed_s_ = 0, last_time_appended_s_ = 0;
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
  if (posix_file_.write_error() != 0) fail(system_reason(posix_file_.write_error()));
}

void ResultWriter::Impl::fail(const std::string& reason) {
  // The system's reason says more than what HDF5 makes of it.
  const int error = posix_file_.write_error();
  failure_ = fmt::format("cannot write {}: {}", path_.string(), error != 0 ? system_reason(error) : reason);
  if (rows_flushed_ > 0) {
    failure_ += fmt::format(" (its first {} rows, up to t = {} s, are safe)", rows_flushed_, last_time_flushed_s_);
  }
  state_ = State::kFailed;
  posix_file_.freeze();
  close_handles();
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
  partial_path_ += fmt::format(".{}.partial", ::getpid());
  guarded([&] {
    if (const int reason = posix_file_.create(partial_path_); reason != 0) throw hdf5::Error(system_reason(reason));
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
  gathered_ = std::make_unique_for_overwrite<double[]>((rows_per_flush_ + kColumnPadding) * kColumnsTogether);
  coming_.impacts.reserve(kImpactsPerChunk);
}

void ResultWriter::Impl::create_file(const RecordLayout& layout) {
  open_file();
  create_contents(layout);
  check(H5Fstart_swmr_write(file_.get()), "start SWMR");
  // From here on only append() writes the length of `time`, which is what makes rows count: HDF5 would otherwise
  // be free to write it, under memory pressure, before the data.
  check(H5Odisable_mdc_flushes(time_.get()), "order the writes");
  if (posix_file_.write_error() != 0) return;  // wait_for_job() tells
  std::error_code error;
  fs::rename(partial_path_, path_, error);
  if (error) throw hdf5::Error(error.message());
  partial_path_.clear();
}

void ResultWriter::Impl::open_file() {
  const hdf5::PropertyList access = hdf5::access_through(posix_file_);
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "set the file format");
  // No chunk cache: rows are buffered here, and HDF5's default would take 1 MB per channel. It is set for the file
  // because H5Fstart_swmr_write reopens the datasets and forgets what was set for each.
  check(H5Pset_cache(access.get(), 0, 0, 0, 0), "set the chunk cache");
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_FILE_CREATE);
  check(H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1), "set the file space strategy");
  check(H5Pset_file_space_page_size(creation.get(), kSystemPageBytes), "set the page size");
  file_ = hdf5::File(
      check(H5Fcreate(partial_path_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), "create the file"));
}

void ResultWriter::Impl::create_contents(const RecordLayout& layout) {
  const hid_t root = file_.get();
  const hdf5::Dataspace scalar(check(H5Screate(H5S_SCALAR), "make a dataspace"));
  const hdf5::Attribute version(
      check(H5Acreate2(root, schema::kFormatAttribute, H5T_STD_I32LE, scalar.get(), H5P_DEFAULT, H5P_DEFAULT),
            "create an attribute"));
  check(H5Awrite(version.get(), H5T_NATIVE_INT, &schema::kFormatVersion), "write an attribute");
  for (const auto& [key, text] : layout.attributes) hdf5::write_text_attribute(root, key, text);
  hdf5::write_text_dataset(root, schema::kContacts, layout.contacts);
  hdf5::write_text_dataset(root, schema::kGeometry, layout.geometry_json);

  time_ = hdf5::TableMaker(H5T_NATIVE_DOUBLE, rows_per_chunk_).make(root, schema::kTime);
  hdf5::write_text_attribute(time_.get(), schema::kUnitAttribute, "s");

  const std::size_t asked = layout.channels.size() - layout.motion_channels;
  create_columns(schema::kChannels, std::span(layout.channels).first(asked));
  if (layout.motion_channels > 0) create_columns(schema::kMotion, std::span(layout.channels).subspan(asked));

  impact_type_ = schema::impact_type(schema::Packing::kAsInMemory);
  const hdf5::Datatype packed_impact = schema::impact_type(schema::Packing::kPacked);
  impacts_ = hdf5::TableMaker(packed_impact.get(), kImpactsPerChunk).make(root, schema::kImpacts);
  hdf5::write_text_attribute(impacts_.get(), schema::kFieldUnitsAttribute, schema::impact_units());

  checkpoint_ = hdf5::TableMaker(H5T_NATIVE_UINT8, kCheckpointBytesPerChunk).make(root, schema::kCheckpoint);
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_DATASET_CREATE);
  summary_ = hdf5::Dataset(check(H5Dcreate2(root, schema::kSummary, schema::summary_type().get(), scalar.get(),
                                            H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                                 "create the summary"));
  hdf5::write_text_attribute(summary_.get(), schema::kFieldUnitsAttribute, schema::summary_units());
  write_summary(schema::encode_running());
}

void ResultWriter::Impl::create_columns(const char* group_name, std::span<const ChannelInfo> channels) {
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_GROUP_CREATE);
  check(H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "keep the order of the channels");
  const hdf5::Group group(
      check(H5Gcreate2(file_.get(), group_name, H5P_DEFAULT, creation.get(), H5P_DEFAULT), "create a group"));
  const hdf5::TableMaker column(H5T_NATIVE_DOUBLE, rows_per_chunk_);
  const hdf5::TextAttributes attributes;
  std::set<std::string> taken;
  for (const ChannelInfo& channel : channels) {
    columns_.push_back(column.make(group.get(), hdf5::dataset_name(channel.name, taken)));
    attributes.write(columns_.back().get(), schema::kNameAttribute, channel.name);
    attributes.write(columns_.back().get(), schema::kUnitAttribute, channel.unit);
  }
}

void ResultWriter::Impl::write_summary(const std::vector<std::byte>& record) {
  check(H5Dwrite(summary_.get(), schema::summary_type().get(), H5S_ALL, H5S_ALL, hdf5::modest_transfer().get(),
                 record.data()),
        "write the summary");
  check(H5Dflush(summary_.get()), "flush the summary");
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

void ResultWriter::Impl::checkpoint(const Checkpoint& checkpoint) {
  if (state_ == State::kFailed) return;
  flush();  // a checkpoint vouches for the rows up to it
  const std::vector<std::byte> record = encode_checkpoint(checkpoint);
  guarded([&] {
    hdf5::AppendedRange(0, record.size()).append(checkpoint_, H5T_NATIVE_UINT8, record.data());
    check(H5Dflush(checkpoint_.get()), "flush the checkpoint");
  });
}

void ResultWriter::Impl::flush_if_due() {
  // Flushes end at the boundary of a chunk, so that no chunk is written twice because of them.
  const bool buffer_is_full = coming_.row_count == rows_per_flush_ - coming_.first_row % rows_per_chunk_;
  if (buffer_is_full || coming_.impacts.size() == kMostPendingImpacts) hand_over();
  if (Clock::now() >= next_flush_) flush();
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
    append(in_writing_);
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
  last_time_flushed_s_ = last_time_appended_s_;
}

// `time` comes last, and only after everything else has been flushed: whatever the moment of a kill, every channel has
// a value for each entry of `time`, and the impacts up to its last entry are there. Within a dataset SWMR orders the
// writes: data, index of the chunks, length.
void ResultWriter::Impl::append(const Batch& batch) {
  const auto flush_metadata = [&] { check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "flush the file"); };
  const hid_t number = H5T_NATIVE_DOUBLE;
  hdf5::AppendedRange(batch.first_impact, batch.impacts.size())
      .append(impacts_, impact_type_.get(), batch.impacts.data(), hdf5::modest_transfer());
  const hdf5::AppendedRange range(batch.first_row, batch.row_count, {rows_per_chunk_, sizeof(double)});
  for (std::size_t first = 0; first < columns_.size() && !posix_file_.frozen(); first += kColumnsTogether) {
    const std::size_t count = std::min(kColumnsTogether, columns_.size() - first);
    gather_columns(batch.rows.get(), width_, batch.row_count, first + 1, count, gathered_.get());
    for (std::size_t c = 0; c < count; ++c)
      range.append(columns_[first + c], number, gathered_.get() + c * (batch.row_count + kColumnPadding));
    if ((first + count) % kColumnsPerFlush == 0) flush_metadata();
  }
  flush_metadata();
  if (posix_file_.frozen()) return;
  gather_columns(batch.rows.get(), width_, batch.row_count, 0, 1, gathered_.get());
  range.append(time_, number, gathered_.get());
  check(H5Dflush(time_.get()), "flush the time");
  if (batch.row_count > 0 && !posix_file_.frozen()) last_time_appended_s_ = gathered_[batch.row_count - 1];
}

void ResultWriter::Impl::end(const RunSummary& summary) {
  if (state_ == State::kFailed) return;
  coming_.is_empty() ? wait_for_job() : flush();
  guarded([&] { write_summary(schema::encode(summary)); });
  close_file();
}

void ResultWriter::Impl::close_file() {
  guarded([&] { close_handles(); });
  if (const int error = posix_file_.close(); error != 0) fail(system_reason(error));
  state_ = State::kEnded;
}

void ResultWriter::Impl::close_handles() {
  columns_.clear();
  time_.reset();
  impacts_.reset();
  summary_.reset();
  checkpoint_.reset();
  impact_type_.reset();
  file_.reset();
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

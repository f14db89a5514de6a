#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/io/hdf5/hdf5_file_driver.h"
#include "freeplay/io/hdf5/hdf5_group.h"
#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/result/tables/result_table.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/io/sweep/sweep_schema.h"

namespace freeplay::io {

namespace {

constexpr std::size_t kSweepRowsPerChunk = 1024;
constexpr std::size_t kMessagesPerChunk = 64;
constexpr std::size_t kReasonBytes = 80;   // why a run was left to the engine
constexpr hsize_t kSweepPageBytes = 4096;  // no header or index crosses a page of the system: see result_file.cpp

void write_whole_number(hid_t object, const char* name, int value) {
  const hdf5::Dataspace scalar(hdf5::check(H5Screate(H5S_SCALAR), "make a dataspace"));
  const hdf5::Attribute attribute(hdf5::check(
      H5Acreate2(object, name, H5T_STD_I32LE, scalar.get(), H5P_DEFAULT, H5P_DEFAULT), "create an attribute"));
  hdf5::check(H5Awrite(attribute.get(), H5T_NATIVE_INT, &value), "write an attribute");
}

}  // namespace

// The HDF5 file: throws hdf5::Error; a write that the system refuses shows in write_error().
class SweepFile {
 public:
  [[nodiscard]] int create(const std::filesystem::path& path) {
    path_ = path;
    return posix_file_.create_alone(path);
  }

  enum class Use : std::uint8_t { kGrowing, kWrittenOnce };

  // Room for texts, bytes: they have a fixed length.
  struct TextSizes {
    std::size_t message = kSweepMessageBytes, reason = kReasonBytes;
  };

  void create_contents(const SweepHeader& header, TextSizes sizes, Use use) {
    const hdf5::PropertyList access = hdf5::access_through(posix_file_);
    hdf5::check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "set the file format");
    hdf5::check(H5Pset_cache(access.get(), 0, 0, 0, 0), "set the chunk cache");
    const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_FILE_CREATE);
    // Only where rows are added: HDF5 stamps what it writes about its pages with the time, which no property prevents.
    if (use == Use::kGrowing) {
      hdf5::check(H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1),
                  "set the file space strategy");
      hdf5::check(H5Pset_file_space_page_size(creation.get(), kSweepPageBytes), "set the page size");
    }
    file_ = hdf5::File(
        hdf5::check(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), "create the file"));
    const hid_t root = file_.get();
    write_whole_number(root, sweep_schema::kFormatAttribute, sweep_schema::kFormatVersion);
    write_whole_number(root, sweep_schema::kRunsAttribute, static_cast<int>(header.runs));
    for (const auto& [key, text] : header.attributes) hdf5::write_text_attribute(root, key, text);
    create_columns(sweep_schema::kParameters, header.parameters, columns_);
    create_columns(sweep_schema::kMeasures, header.measures, columns_);
    if (!header.final_state.empty()) create_columns(sweep_schema::kFinalState, header.final_state, columns_);
    if (!header.section.empty()) {
      create_columns(sweep_schema::kSection, header.section, section_);
      const hdf5::TableMaker maker(H5T_NATIVE_INT64, kSweepRowsPerChunk);
      crossings_ = maker.make(root, sweep_schema::kCrossings);
      crossing_runs_ = maker.make(root, sweep_schema::kCrossingRuns);
    }
    status_type_ = hdf5::fixed_text_type(sweep_status_name(SweepStatus::kCompleted).size());
    status_ = hdf5::TableMaker(status_type_.get(), kSweepRowsPerChunk).make(root, sweep_schema::kStatus);
    warnings_ = hdf5::TableMaker(H5T_NATIVE_INT32, kSweepRowsPerChunk).make(root, sweep_schema::kWarnings);
    if (header.is_compiled()) {
      left_to_engine_ = hdf5::TableMaker(H5T_NATIVE_INT32, kSweepRowsPerChunk).make(root, sweep_schema::kLeftToEngine);
      reason_type_ = hdf5::fixed_text_type(std::max<std::size_t>(1, sizes.reason));
      left_because_ = hdf5::TableMaker(reason_type_.get(), kMessagesPerChunk).make(root, sweep_schema::kLeftBecause);
    }
    message_type_ = hdf5::fixed_text_type(std::max<std::size_t>(1, sizes.message));
    message_ = hdf5::TableMaker(message_type_.get(), kMessagesPerChunk).make(root, sweep_schema::kMessage);
    index_ = hdf5::TableMaker(H5T_NATIVE_INT64, kSweepRowsPerChunk).make(root, sweep_schema::kIndex);
  }

  void start_swmr() {
    hdf5::check(H5Fstart_swmr_write(file_.get()), "start SWMR");
    // Only append() writes its length, last, which is what makes rows count.
    hdf5::check(H5Odisable_mdc_flushes(index_.get()), "order the writes");
  }

  // `index` comes last, and only after everything else has been flushed: whatever the moment of a kill, a row that has
  // an index is there whole.
  void append(std::span<const SweepRow> rows) {
    if (rows.empty() || posix_file_.frozen()) return;
    const hdf5::AppendedRange range(count_, rows.size());
    std::vector<double> numbers(rows.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::transform(rows.begin(), rows.end(), numbers.begin(), [&](const SweepRow& row) { return row.values.at(c); });
      range.append(columns_[c], H5T_NATIVE_DOUBLE, numbers.data());
    }
    append_text(range, rows, status_, status_type_, [](const SweepRow& row) { return sweep_status_name(row.status); });
    append_text(range, rows, message_, message_type_,
                [](const SweepRow& row) { return std::string_view(row.message); });
    if (!section_.empty()) append_crossings(range, rows);
    std::vector<std::int32_t> warnings, left_to_engine;
    std::vector<std::int64_t> indices;
    for (const SweepRow& row : rows) {
      warnings.push_back(row.warnings);
      left_to_engine.push_back(row.is_left_to_engine() ? 1 : 0);
      indices.push_back(row.index);
    }
    range.append(warnings_, H5T_NATIVE_INT32, warnings.data());
    if (left_to_engine_.get() >= 0) {
      range.append(left_to_engine_, H5T_NATIVE_INT32, left_to_engine.data());
      append_text(range, rows, left_because_, reason_type_,
                  [](const SweepRow& row) { return std::string_view(row.left_because); });
    }
    hdf5::check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "flush the file");
    if (posix_file_.frozen()) return;
    range.append(index_, H5T_NATIVE_INT64, indices.data());
    hdf5::check(H5Dflush(index_.get()), "flush the index");
    count_ += rows.size();
  }

  [[nodiscard]] int close() {
    close_handles();
    return posix_file_.close();
  }
  void give_up() {
    posix_file_.freeze();
    close_handles();
  }
  int write_error() const { return posix_file_.write_error(); }

 private:
  void create_columns(const char* group_name, std::span<const SweepColumn> columns, std::vector<hdf5::Dataset>& made) {
    const hdf5::Group group = hdf5::make_ordered_group(file_.get(), group_name);
    const hdf5::TableMaker maker(H5T_NATIVE_DOUBLE, kSweepRowsPerChunk);
    std::set<std::string> taken;
    for (const SweepColumn& column : columns) {
      made.push_back(maker.make(group.get(), hdf5::dataset_name(column.name, taken)));
      const hid_t dataset = made.back().get();
      hdf5::write_text_attribute(dataset, sweep_schema::kNameAttribute, column.name);
      hdf5::write_text_attribute(dataset, sweep_schema::kUnitAttribute, column.unit);
      if (!column.words.empty())
        hdf5::write_text_attribute(dataset, sweep_schema::kWordsAttribute, nlohmann::json(column.words).dump());
    }
  }

  void append_crossings(const hdf5::AppendedRange& range, std::span<const SweepRow> rows) {
    const std::size_t width = section_.size();
    std::vector<std::int64_t> counts, runs;
    std::vector<std::vector<double>> columns(width);
    for (const SweepRow& row : rows) {
      counts.push_back(static_cast<std::int64_t>(row.crossings.size() / width));
      for (std::size_t i = 0; i < row.crossings.size(); ++i) columns[i % width].push_back(row.crossings[i]);
      runs.resize(columns.back().size(), row.index);
    }
    range.append(crossings_, H5T_NATIVE_INT64, counts.data());
    if (runs.empty()) return;
    const hdf5::AppendedRange added(crossing_count_, runs.size());
    added.append(crossing_runs_, H5T_NATIVE_INT64, runs.data());
    for (std::size_t c = 0; c < width; ++c) added.append(section_[c], H5T_NATIVE_DOUBLE, columns[c].data());
    crossing_count_ += runs.size();
  }

  template <class TextOf>
  static void append_text(const hdf5::AppendedRange& range, std::span<const SweepRow> rows,
                          const hdf5::Dataset& dataset, const hdf5::Datatype& type, TextOf text_of) {
    const std::size_t bytes = H5Tget_size(type.get());
    std::string texts(bytes * rows.size(), '\0');
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string_view text = hdf5::utf8_prefix(text_of(rows[i]), bytes);
      std::copy_n(text.begin(), text.size(), texts.begin() + static_cast<std::ptrdiff_t>(i * bytes));
    }
    range.append(dataset, type.get(), texts.data());
  }

  void close_handles() {
    columns_.clear();
    section_.clear();
    for (hdf5::Dataset* dataset :
         {&index_, &status_, &warnings_, &left_to_engine_, &left_because_, &message_, &crossings_, &crossing_runs_})
      dataset->reset();
    status_type_.reset();
    reason_type_.reset();
    message_type_.reset();
    file_.reset();
  }

  std::filesystem::path path_;
  hdf5::PosixFile posix_file_;  // outlives the handles below
  hdf5::File file_;
  std::vector<hdf5::Dataset> columns_, section_;
  hdf5::Dataset index_, status_, warnings_, left_to_engine_, left_because_, message_, crossings_, crossing_runs_;
  hdf5::Datatype status_type_, reason_type_, message_type_;
  std::size_t count_ = 0, crossing_count_ = 0;
};

// A file that is made under another name and then takes its place.
class SweepFileInPlace {
 public:
  explicit SweepFileInPlace(std::filesystem::path path) : path_(std::move(path)) {
    partial_ = path_;
    partial_ += ".partial";
    std::error_code error;
    if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), error);
    if (error) fail(error.message());
  }

  // `may_be_in_use`: by this process, which will have it replaced.
  void create(bool may_be_in_use) {
    guarded([&] {
      const int reason = file_.create(partial_);
      is_ours_ = reason == 0;
      const bool is_in_use = reason == 0 && !may_be_in_use && hdf5::PosixFile::is_in_use(path_);
      if (reason == EWOULDBLOCK || is_in_use)
        throw hdf5::Error("another process is writing it at this moment; wait for its end, or use another folder");
      if (reason != 0) throw hdf5::Error(std::generic_category().message(reason));
    });
  }

  void take_its_place() {
    std::error_code error;
    std::filesystem::rename(partial_, path_, error);
    if (error) fail(error.message());
    is_ours_ = false;
  }

  template <typename Action>
  void guarded(Action action) {
    const hdf5::QuietErrors quiet;
    try {
      action();
    } catch (const hdf5::Error& error) {
      fail(error.what());
    }
    if (file_.write_error() != 0) fail("");
  }

  void close() {
    int error = 0;
    guarded([&] { error = file_.close(); });
    if (error != 0) fail(std::generic_category().message(error));
  }

  SweepFile& file() { return file_; }

 private:
  [[noreturn]] void fail(const std::string& reason) {
    const int error = file_.write_error();
    file_.give_up();
    std::error_code ignored;
    if (is_ours_) std::filesystem::remove(partial_, ignored);
    throw IoError(fmt::format("cannot write {}: {}", path_.string(),
                              error != 0 ? std::generic_category().message(error) : reason));
  }

  std::filesystem::path path_, partial_;
  bool is_ours_ = false;
  SweepFile file_;
};

std::string_view sweep_status_name(SweepStatus status) {
  switch (status) {
    case SweepStatus::kCompleted:
      return "completed";
    case SweepStatus::kFailed:
      return "failed";
    case SweepStatus::kRefused:
      break;
  }
  return "refused";
}

class SweepWriter::Impl {
 public:
  Impl(std::filesystem::path path, const SweepHeader& header, std::span<const SweepRow> first_rows)
      : place_(std::move(path)) {
    place_.create(false);
    place_.guarded([&] {
      place_.file().create_contents(header, {}, SweepFile::Use::kGrowing);
      place_.file().start_swmr();
      place_.file().append(first_rows);
    });
    place_.take_its_place();
  }
  SweepFileInPlace place_;
  bool is_open_ = true;
};

SweepWriter::SweepWriter(std::filesystem::path path, const SweepHeader& header, std::span<const SweepRow> first_rows)
    : impl_(std::make_unique<Impl>(std::move(path), header, first_rows)) {}

SweepWriter::~SweepWriter() {
  try {
    close();
  } catch (const std::exception&) {
    // A destructor has nobody to tell; the file is readable up to its last append.
  }
}

void SweepWriter::append(std::span<const SweepRow> rows) {
  impl_->place_.guarded([&] { impl_->place_.file().append(rows); });
}

void SweepWriter::close() {
  if (std::exchange(impl_->is_open_, false)) impl_->place_.close();
}

void write_sweep(const std::filesystem::path& path, const SweepTable& table) {
  SweepFile::TextSizes longest = {0, 0};
  for (const SweepRow& row : table.rows) {
    longest.message = std::max(longest.message, std::min(row.message.size(), kSweepMessageBytes));
    longest.reason = std::max(longest.reason, std::min(row.left_because.size(), kReasonBytes));
  }
  SweepFileInPlace place(path);
  place.create(true);
  place.guarded([&] {
    place.file().create_contents(table.header, longest, SweepFile::Use::kWrittenOnce);
    place.file().append(table.rows);
  });
  place.close();
  place.take_its_place();
}

}  // namespace freeplay::io

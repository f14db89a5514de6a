#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/io/hdf5/hdf5_checks.h"
#include "freeplay/io/hdf5/hdf5_file_driver.h"
#include "freeplay/io/hdf5/hdf5_group.h"
#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/io/sweep/sweep_schema.h"

namespace freeplay::io {

namespace {

constexpr const char* kUnknownReason = "unknown";

constexpr unsigned kSweepReadAttempts = 24;  // see result_reader.cpp
constexpr std::size_t kMostTextBytes =
    4096;  // ten times what is written: room is made for all rows before they are read

SweepStatus sweep_status_of(std::string_view word) {
  for (const SweepStatus status : {SweepStatus::kCompleted, SweepStatus::kFailed, SweepStatus::kRefused}) {
    if (sweep_status_name(status) == word) return status;
  }
  throw hdf5::Error(fmt::format("a run has the status '{}'", word));
}

class SweepReader {
 public:
  explicit SweepReader(const std::filesystem::path& path) {
    if (const int error = posix_file_.open_for_reading(path); error != 0)
      throw hdf5::Error(std::generic_category().message(error));
    const hdf5::PropertyList access = hdf5::access_through(posix_file_);
    hdf5::check(H5Pset_cache(access.get(), 0, 0, 0, 0), "set the chunk cache");
    hdf5::check(H5Pset_metadata_read_attempts(access.get(), kSweepReadAttempts), "set the read attempts");
    for (int round = 0; round < 2 && file_.get() < 0; ++round) {
      for (const unsigned mode : {H5F_ACC_RDONLY, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ}) {
        file_ = hdf5::File(H5Fopen(path.c_str(), mode, access.get()));
        if (file_.get() >= 0) break;
      }
    }
    if (file_.get() < 0) throw hdf5::Error("it is not an HDF5 file, or it is damaged");
    if (!is_sweep()) throw hdf5::Error("it is an HDF5 file, but not one of `freeplay sweep`");
    if (posix_file_.size(bytes_) != 0) throw hdf5::Error("its size is unknown");
  }

  bool is_sweep() const { return H5Aexists(file_.get(), sweep_schema::kFormatAttribute) > 0; }

  SweepTable read() {
    const std::vector<std::int64_t> indices = read_header_and_indices();
    table_.rows.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) table_.rows[i].index = indices[i];
    read_values();
    if (has(sweep_schema::kSection)) read_section();
    read_endings();
    sort_rows();
    return std::move(table_);
  }

  // The header and the values of one run, or no row at all.
  SweepTable read_one(std::int64_t run) {
    const std::vector<std::int64_t> indices = read_header_and_indices();
    const auto found = std::find(indices.begin(), indices.end(), run);
    count_ = found == indices.end() ? 0 : 1;
    first_ = static_cast<std::size_t>(found - indices.begin());
    table_.rows.resize(count_);
    for (SweepRow& row : table_.rows) row.index = run;
    read_values();
    return std::move(table_);
  }

 private:
  std::vector<std::int64_t> read_header_and_indices() {
    const int version = hdf5::read_integer_attribute(file_.get(), sweep_schema::kFormatAttribute);
    if (version != sweep_schema::kFormatVersion)
      throw hdf5::Error(fmt::format("its format is version {}, this program reads version {}", version,
                                    sweep_schema::kFormatVersion));
    table_.header.runs = hdf5::read_integer_attribute(file_.get(), sweep_schema::kRunsAttribute);
    read_attributes();
    const hdf5::Dataset index = hdf5::open_own_dataset(file_.get(), sweep_schema::kIndex);
    hdf5::require_numbers(index, H5T_NATIVE_INT64);
    count_ = static_cast<std::size_t>(hdf5::column_length(index, bytes_));
    std::vector<std::int64_t> indices(count_);
    read_rows(index, H5T_NATIVE_INT64, indices.data());
    for (const std::int64_t each : indices) {
      if (each < 0 || each >= table_.header.runs) throw hdf5::Error("a run has a number beyond the last");
    }
    return indices;
  }

  void read_values() {
    read_columns(sweep_schema::kParameters, table_.header.parameters);
    read_columns(sweep_schema::kMeasures, table_.header.measures);
    if (has(sweep_schema::kFinalState)) read_columns(sweep_schema::kFinalState, table_.header.final_state);
  }

  bool has(const char* name) const { return H5Lexists(file_.get(), name, H5P_DEFAULT) > 0; }

  void read_rows(const hdf5::Dataset& dataset, hid_t type, void* out) const { read_rows(dataset, type, count_, out); }
  void read_rows(const hdf5::Dataset& dataset, hid_t type, std::size_t count, void* out) const {
    if (count == 0) return;
    if (hdf5::column_length(dataset, bytes_) < static_cast<std::int64_t>(first_ + count))
      throw hdf5::Error("a column is shorter than the others");
    hdf5::require_stored_rows(dataset, static_cast<std::int64_t>(first_), static_cast<std::int64_t>(count));
    const hsize_t start = first_, extent = count;
    const hdf5::Dataspace file_space(hdf5::check(H5Dget_space(dataset.get()), "read rows"));
    hdf5::check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr),
                "select rows");
    const hdf5::Dataspace memory_space(hdf5::check(H5Screate_simple(1, &extent, nullptr), "make a dataspace"));
    hdf5::check(H5Dread(dataset.get(), type, memory_space.get(), file_space.get(), H5P_DEFAULT, out), "read rows");
  }

  void read_attributes() {
    H5O_info_t info{};
    hdf5::check(H5Oget_info2(file_.get(), &info, H5O_INFO_NUM_ATTRS), "count the attributes");
    for (hsize_t i = 0; i < info.num_attrs; ++i) {
      const hdf5::Attribute attribute(
          hdf5::check(H5Aopen_by_idx(file_.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT),
                      "open an attribute"));
      if (!hdf5::holds_one_text(attribute.get())) continue;
      std::string name(static_cast<std::size_t>(hdf5::check(H5Aget_name(attribute.get(), 0, nullptr), "read a name")),
                       '\0');
      hdf5::check(H5Aget_name(attribute.get(), name.size() + 1, name.data()), "read a name");
      table_.header.attributes[name] = hdf5::read_text(attribute.get(), bytes_);
    }
  }

  void read_columns(const char* group_name, std::vector<SweepColumn>& columns) {
    const hdf5::Group group = hdf5::open_own_group(file_.get(), group_name);
    std::vector<double> numbers(count_);
    for (const std::string& link : hdf5::links_in_order(group)) {
      const hdf5::Dataset dataset = hdf5::open_own_dataset(group.get(), link);
      columns.push_back(column_of(dataset));
      read_rows(dataset, H5T_NATIVE_DOUBLE, numbers.data());
      for (std::size_t i = 0; i < count_; ++i) table_.rows[i].values.push_back(numbers[i]);
    }
  }

  SweepColumn column_of(const hdf5::Dataset& dataset) const {
    hdf5::require_numbers(dataset, H5T_NATIVE_DOUBLE);
    SweepColumn column;
    column.name = hdf5::read_text_attribute(dataset.get(), sweep_schema::kNameAttribute, bytes_);
    column.unit = hdf5::read_text_attribute(dataset.get(), sweep_schema::kUnitAttribute, bytes_);
    if (H5Aexists(dataset.get(), sweep_schema::kWordsAttribute) > 0) column.words = words_of(dataset);
    return column;
  }

  // Crossings follow one another in the order of the runs; what a kill has left behind the last of them is no one's.
  void read_section() {
    const hdf5::Dataset counted = hdf5::open_own_dataset(file_.get(), sweep_schema::kCrossings);
    hdf5::require_numbers(counted, H5T_NATIVE_INT64);
    std::vector<std::int64_t> counts(count_);
    read_rows(counted, H5T_NATIVE_INT64, counts.data());
    std::size_t all = 0;
    for (const std::int64_t count : counts) {
      if (count < 0 || static_cast<std::uint64_t>(count) > bytes_) throw hdf5::Error("a run has impossible crossings");
      all += static_cast<std::size_t>(count);
    }
    const hdf5::Group group = hdf5::open_own_group(file_.get(), sweep_schema::kSection);
    std::vector<std::vector<double>> columns;
    for (const std::string& link : hdf5::links_in_order(group)) {
      const hdf5::Dataset dataset = hdf5::open_own_dataset(group.get(), link);
      table_.header.section.push_back(column_of(dataset));
      if (hdf5::column_length(dataset, bytes_) < static_cast<std::int64_t>(all))
        throw hdf5::Error("a column is shorter than the others");
      columns.emplace_back(all);
      read_rows(dataset, H5T_NATIVE_DOUBLE, all, columns.back().data());
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::int64_t k = 0; k < counts[i]; ++k, ++next) {
        for (const std::vector<double>& column : columns) table_.rows[i].crossings.push_back(column[next]);
      }
    }
  }

  std::vector<std::string> words_of(const hdf5::Dataset& dataset) const {
    const std::string text = hdf5::read_text_attribute(dataset.get(), sweep_schema::kWordsAttribute, bytes_);
    const nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
    std::vector<std::string> words;
    if (!list.is_array()) throw hdf5::Error("a list of words is damaged");
    for (const nlohmann::json& word : list) {
      if (!word.is_string()) throw hdf5::Error("a list of words is damaged");
      words.push_back(word.get<std::string>());
    }
    return words;
  }

  void read_endings() {
    const std::vector<std::string> statuses = texts_of(sweep_schema::kStatus);
    const std::vector<std::string> messages = texts_of(sweep_schema::kMessage);
    const std::vector<std::int32_t> warnings = counts_of(sweep_schema::kWarnings);
    std::vector<std::int32_t> left_to_engine(count_);
    if (has(sweep_schema::kLeftToEngine)) left_to_engine = counts_of(sweep_schema::kLeftToEngine);
    std::vector<std::string> left_because(count_, kUnknownReason);  // which older files do not tell
    if (has(sweep_schema::kLeftBecause)) left_because = texts_of(sweep_schema::kLeftBecause);
    for (std::size_t i = 0; i < count_; ++i) {
      table_.rows[i].status = sweep_status_of(statuses[i]);
      table_.rows[i].message = messages[i];
      table_.rows[i].warnings = warnings[i];
      if (left_to_engine[i] == 0) continue;
      table_.rows[i].left_because = left_because[i].empty() ? kUnknownReason : left_because[i];
    }
  }

  std::vector<std::int32_t> counts_of(const char* name) const {
    const hdf5::Dataset column = hdf5::open_own_dataset(file_.get(), name);
    hdf5::require_numbers(column, H5T_NATIVE_INT32);
    std::vector<std::int32_t> counts(count_);
    read_rows(column, H5T_NATIVE_INT32, counts.data());
    return counts;
  }

  // Of fixed length.
  std::vector<std::string> texts_of(const char* name) const {
    const hdf5::Dataset dataset = hdf5::open_own_dataset(file_.get(), name);
    const hdf5::Datatype type(hdf5::check(H5Dget_type(dataset.get()), "read a type"));
    if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0)
      throw hdf5::Error(fmt::format("the column {} holds no texts", name));
    const std::size_t bytes = H5Tget_size(type.get());
    if (bytes > kMostTextBytes) throw hdf5::Error(fmt::format("the column {} has texts of {} bytes", name, bytes));
    std::string all(bytes * count_, '\0');
    read_rows(dataset, hdf5::fixed_text_type(bytes).get(), all.data());
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::string_view text = std::string_view(all).substr(i * bytes, bytes);
      texts.emplace_back(text.substr(0, text.find('\0')));
    }
    return texts;
  }

  void sort_rows() {
    std::vector<SweepRow>& rows = table_.rows;
    std::stable_sort(rows.begin(), rows.end(), [](const SweepRow& a, const SweepRow& b) { return a.index < b.index; });
    rows.erase(
        std::unique(rows.begin(), rows.end(), [](const SweepRow& a, const SweepRow& b) { return a.index == b.index; }),
        rows.end());
  }

  hdf5::PosixFile posix_file_;  // outlives the handle below
  hdf5::File file_;
  std::uint64_t bytes_ = 0;
  std::size_t first_ = 0, count_ = 0;  // of the rows that are read
  SweepTable table_;
};

}  // namespace

SweepTable read_sweep(const std::filesystem::path& path) {
  const hdf5::QuietErrors quiet;
  try {
    return SweepReader(path).read();
  } catch (const hdf5::Error& error) {
    throw IoError(fmt::format("cannot read {}: {}", path.string(), error.what()));
  }
}

SweepTable read_sweep_run(const std::filesystem::path& path, std::int64_t run) {
  const hdf5::QuietErrors quiet;
  try {
    return SweepReader(path).read_one(run);
  } catch (const hdf5::Error& error) {
    throw IoError(fmt::format("cannot read {}: {}", path.string(), error.what()));
  }
}

bool is_sweep_file(const std::filesystem::path& path) {
  const hdf5::QuietErrors quiet;
  try {
    return SweepReader(path).is_sweep();
  } catch (const hdf5::Error&) {
    return false;
  }
}

}  // namespace freeplay::io

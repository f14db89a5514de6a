#include "freeplay/io/result/result_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/io/hdf5/hdf5_checks.h"
#include "freeplay/io/hdf5/hdf5_file_driver.h"
#include "freeplay/io/hdf5/hdf5_group.h"
#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/result/result_opening.h"
#include "freeplay/io/result/tables/motion_table.h"
#include "freeplay/io/result/tables/result_measures.h"
#include "freeplay/io/result/tables/result_wear.h"
#include "freeplay/io/result/tables/stored_rows.h"
#include "freeplay/io/schema/result_schema.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;
namespace schema = result_schema;
using hdf5::check;

constexpr std::string_view kCutShort =
    "the file ends before its data do: it was cut short after it was written, by a copy that was broken off for "
    "instance";

}  // namespace

class ResultReader::Impl {
 public:
  explicit Impl(fs::path path);

  void read_time(std::int64_t first, std::span<double> out) const;
  void read_channel(std::string_view name, std::int64_t first, std::span<double> out) const;
  void read_impacts(std::int64_t first, std::span<ImpactRecord> out) const;
  void read_events(std::int64_t first, std::span<EventRecord> out) const;
  void read_contact_forces(std::int64_t first, std::span<StoredContactForce> out) const;
  std::string geometry_json() const;
  std::vector<std::byte> checkpoint_record() const;
  // Runs `action` and turns what HDF5 says into an IoError that names the file.
  template <typename Action>
  void guarded(Action action) const;

  fs::path path_;
  std::vector<ChannelInfo> channels_, motion_channels_;
  std::vector<std::string> contacts_;
  std::map<std::string, std::string> attributes_;
  std::optional<RunSummary> summary_;
  std::int64_t rows_ = 0;
  std::int64_t impact_count_ = 0, event_count_ = 0, force_count_ = 0;

 private:
  struct ColumnPlace {  // of a channel
    std::string group, name;
    std::size_t in_table = 0;  // where the group is the table of motions
  };

  std::uint64_t bytes() const;  // of the file, which grows while it is written
  hdf5::Dataset open_column(hid_t group, const std::string& name) const;
  const ColumnPlace& channel_place(std::string_view name) const;
  void check_record(const char* what, std::int64_t number, double time_s, std::int32_t contact) const;
  void read_column(const hdf5::Dataset& column, std::int64_t first, std::span<double> out) const;
  void read_summary();
  void list_channels(const char* group_name, std::vector<ChannelInfo>& channels);
  void list_motion_table();
  void count_contact_forces();

  hdf5::PosixFile posix_file_;  // outlives the handle below
  hdf5::File file_;
  MotionTableReader motion_;
  std::map<std::string, ColumnPlace, std::less<>> place_of_channel_;
};

template <typename Action>
void ResultReader::Impl::guarded(Action action) const {
  const hdf5::QuietErrors quiet;
  try {
    action();
  } catch (const hdf5::Error& error) {
    throw IoError(
        fmt::format("cannot read {}: {}", path_.string(),
                    file_.get() >= 0 && posix_file_.is_cut_short() ? kCutShort : std::string_view(error.what())));
  }
}

ResultReader::Impl::Impl(fs::path path) : path_(std::move(path)) {
  guarded([&] {
    file_ = open_result_file(path_, posix_file_);
    require_result_format(file_);
    // The summary before the lengths: while a run ends, a summary seen here vouches for the rows seen below.
    read_summary();
    if (summary_) summary_->measures = read_measures(file_.get(), bytes());
    if (summary_) summary_->wear = read_wear(file_.get(), bytes());
    attributes_ = read_text_attributes(file_, bytes());
    contacts_ = hdf5::read_text_dataset(hdf5::open_own_dataset(file_.get(), schema::kContacts), bytes());
    rows_ = hdf5::column_length(open_column(file_.get(), schema::kTime), bytes());
    list_channels(schema::kChannels, channels_);
    if (H5Lexists(file_.get(), schema::kMotion, H5P_DEFAULT) > 0) list_channels(schema::kMotion, motion_channels_);
    list_motion_table();
    impact_count_ = hdf5::column_length(hdf5::open_own_dataset(file_.get(), schema::kImpacts), bytes());
    if (H5Lexists(file_.get(), schema::kEvents, H5P_DEFAULT) > 0)
      event_count_ = hdf5::column_length(hdf5::open_own_dataset(file_.get(), schema::kEvents), bytes());
    count_contact_forces();
  });
}

std::uint64_t ResultReader::Impl::bytes() const {
  std::uint64_t bytes = 0;
  if (const int error = posix_file_.size(bytes); error != 0) throw hdf5::Error(std::generic_category().message(error));
  return bytes;
}

hdf5::Dataset ResultReader::Impl::open_column(hid_t group, const std::string& name) const {
  hdf5::Dataset column = hdf5::open_own_dataset(group, name);
  hdf5::require_numbers(column, H5T_NATIVE_DOUBLE);
  return column;
}

void ResultReader::Impl::read_summary() {
  std::vector<std::byte> record = schema::encode_running();
  const hdf5::Dataset dataset = hdf5::open_own_dataset(file_.get(), schema::kSummary);
  hdf5::require_one_element(dataset);
  hdf5::require_record(dataset, schema::summary_type(), hdf5::MissingFields::kAllowed);
  check(H5Dread(dataset.get(), schema::summary_type().get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, record.data()),
        "read the summary");
  summary_ = schema::decode(record);
}

void ResultReader::Impl::list_channels(const char* group_name, std::vector<ChannelInfo>& channels) {
  const hdf5::Group group = hdf5::open_own_group(file_.get(), group_name);
  const std::uint64_t file_bytes = bytes();
  for (const std::string& link : hdf5::links_in_order(group)) {
    const hdf5::Dataset column = open_column(group.get(), link);
    ChannelInfo channel{hdf5::read_text_attribute(column.get(), schema::kNameAttribute, file_bytes),
                        hdf5::read_text_attribute(column.get(), schema::kUnitAttribute, file_bytes)};
    rows_ = std::min(rows_, hdf5::column_length(column, file_bytes));
    place_of_channel_.emplace(channel.name, ColumnPlace{group_name, link});
    channels.push_back(std::move(channel));
  }
}

void ResultReader::Impl::list_motion_table() {
  motion_.open(file_.get(), bytes());
  if (motion_.channels().empty()) return;
  rows_ = std::min(rows_, motion_.rows());
  for (const ChannelInfo& channel : motion_.channels()) {
    place_of_channel_.emplace(channel.name, ColumnPlace{schema::kMotionTable, "", motion_channels_.size()});
    motion_channels_.push_back(channel);
  }
}

const ResultReader::Impl::ColumnPlace& ResultReader::Impl::channel_place(std::string_view name) const {
  const auto found = place_of_channel_.find(name);
  if (found != place_of_channel_.end()) return found->second;
  // The search for a similar name takes time and memory with the square of the length.
  constexpr std::size_t kMaxSearchedBytes = 200;
  constexpr std::size_t kMaxShownBytes = 80;
  std::vector<std::string> names;
  for (const ChannelInfo& channel : channels_) names.push_back(channel.name);
  const std::string proposal = name.size() <= kMaxSearchedBytes ? closest_match(name, names) : std::string();
  throw UnknownChannel(fmt::format("{} has no channel \"{}{}\"{}", path_.string(), name.substr(0, kMaxShownBytes),
                                   name.size() > kMaxShownBytes ? "..." : "",
                                   proposal.empty() ? "" : fmt::format("; did you mean \"{}\"?", proposal)));
}

void ResultReader::Impl::read_column(const hdf5::Dataset& column, std::int64_t first, std::span<double> out) const {
  FREEPLAY_ASSERT(first >= 0 && first + static_cast<std::int64_t>(out.size()) <= rows_);
  read_elements(column, H5T_NATIVE_DOUBLE, first, out.size(), out.data());
}

void ResultReader::Impl::read_channel(std::string_view name, std::int64_t first, std::span<double> out) const {
  const ColumnPlace& place = channel_place(name);
  if (place.group == schema::kMotionTable) {
    FREEPLAY_ASSERT(first >= 0 && first + static_cast<std::int64_t>(out.size()) <= rows_);
    guarded([&] { motion_.read(place.in_table, first, out); });
    return;
  }
  guarded(
      [&] { read_column(open_column(hdf5::open_own_group(file_.get(), place.group).get(), place.name), first, out); });
}

// Times of rows that go back, or are no numbers, would lead every search in them astray.
void ResultReader::Impl::read_time(std::int64_t first, std::span<double> out) const {
  guarded([&] {
    const hdf5::Dataset column = open_column(file_.get(), schema::kTime);
    read_column(column, first, out);
    double before = -std::numeric_limits<double>::infinity();
    if (first > 0 && !out.empty()) read_column(column, first - 1, {&before, 1});
    for (std::size_t i = 0; i < out.size(); before = out[i++]) {
      if (std::isfinite(out[i]) && out[i] >= before) continue;
      throw hdf5::Error(
          fmt::format("the time of row {} is {} s, {}", first + static_cast<std::int64_t>(i), out[i],
                      std::isfinite(out[i]) ? "earlier than that of the row before it" : "not a finite number"));
    }
  });
}

void ResultReader::Impl::read_impacts(std::int64_t first, std::span<ImpactRecord> out) const {
  FREEPLAY_ASSERT(first >= 0 && first + static_cast<std::int64_t>(out.size()) <= impact_count_);
  guarded([&] {
    read_records(file_, schema::impact_table(), first, out.size(), out.data());
    for (std::size_t i = 0; i < out.size(); ++i)
      check_record("impact", first + static_cast<std::int64_t>(i), out[i].time_s, out[i].contact);
  });
}

void ResultReader::Impl::read_events(std::int64_t first, std::span<EventRecord> out) const {
  FREEPLAY_ASSERT(first >= 0 && first + static_cast<std::int64_t>(out.size()) <= event_count_);
  if (out.empty()) return;  // there may be no table
  guarded([&] {
    std::vector<StoredEvent> records(out.size());
    read_records(file_, schema::event_table(), first, records.size(), records.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int64_t number = first + static_cast<std::int64_t>(i);
      check_record("event", number, records[i].time_s, records[i].contact);
      const std::optional<EventRecord> event = read_event(records[i]);
      if (!event) throw hdf5::Error(fmt::format("event {} is of a kind that this program does not know", number));
      out[i] = *event;
    }
  });
}

// Those of complete rows: a run that goes on, or was killed, may have written forces of the row after the last one.
void ResultReader::Impl::count_contact_forces() {
  if (H5Lexists(file_.get(), schema::kContactForces, H5P_DEFAULT) <= 0) return;
  force_count_ = hdf5::column_length(hdf5::open_own_dataset(file_.get(), schema::kContactForces), bytes());
  const auto row_of = [&](std::int64_t place) {
    StoredContactForce force;
    read_records(file_, schema::contact_force_table(), place, 1, &force);
    return force.row;
  };
  std::int64_t low = 0;
  while (low < force_count_) {
    const std::int64_t middle = low + (force_count_ - low) / 2;
    if (row_of(middle) < rows_)
      low = middle + 1;
    else
      force_count_ = middle;
  }
}

void ResultReader::Impl::read_contact_forces(std::int64_t first, std::span<StoredContactForce> out) const {
  FREEPLAY_ASSERT(first >= 0 && first + static_cast<std::int64_t>(out.size()) <= force_count_);
  if (out.empty()) return;  // there may be no table
  guarded([&] {
    read_records(file_, schema::contact_force_table(), first, out.size(), out.data());
    std::int32_t before = 0;
    for (std::size_t i = 0; i < out.size(); before = out[i++].row) {
      if (out[i].row >= before && out[i].row < rows_ && out[i].force.first >= 0 && out[i].force.second >= 0) continue;
      throw hdf5::Error(fmt::format("contact force {} is one of row {} between {} and {}",
                                    first + static_cast<std::int64_t>(i), out[i].row, out[i].force.first,
                                    out[i].force.second));
    }
  });
}

void ResultReader::Impl::check_record(const char* what, std::int64_t number, double time_s,
                                      std::int32_t contact) const {
  if (contact < 0 || static_cast<std::size_t>(contact) >= contacts_.size())
    throw hdf5::Error(fmt::format("{} {} is one of contact point {}, but the file names {} points", what, number,
                                  contact, contacts_.size()));
  if (!std::isfinite(time_s)) throw hdf5::Error(fmt::format("the time of {} {} is {} s", what, number, time_s));
}

std::string ResultReader::Impl::geometry_json() const {
  std::string text;
  guarded([&] {
    const hdf5::Dataset dataset = hdf5::open_own_dataset(file_.get(), schema::kGeometry);
    for (const std::string& part : hdf5::read_text_dataset(dataset, bytes())) text += part;
  });
  return text;
}

std::vector<std::byte> ResultReader::Impl::checkpoint_record() const {
  std::vector<std::byte> record;
  guarded([&] {
    if (H5Lexists(file_.get(), schema::kCheckpoint, H5P_DEFAULT) <= 0) return;  // an earlier version wrote the file
    const hdf5::Dataset dataset = hdf5::open_own_dataset(file_.get(), schema::kCheckpoint);
    hdf5::require_numbers(dataset, H5T_NATIVE_UINT8);
    record.resize(static_cast<std::size_t>(hdf5::column_length(dataset, bytes())));
    read_elements(dataset, H5T_NATIVE_UINT8, 0, record.size(), record.data());
  });
  return record;
}

ResultReader::ResultReader(fs::path path) : impl_(std::make_unique<Impl>(std::move(path))) {}
ResultReader::~ResultReader() = default;
ResultReader::ResultReader(ResultReader&&) noexcept = default;
ResultReader& ResultReader::operator=(ResultReader&&) noexcept = default;

const fs::path& ResultReader::path() const {
  return impl_->path_;
}
const std::vector<ChannelInfo>& ResultReader::channels() const {
  return impl_->channels_;
}
const std::vector<ChannelInfo>& ResultReader::motion_channels() const {
  return impl_->motion_channels_;
}
const std::vector<std::string>& ResultReader::contacts() const {
  return impl_->contacts_;
}
const std::map<std::string, std::string>& ResultReader::attributes() const {
  return impl_->attributes_;
}
std::string ResultReader::geometry_json() const {
  return impl_->geometry_json();
}
std::vector<std::byte> ResultReader::checkpoint_record() const {
  return impl_->checkpoint_record();
}
std::int64_t ResultReader::rows() const {
  return impl_->rows_;
}

std::vector<double> ResultReader::read_time() const {
  std::vector<double> values(static_cast<std::size_t>(rows()));
  read_time(0, values);
  return values;
}

std::vector<double> ResultReader::read_channel(std::string_view name) const {
  std::vector<double> values(static_cast<std::size_t>(rows()));
  read_channel(name, 0, values);
  return values;
}

void ResultReader::read_time(std::int64_t first, std::span<double> out) const {
  impl_->read_time(first, out);
}
void ResultReader::read_channel(std::string_view name, std::int64_t first, std::span<double> out) const {
  impl_->read_channel(name, first, out);
}

std::vector<ImpactRecord> ResultReader::impacts() const {
  std::vector<ImpactRecord> records(static_cast<std::size_t>(impact_count()));
  read_impacts(0, records);
  return records;
}
std::int64_t ResultReader::impact_count() const {
  return impl_->impact_count_;
}
void ResultReader::read_impacts(std::int64_t first, std::span<ImpactRecord> out) const {
  impl_->read_impacts(first, out);
}
std::vector<EventRecord> ResultReader::events() const {
  std::vector<EventRecord> records(static_cast<std::size_t>(event_count()));
  read_events(0, records);
  return records;
}
std::int64_t ResultReader::event_count() const {
  return impl_->event_count_;
}
void ResultReader::read_events(std::int64_t first, std::span<EventRecord> out) const {
  impl_->read_events(first, out);
}
std::int64_t ResultReader::contact_force_count() const {
  return impl_->force_count_;
}
void ResultReader::read_contact_forces(std::int64_t first, std::span<StoredContactForce> out) const {
  impl_->read_contact_forces(first, out);
}
const std::optional<RunSummary>& ResultReader::summary() const {
  return impl_->summary_;
}
std::string_view ResultReader::status() const {
  return impl_->summary_ ? name_of(impl_->summary_->status) : "running or killed";
}

}  // namespace freeplay::io

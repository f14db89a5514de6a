#include "freeplay/io/result/result_file.h"

#include <algorithm>
#include <set>
#include <string>

#include "freeplay/io/hdf5/hdf5_group.h"
#include "freeplay/io/result/tables/column_gather.h"
#include "freeplay/io/result/tables/result_measures.h"
#include "freeplay/io/result/tables/result_table.h"
#include "freeplay/io/result/tables/result_wear.h"

namespace freeplay::io {

namespace {

namespace schema = result_schema;
using hdf5::check;

constexpr std::size_t kRecordsPerChunk = 256;  // impacts or events
constexpr std::size_t kForcesPerChunk = 4096;  // contact forces: a row of a pile has thousands
constexpr std::size_t kCheckpointBytesPerChunk = 4096;
// HDF5 searches its whole metadata cache on each flush (H5Dflush for every channel took 75 % of the time with 1000
// channels), and takes the square of the number of changed objects (one flush for 20 000 channels took minutes).
constexpr std::size_t kColumnsPerFlush = 512;
// A kill can cut a write in two where a page of the system ends, and half an index is of no use. HDF5 is told to let no
// header or index cross such a border. (Without: 12 unreadable files in 4900 kills of a writer that did little else
// than flush; with: none in 6700.) Only beyond 8000 chunks, that is 8 million rows, are blocks of the index larger than
// this.
constexpr hsize_t kSystemPageBytes = 4096;

}  // namespace

int ResultFile::create(const std::filesystem::path& path) {
  path_ = path;
  return posix_file_.create_alone(path);
}

void ResultFile::create_contents(const RecordLayout& layout, std::size_t rows_per_chunk, std::size_t rows_per_batch) {
  rows_per_chunk_ = rows_per_chunk;
  width_ = layout.channels.size() + 1;
  gathered_ = std::make_unique_for_overwrite<double[]>((rows_per_batch + kColumnPadding) * kColumnsTogether);
  open();
  create_tables(layout);
  check(H5Fstart_swmr_write(file_.get()), "start SWMR");
  // From here on only append() writes the length of `time`, which is what makes rows count: HDF5 would otherwise
  // be free to write it, under memory pressure, before the data.
  check(H5Odisable_mdc_flushes(time_.get()), "order the writes");
}

void ResultFile::open() {
  const hdf5::PropertyList access = hdf5::access_through(posix_file_);
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "set the file format");
  // No chunk cache: rows are buffered here, and HDF5's default would take 1 MB per channel. It is set for the file
  // because H5Fstart_swmr_write reopens the datasets and forgets what was set for each.
  check(H5Pset_cache(access.get(), 0, 0, 0, 0), "set the chunk cache");
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_FILE_CREATE);
  check(H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1), "set the file space strategy");
  check(H5Pset_file_space_page_size(creation.get(), kSystemPageBytes), "set the page size");
  file_ = hdf5::File(check(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), "create the file"));
}

void ResultFile::create_tables(const RecordLayout& layout) {
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
  if (layout.motion_channels >= kMotionTableChannels)
    motion_.create(root, std::span(layout.channels).subspan(asked), rows_per_chunk_);
  else if (layout.motion_channels > 0)
    create_columns(schema::kMotion, std::span(layout.channels).subspan(asked));

  measures_ = create_measures(root, layout.measures);
  wear_ = create_wear(root, layout.worn_surfaces);

  impacts_.create(root, schema::impact_table(), kRecordsPerChunk);
  events_.create(root, schema::event_table(), kRecordsPerChunk);
  if (layout.contact_forces > 0) forces_.create(root, schema::contact_force_table(), kForcesPerChunk);

  checkpoint_ = hdf5::TableMaker(H5T_NATIVE_UINT8, kCheckpointBytesPerChunk).make(root, schema::kCheckpoint);
  const hdf5::PropertyList creation = hdf5::untimed_properties(H5P_DATASET_CREATE);
  summary_ = hdf5::Dataset(check(H5Dcreate2(root, schema::kSummary, schema::summary_type().get(), scalar.get(),
                                            H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                                 "create the summary"));
  hdf5::write_text_attribute(summary_.get(), schema::kFieldUnitsAttribute, schema::summary_units());
  write_summary(schema::encode_running());
}

void ResultFile::GrowingTable::create(hid_t file, const schema::TableDescription& description,
                                      std::size_t records_per_chunk) {
  type = schema::record_type(description, schema::Packing::kAsInMemory);
  const hdf5::Datatype packed = schema::record_type(description, schema::Packing::kPacked);
  dataset = hdf5::TableMaker(packed.get(), records_per_chunk).make(file, description.name);
  hdf5::write_text_attribute(dataset.get(), schema::kFieldUnitsAttribute, schema::units_of(description));
}

void ResultFile::GrowingTable::append(std::size_t size, std::size_t count, const void* records) const {
  hdf5::AppendedRange(size, count).append(dataset, type.get(), records, hdf5::modest_transfer());
}

void ResultFile::GrowingTable::close() {
  dataset.reset();
  type.reset();
}

void ResultFile::create_columns(const char* group_name, std::span<const ChannelInfo> channels) {
  const hdf5::Group group = hdf5::make_ordered_group(file_.get(), group_name);
  const hdf5::TableMaker column(H5T_NATIVE_DOUBLE, rows_per_chunk_);
  hdf5::TextAttributes attributes;
  std::set<std::string> taken;
  for (const ChannelInfo& channel : channels) {
    columns_.push_back(column.make(group.get(), hdf5::dataset_name(channel.name, taken)));
    attributes.write(columns_.back().get(), schema::kNameAttribute, channel.name);
    attributes.write(columns_.back().get(), schema::kUnitAttribute, channel.unit);
  }
}

void ResultFile::write_measures(std::span<const MeasuredValue> measures) {
  io::write_measures(measures_, measures);
}

void ResultFile::write_wear(std::span<const SurfaceWear> wear) {
  io::write_wear(wear_, wear);
}

void ResultFile::write_summary(const std::vector<std::byte>& record) {
  check(H5Dwrite(summary_.get(), schema::summary_type().get(), H5S_ALL, H5S_ALL, hdf5::modest_transfer().get(),
                 record.data()),
        "write the summary");
  check(H5Dflush(summary_.get()), "flush the summary");
}

// `time` comes last, and only after everything else has been flushed: whatever the moment of a kill, every channel has
// a value for each entry of `time`, and the impacts, events and contact forces up to its last entry are there. Within a
// dataset SWMR orders the writes: data, index of the chunks, length.
void ResultFile::append(const RowBatch& batch) {
  const auto flush_metadata = [&] { check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "flush the file"); };
  const hid_t number = H5T_NATIVE_DOUBLE;
  impacts_.append(batch.first_impact, batch.impacts.size(), batch.impacts.data());
  events_.append(batch.first_event, batch.events.size(), batch.events.data());
  if (!batch.forces.empty()) forces_.append(batch.first_force, batch.forces.size(), batch.forces.data());
  const hdf5::AppendedRange range(batch.first_row, batch.row_count, {rows_per_chunk_, sizeof(double)});
  for (std::size_t first = 0; first < columns_.size() && !posix_file_.frozen(); first += kColumnsTogether) {
    const std::size_t count = std::min(kColumnsTogether, columns_.size() - first);
    gather_columns(batch.rows.get(), width_, batch.row_count, first + 1, count, gathered_.get());
    for (std::size_t c = 0; c < count; ++c)
      range.append(columns_[first + c], number, gathered_.get() + c * (batch.row_count + kColumnPadding));
    if ((first + count) % kColumnsPerFlush == 0) flush_metadata();
  }
  if (motion_.is_open() && !posix_file_.frozen())
    motion_.append(batch.rows.get(), width_, batch.first_row, batch.row_count);
  flush_metadata();
  if (posix_file_.frozen()) return;
  gather_columns(batch.rows.get(), width_, batch.row_count, 0, 1, gathered_.get());
  range.append(time_, number, gathered_.get());
  check(H5Dflush(time_.get()), "flush the time");
  if (batch.row_count > 0 && !posix_file_.frozen()) last_time_s_ = gathered_[batch.row_count - 1];
}

void ResultFile::write_checkpoint(const std::vector<std::byte>& record) {
  hdf5::AppendedRange(0, record.size()).append(checkpoint_, H5T_NATIVE_UINT8, record.data());
  check(H5Dflush(checkpoint_.get()), "flush the checkpoint");
}

int ResultFile::close() {
  close_handles();
  return posix_file_.close();
}

void ResultFile::give_up() {
  posix_file_.freeze();
  close_handles();
}

void ResultFile::close_handles() {
  columns_.clear();
  measures_.clear();
  wear_.clear();
  motion_.close();
  time_.reset();
  impacts_.close();
  events_.close();
  forces_.close();
  summary_.reset();
  checkpoint_.reset();
  file_.reset();
}

}  // namespace freeplay::io

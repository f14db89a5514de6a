#include "freeplay/io/result/tables/motion_table.h"

#include <algorithm>
#include <array>

#include "freeplay/io/hdf5/hdf5_checks.h"
#include "freeplay/io/result/tables/result_table.h"
#include "freeplay/io/schema/result_schema.h"

namespace freeplay::io {

namespace {

using hdf5::check;

// Of a chunk: large enough for a disk, and small beside the memory of a reader.
constexpr std::size_t kMotionChunkBytes = std::size_t{1} << 20;

}  // namespace

void MotionTableWriter::create(hid_t file, std::span<const ChannelInfo> channels, std::size_t rows_per_chunk) {
  channels_ = channels.size();
  std::vector<std::string> names, units;
  for (const ChannelInfo& channel : channels) {
    names.push_back(channel.name);
    units.push_back(channel.unit);
  }
  hdf5::write_text_dataset(file, result_schema::kMotionNames, names);
  hdf5::write_text_dataset(file, result_schema::kMotionUnits, units);
  const std::size_t affordable = std::max<std::size_t>(1, kMotionChunkBytes / (channels_ * sizeof(double)));
  dataset_ = hdf5::TableMaker(H5T_NATIVE_DOUBLE, std::min(rows_per_chunk, affordable) * channels_)
                 .make(file, result_schema::kMotionTable);
}

void MotionTableWriter::append(const double* rows, std::size_t width, std::size_t first_row,
                               std::size_t row_count) const {
  if (row_count == 0) return;
  const hsize_t size = (first_row + row_count) * channels_, start = first_row * channels_,
                count = row_count * channels_;
  check(H5Dset_extent(dataset_.get(), &size), "extend a dataset");
  const hdf5::Dataspace file_space(check(H5Screate_simple(1, &size, nullptr), "make a dataspace"));
  check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr), "select rows");
  const std::array<hsize_t, 2> all = {row_count, width}, from = {0, width - channels_}, taken = {row_count, channels_};
  const hdf5::Dataspace memory_space(check(H5Screate_simple(2, all.data(), nullptr), "make a dataspace"));
  check(H5Sselect_hyperslab(memory_space.get(), H5S_SELECT_SET, from.data(), nullptr, taken.data(), nullptr),
        "select rows");
  check(H5Dwrite(dataset_.get(), H5T_NATIVE_DOUBLE, memory_space.get(), file_space.get(), H5P_DEFAULT, rows),
        "write rows");
}

void MotionTableReader::open(hid_t file, std::uint64_t file_bytes) {
  if (H5Lexists(file, result_schema::kMotionTable, H5P_DEFAULT) <= 0) return;
  dataset_ = hdf5::open_own_dataset(file, result_schema::kMotionTable);
  hdf5::require_numbers(dataset_, H5T_NATIVE_DOUBLE);
  const std::vector<std::string> names =
      hdf5::read_text_dataset(hdf5::open_own_dataset(file, result_schema::kMotionNames), file_bytes);
  const std::vector<std::string> units =
      hdf5::read_text_dataset(hdf5::open_own_dataset(file, result_schema::kMotionUnits), file_bytes);
  if (names.empty() || names.size() != units.size())
    throw hdf5::Error("the names of the poses and their units are not as many");
  for (std::size_t i = 0; i < names.size(); ++i) channels_.push_back({names[i], units[i]});
  rows_ = hdf5::column_length(dataset_, file_bytes) / static_cast<std::int64_t>(names.size());
}

void MotionTableReader::read(std::size_t channel, std::int64_t first, std::span<double> out) const {
  if (out.empty()) return;
  const hsize_t stride = channels_.size(), count = out.size();
  const hsize_t start = static_cast<hsize_t>(first) * stride + channel;
  hdf5::require_stored_rows(dataset_, first * static_cast<std::int64_t>(stride),
                            static_cast<std::int64_t>(out.size() * channels_.size()));
  const hdf5::Dataspace file_space(check(H5Dget_space(dataset_.get()), "read rows"));
  check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &start, &stride, &count, nullptr), "select rows");
  const hdf5::Dataspace memory_space(check(H5Screate_simple(1, &count, nullptr), "make a dataspace"));
  check(H5Dread(dataset_.get(), H5T_NATIVE_DOUBLE, memory_space.get(), file_space.get(), H5P_DEFAULT, out.data()),
        "read rows");
}

}  // namespace freeplay::io

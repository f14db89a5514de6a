// The poses of many bodies as one dataset: a column per channel, as the other channels have it, takes seconds per ten
// thousand of them to create and 20 kB of memory each. Internal to freeplay/io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

// From here on.
inline constexpr std::size_t kMotionTableChannels = 2048;

// One row behind the other in one dimension, so that a channel is every n-th number of it.
class MotionTableWriter {
 public:
  bool is_open() const { return dataset_.get() >= 0; }
  // `rows_per_chunk`: at most.
  void create(hid_t file, std::span<const ChannelInfo> channels, std::size_t rows_per_chunk);
  // `rows`: row_count rows of `width` numbers each; the channels are the last ones of each row.
  void append(const double* rows, std::size_t width, std::size_t first_row, std::size_t row_count) const;
  void close() { dataset_.reset(); }

 private:
  hdf5::Dataset dataset_;
  std::size_t channels_ = 0;
};

class MotionTableReader {
 public:
  // Empty if the file has no such table. `file_bytes`: no file holds more than that.
  void open(hid_t file, std::uint64_t file_bytes);
  const std::vector<ChannelInfo>& channels() const { return channels_; }
  std::int64_t rows() const { return rows_; }
  void read(std::size_t channel, std::int64_t first, std::span<double> out) const;

 private:
  hdf5::Dataset dataset_;
  std::vector<ChannelInfo> channels_;
  std::int64_t rows_ = 0;
};

}  // namespace freeplay::io

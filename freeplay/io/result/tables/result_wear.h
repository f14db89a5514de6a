// The wear of surfaces in a result file: one table of cells per surface. Internal to freeplay/io.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

// One empty table per surface, in their order.
std::vector<hdf5::Dataset> create_wear(hid_t file, std::span<const ChannelInfo> surfaces);
// When the run has ended, once. A surface without places is one cell without borders and depth.
void write_wear(std::span<const hdf5::Dataset> tables, std::span<const SurfaceWear> wear);
// None if the file has none. Throws hdf5::Error where it claims what it cannot hold.
std::vector<SurfaceWear> read_wear(hid_t file, std::uint64_t file_bytes);

}  // namespace freeplay::io

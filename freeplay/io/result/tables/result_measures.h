// The numbers that a model wants to know of its run, in the result file: the group `measures`. Internal to freeplay/io.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

// One dataset each, not a number yet. A model that measures nothing has no group. Throws hdf5::Error, as the others do.
std::vector<hdf5::Dataset> create_measures(hid_t file, std::span<const ChannelInfo> labels);
// As many as there are of both.
void write_measures(std::span<const hdf5::Dataset> datasets, std::span<const MeasuredValue> measures);
// None if there is no group.
std::vector<MeasuredValue> read_measures(hid_t file, std::uint64_t file_bytes);

}  // namespace freeplay::io

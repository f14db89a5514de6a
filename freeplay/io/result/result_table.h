// Extendible one-dimensional datasets: the columns and tables of a result file. Internal to freeplay/io.
#pragma once

#include <set>
#include <string>

#include "freeplay/io/result/hdf5_handle.h"

namespace freeplay::io::hdf5 {

// A name that HDF5 can take, a person can type and `taken` does not hold yet (it is added): the channel's own wherever
// possible. `/` would make a group, and tools stumble over control characters and endless names.
std::string dataset_name(const std::string& channel, std::set<std::string>& taken);

Dataset create_table(hid_t group, const std::string& name, hid_t type, std::size_t elements_per_chunk);

// Appends `count` elements after the first `size` ones. They are in HDF5's memory or in the file, until a flush.
void append(const Dataset& dataset, hid_t type, hsize_t size, hsize_t count, const void* data);

}  // namespace freeplay::io::hdf5

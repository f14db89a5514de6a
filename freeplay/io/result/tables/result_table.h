// Extendible one-dimensional datasets: the columns and tables of a result file. Internal to freeplay/io.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "freeplay/io/hdf5/hdf5_handle.h"

namespace freeplay::io::hdf5 {

// A name that HDF5 can take, a person can type and `taken` does not hold yet (it is added): the channel's own wherever
// possible. `/` would make a group, and tools stumble over control characters and endless names.
std::string dataset_name(const std::string& channel, std::set<std::string>& taken);

// Makes tables of one kind: what HDF5 has to be told about them is made once.
class TableMaker {
 public:
  TableMaker(hid_t type, std::size_t elements_per_chunk);  // `type` must outlive it
  Dataset make(hid_t group, const std::string& name) const;

 private:
  hid_t type_;
  Dataspace space_;
  PropertyList creation_, link_;
};

// The place of `count` elements after the first `size` ones, the same in many tables. Where the table's chunks are
// given (numbers that need no conversion), those that are filled whole are handed over as they are, which HDF5 does in
// a fraction of the time.
class AppendedRange {
 public:
  struct Chunks {
    hsize_t elements = 0;
    std::size_t bytes_per_element = 0;
  };
  AppendedRange(hsize_t size, hsize_t count) : AppendedRange(size, count, {}) {}
  AppendedRange(hsize_t size, hsize_t count, Chunks chunks);
  // The elements are in HDF5's memory or in the file, until a flush.
  // `transfer`: how, where numbers are converted on their way; modest_transfer() then.
  void append(const Dataset& dataset, hid_t type, const void* data, const PropertyList& transfer = {}) const;

 private:
  hsize_t size_, count_, whole_chunks_;
  Chunks chunks_;
  Dataspace file_space_, memory_space_;  // of what does not fill chunks; none if there is nothing
};

}  // namespace freeplay::io::hdf5

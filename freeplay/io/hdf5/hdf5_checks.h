// What a file says about its datasets, checked before a byte of them is read: a damaged or hostile file may claim other
// types, other extents than the reader has room for, more than it can hold, or data in other files. Internal to
// freeplay/io. All of these throw Error.
#pragma once

#include <cstdint>
#include <string>

#include "freeplay/io/hdf5/hdf5_handle.h"

namespace freeplay::io::hdf5 {

// `name` is a single name, no path. Refused: links that lead elsewhere, data in other files (external storage, virtual
// datasets), more chunks than the file has bytes.
Group open_own_group(hid_t parent, const std::string& name);
Dataset open_own_dataset(hid_t parent, const std::string& name);

// The length of a column. Refused: other numbers of dimensions, and more than a file of `file_bytes` can hold.
std::int64_t column_length(const Dataset& dataset, std::uint64_t file_bytes);
// Refused: anything but a single element.
void require_one_element(const Dataset& dataset);

// Refused: anything but numbers of the kind of `expected`: HDF5 can describe any arrangement of bits, and converts it.
void require_numbers(const Dataset& dataset, hid_t expected);
// Refused: fields of other kinds than those of the same name in `expected`. A field may be missing from the file only
// where `may_miss` says so: it then keeps what the memory held before.
enum class MissingFields { kRefused, kAllowed };
void require_record(const Dataset& dataset, const Datatype& expected, MissingFields missing);

// Refused: rows that no storage was ever given to, which HDF5 would read as zeros.
void require_stored_rows(const Dataset& dataset, std::int64_t first, std::int64_t count);

// Refused: anything but one integer.
int read_integer_attribute(hid_t object, const std::string& name);

}  // namespace freeplay::io::hdf5

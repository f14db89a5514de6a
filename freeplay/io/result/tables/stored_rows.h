// The pieces of a result file as its reader takes them: rows of columns and tables, and the texts of its attributes.
// They throw hdf5::Error.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "freeplay/io/hdf5/hdf5_handle.h"
#include "freeplay/io/schema/result_schema.h"

namespace freeplay::io {

// `count` elements of a column from `first` on, which have to be stored.
void read_elements(const hdf5::Dataset& dataset, hid_t type, std::int64_t first, std::size_t count, void* out);

// Rows of a table of this description into records of its type.
void read_records(const hdf5::File& file, const result_schema::TableDescription& description, std::int64_t first,
                  std::size_t count, void* records);

// All attributes of the file that are one text each; the format version, and what others may have added, are left out.
std::map<std::string, std::string> read_text_attributes(const hdf5::File& file, std::uint64_t file_bytes);

}  // namespace freeplay::io

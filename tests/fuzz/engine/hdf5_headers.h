// The headers in an HDF5 file of the latest format: where they are, and their checksums. Extents, types and addresses
// are in them; HDF5 takes none whose checksum is wrong.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::test::fuzz {

struct Hdf5Header {
  std::size_t begin = 0, end = 0;  // the checksum follows, four bytes
};

std::vector<Hdf5Header> hdf5_headers(const std::string& bytes);
void repair_checksum(std::string& bytes, const Hdf5Header& header);

// Files that the seeds' maker wrote say in a text that no number in them is zero. A crafted one may point anywhere.
inline constexpr const char* kNoZeros = "no zeros";
void mark_as_crafted(std::string& bytes);

}  // namespace freeplay::test::fuzz

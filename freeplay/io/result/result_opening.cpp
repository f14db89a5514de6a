#include "freeplay/io/result/result_opening.h"

#include <fmt/format.h>

#include <system_error>

#include "freeplay/io/hdf5/hdf5_checks.h"
#include "freeplay/io/hdf5/hdf5_group.h"
#include "freeplay/io/schema/result_schema.h"
#include "freeplay/io/sweep/sweep_schema.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;
namespace schema = result_schema;
using hdf5::check;

// How often HDF5 reads an index or a header again that fails its checksum because it is just being written. It waits
// twice as long before each new attempt, from 1 ns on: its default of 100 attempts would take for ever on a damaged
// file, 24 attempts take 20 ms.
constexpr unsigned kReadAttempts = 24;

}  // namespace

hdf5::File open_result_file(const fs::path& path, hdf5::PosixFile& posix_file) {
  if (fs::is_directory(path)) throw hdf5::Error("it is a folder");
  if (fs::exists(path) && !fs::is_regular_file(path)) throw hdf5::Error("it is not a regular file");
  if (const int error = posix_file.open_for_reading(path); error != 0) {
    throw hdf5::Error(std::generic_category().message(error));
  }
  const hdf5::PropertyList access = hdf5::access_through(posix_file);
  // No chunk cache and no sieve buffer: HDF5 then reads the rows that are asked for and nothing beyond. The last chunk
  // may end behind the end of the file, and bytes that are missing from it must be told from rows that are.
  check(H5Pset_cache(access.get(), 0, 0, 0, 0), "set the chunk cache");
  check(H5Pset_sieve_buf_size(access.get(), 1), "set the sieve buffer");
  check(H5Pset_metadata_read_attempts(access.get(), kReadAttempts), "set the read attempts");
  // A file that is being written, or whose writer was killed, carries a mark and opens with SWMR only; a closed file
  // opens without SWMR only. The second round is for a run that ends between the two attempts.
  for (int round = 0; round < 2; ++round) {
    for (const unsigned mode : {H5F_ACC_RDONLY, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ}) {
      hdf5::File file(H5Fopen(path.c_str(), mode, access.get()));
      if (file.get() >= 0) return file;
    }
  }
  throw hdf5::Error("it is not an HDF5 file, or it is damaged (a result file is made by a run of freeplay)");
}

void require_result_format(const hdf5::File& file) {
  if (H5Aexists(file.get(), schema::kFormatAttribute) <= 0) {
    const bool is_study = H5Aexists(file.get(), sweep_schema::kFormatAttribute) > 0;
    throw hdf5::Error(is_study ? "it is a study, or a share of one: name its folder, in which a study is sweep.h5"
                               : "it is an HDF5 file, but not a result of freeplay");
  }
  const int version = hdf5::read_integer_attribute(file.get(), schema::kFormatAttribute);
  if (version < schema::kOldestFormatVersion || version > schema::kFormatVersion) {
    throw hdf5::Error(fmt::format("its format is version {}, this program reads versions {} to {}", version,
                                  schema::kOldestFormatVersion, schema::kFormatVersion));
  }
}

}  // namespace freeplay::io

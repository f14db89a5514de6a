// Opens the HDF5 file of a result: one that is whole, that is being written, or whose writer was killed.
#pragma once

#include <filesystem>

#include "freeplay/io/hdf5/hdf5_file_driver.h"
#include "freeplay/io/hdf5/hdf5_handle.h"

namespace freeplay::io {

// `posix_file` must outlive the handle. Throws hdf5::Error if there is no such file, or if it is not one of HDF5.
hdf5::File open_result_file(const std::filesystem::path& path, hdf5::PosixFile& posix_file);
// Throws hdf5::Error if it is no result of freeplay, or one of a version that is not known.
void require_result_format(const hdf5::File& file);

}  // namespace freeplay::io

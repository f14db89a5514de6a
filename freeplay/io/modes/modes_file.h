// Nodes and modes of an elastic body from a file, as finite-element programs can write them (docs/guide/modes_file.md).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/mechanism/description/mechanism_spec.h"

namespace freeplay::io {

inline constexpr std::size_t kMostModesBytes = std::size_t{64} << 20U;
inline constexpr std::size_t kMostModesNodes = 10000;

struct ModesFile {
  std::shared_ptr<const ElasticNodes> body;  // null if there is a problem
  ShapeProblem problem;
};

// `name` is relative to `folder`, which must be canonical; files outside of it are refused. `modes`: how many, from the
// first on; 0: all of them.
ModesFile read_modes_file(const std::filesystem::path& folder, const std::string& name, Space space, int modes);

// The same from an HDF5 file at this path. `name` is for messages.
ModesFile read_modes_hdf5(const std::filesystem::path& path, const std::string& name, Space space, int modes);

// The same from the text of a CSV file. `name` is for messages.
ModesFile read_modes_text(std::string_view text, const std::string& name, Space space, int modes);

}  // namespace freeplay::io

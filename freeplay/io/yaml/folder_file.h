// Files that a model names: they must lie in its folder or below it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "freeplay/geometry/shapes/cam_checks.h"

namespace freeplay::io {

// How messages begin about files that a text in memory names.
inline constexpr std::string_view kNotFromFile = "a model that does not come from a file";

struct FolderFile {
  std::filesystem::path path;
  std::uintmax_t size = 0;
  ShapeProblem problem;  // of the key `file`; empty: none
};

// `name` is relative to `folder`, which must be canonical. `what` and `formats` are for messages: "mesh files", "an STL
// or OBJ file".
FolderFile find_folder_file(const std::filesystem::path& folder, const std::string& name, const char* what,
                            const char* formats);

// Small letters, with the dot.
std::string extension_of(const std::filesystem::path& file);

// At most `most` bytes from the start of a file; nothing if it cannot be read.
std::optional<std::string> bytes_of(const std::filesystem::path& file, std::uintmax_t most);

}  // namespace freeplay::io

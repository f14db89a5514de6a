// Files that a model file names: they lie in its folder or below it. Whoever sends a model cannot have others read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::io {

struct NearbyFile {
  std::filesystem::path path;
  std::uintmax_t size = 0;
  std::string message, hint;  // what is wrong, and its cure

  bool ok() const { return message.empty(); }
};

// `folder` is canonical. `kinds` is what may be named, for the hint: "an STL, OBJ or glTF file".
NearbyFile find_nearby_file(const std::filesystem::path& folder, const std::string& name, std::string_view kinds);

// At most `most` bytes from the start of a file; nothing if it cannot be read.
std::optional<std::string> first_bytes(const std::filesystem::path& file, std::uintmax_t most);

}  // namespace freeplay::io

// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::report {

// Under another name first: whoever looks at the file meanwhile sees the old one. A link is followed; a device or a
// pipe is written to as it is. Throws IoError, and leaves nothing behind then.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

}  // namespace freeplay::report

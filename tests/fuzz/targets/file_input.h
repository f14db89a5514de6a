// Bytes as a file in a folder of this process, for what reads files only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "freeplay/core/layers.h"

namespace freeplay::test::fuzz {

// In memory where the system has such a place. Removed when the process ends, however many processes it has forked.
const std::filesystem::path& scratch_folder();

std::filesystem::path write_input(const std::string& name, const std::uint8_t* data, std::size_t size);
std::string bytes_of_file(const std::filesystem::path& path);

}  // namespace freeplay::test::fuzz

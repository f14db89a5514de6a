// Results as the verbs take them: found, tried in a process of its own, and never written over.
#pragma once

#include <filesystem>
#include <optional>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::app {

inline constexpr const char* kResultFileName = "result.h5";

// `path`, or the result file in it if it is a folder.
std::filesystem::path result_file_of(const std::filesystem::path& path);

// The file of a study, if `path` is one or the folder of one that holds no result.
std::optional<std::filesystem::path> study_file_of(const std::filesystem::path& path);

// HDF5 can crash, or never end, on a damaged file, whatever is checked before: a child process with limits reads all
// that describes the data, first. Throws IoError if that did not end well.
void require_readable(const std::filesystem::path& result);
ResultReader open_result(const std::filesystem::path& result);

// Throws UsageError if `output` is the same file as `input`, under whatever name.
void refuse_output_onto_input(const std::filesystem::path& output, const std::filesystem::path& input);

}  // namespace freeplay::app

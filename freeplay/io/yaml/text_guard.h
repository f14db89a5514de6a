// What a model file must be before a YAML parser sees it: a regular file of bounded size, UTF-8, no control characters,
// no tabs in the indentation, a bounded number of brackets, commas and the like.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "freeplay/io/yaml/source_text.h"

namespace freeplay::io {

inline constexpr std::size_t kMaxModelBytes = std::size_t{8} << 20;
inline constexpr std::size_t kMaxYamlNodes = 1'000'000;  // aliases count with all that they stand for

struct TextProblem {
  int line = 1;
  int column = 1;  // in bytes
  std::string message, hint;
};

// The text of the file `path`, which messages call `shown_name`. Throws IoError if it cannot be read or is not a
// regular file, ModelError if it is too large; reads no more than the limit in any case.
std::string read_model_text(const std::filesystem::path& path, const std::string& shown_name);

// The first reason why the text cannot be a model file.
std::optional<TextProblem> find_text_problem(std::string_view text);

}  // namespace freeplay::io

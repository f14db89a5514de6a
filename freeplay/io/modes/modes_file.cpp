#include "freeplay/io/modes/modes_file.h"

#include <fmt/format.h>

#include <optional>

#include "freeplay/io/yaml/folder_file.h"

namespace freeplay::io {

ModesFile read_modes_file(const std::filesystem::path& folder, const std::string& name, Space space, int modes) {
  const auto problem = [](std::string message, std::string hint) {
    return ModesFile{nullptr, {"file", std::move(message), std::move(hint)}};
  };
  const FolderFile file = find_folder_file(folder, name, "files of modes", "a CSV file of modes");
  if (!file.problem.empty()) return {nullptr, file.problem};
  if (extension_of(file.path) != ".csv")
    return problem(fmt::format("the format of '{}' is not known", name), "use .csv; docs/guide/modes_file.md has it");
  if (file.size > kMostModesBytes)
    return problem(fmt::format("the file '{}' has more than {} MB", name, kMostModesBytes >> 20U),
                   "write fewer nodes: a body needs those that carry something, and some that carry its mass");
  const std::optional<std::string> text = bytes_of(file.path, file.size);
  if (!text || text->size() != file.size)
    return problem(fmt::format("the file '{}' cannot be read", name), "look at its permissions, or write it again");
  return read_modes_text(*text, name, space, modes);
}

}  // namespace freeplay::io

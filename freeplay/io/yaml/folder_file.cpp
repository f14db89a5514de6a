#include "freeplay/io/yaml/folder_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

namespace freeplay::io {

namespace fs = std::filesystem;

FolderFile find_folder_file(const fs::path& folder, const std::string& name, const char* what, const char* formats) {
  const auto problem = [](std::string message, std::string hint) {
    return FolderFile{{}, 0, {"file", std::move(message), std::move(hint)}};
  };
  if (folder.empty())
    return problem(fmt::format("{} cannot name one", kNotFromFile),
                   fmt::format("save the model in the folder of the {}", what));
  std::error_code error;
  const fs::path file = fs::canonical(folder / fs::path(name), error);
  if (error)
    return problem(fmt::format("the file '{}' cannot be found", name), "give its name relative to the model's folder");
  // Compared after links are resolved: a link inside the folder may point anywhere.
  const fs::path inside = file.lexically_relative(folder);
  if (fs::path(name).is_absolute() || inside.empty() || *inside.begin() == "..")
    return problem(fmt::format("the file '{}' is outside the model's folder", name),
                   fmt::format("{} must lie in the folder of the model or below it; copy the file there", what));
  if (!fs::is_regular_file(file, error))  // a pipe or a device would be waited for
    return problem(fmt::format("'{}' is not a file", name), fmt::format("name {}", formats));
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return problem(fmt::format("the file '{}' cannot be read", name), "look at its permissions");
  return {file, size, {}};
}

std::string extension_of(const fs::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::optional<std::string> bytes_of(const fs::path& file, std::uintmax_t most) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(most), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

}  // namespace freeplay::io

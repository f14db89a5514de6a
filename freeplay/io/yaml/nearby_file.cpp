#include "freeplay/io/yaml/nearby_file.h"

#include <fmt/format.h>

#include <fstream>

namespace freeplay::io {

NearbyFile find_nearby_file(const std::filesystem::path& folder, const std::string& name, std::string_view kinds) {
  namespace fs = std::filesystem;
  const auto problem = [](std::string message, std::string hint) {
    return NearbyFile{{}, 0, std::move(message), std::move(hint)};
  };
  std::error_code error;
  const fs::path file = fs::canonical(folder / fs::path(name), error);
  if (error)
    return problem(fmt::format("the file '{}' cannot be found", name), "give its name relative to the model's folder");
  // Compared after links are resolved: a link inside the folder may point anywhere.
  const fs::path inside = file.lexically_relative(folder);
  if (fs::path(name).is_absolute() || inside.empty() || *inside.begin() == "..")
    return problem(fmt::format("the file '{}' is outside the model's folder", name),
                   "files must lie in the folder of the model or below it; copy the file there");
  if (!fs::is_regular_file(file, error))  // a pipe or a device would be waited for
    return problem(fmt::format("'{}' is not a file", name), fmt::format("name {}", kinds));
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return problem(fmt::format("the file '{}' cannot be read", name), "look at its permissions");
  return {file, size, {}, {}};
}

std::optional<std::string> first_bytes(const std::filesystem::path& file, std::uintmax_t most) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(most), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

}  // namespace freeplay::io

#include "freeplay/io/modes/modes_file.h"

#include <fmt/format.h>

#include <optional>

#include "freeplay/io/modes/modes_parts.h"
#include "freeplay/io/yaml/folder_file.h"

namespace freeplay::io {

namespace {

void keep_first_modes(ElasticNodes& body, int modes) {
  for (ElasticNode& node : body.nodes) {
    for (MatX* of_modes : {&node.shapes, &node.stresses, &node.moments}) {
      if (of_modes->size() > 0) of_modes->conservativeResize(Eigen::NoChange, modes);
    }
  }
  if (body.stiffness.size() > 0) body.stiffness = MatX(body.stiffness.topLeftCorner(modes, modes));
  if (body.mass.size() > 0) body.mass = MatX(body.mass.topLeftCorner(modes, modes));
  if (body.frequencies_rad_s.size() > 0) body.frequencies_rad_s.conservativeResize(modes);
}

}  // namespace

ModesFile with_first_modes(ElasticNodes body, const std::string& name, int modes) {
  if (modes > body.mode_count())
    return {nullptr, {"modes", fmt::format("'{}' has {} modes", name, body.mode_count()), "ask for fewer of them"}};
  if (modes > 0) keep_first_modes(body, modes);
  return {std::make_shared<const ElasticNodes>(std::move(body)), {}};
}

ModesFile read_modes_file(const std::filesystem::path& folder, const std::string& name, Space space, int modes) {
  const auto problem = [](std::string message, std::string hint) {
    return ModesFile{nullptr, {"file", std::move(message), std::move(hint)}};
  };
  const FolderFile file = find_folder_file(folder, name, "files of modes", "a CSV or HDF5 file of modes");
  if (!file.problem.empty()) return {nullptr, file.problem};
  const std::string extension = extension_of(file.path);
  const bool is_hdf5 = extension == ".h5" || extension == ".hdf5";
  if (extension != ".csv" && !is_hdf5)
    return problem(fmt::format("the format of '{}' is not known", name),
                   "use .csv, .h5 or .hdf5; docs/guide/modes_file.md has them");
  if (file.size > kMostModesBytes)
    return problem(fmt::format("the file '{}' has more than {} MB", name, kMostModesBytes >> 20U),
                   "write fewer nodes: a body needs those that carry something, and some that carry its mass");
  if (is_hdf5) return read_modes_hdf5(file.path, name, space, modes);
  const std::optional<std::string> text = bytes_of(file.path, file.size);
  if (!text || text->size() != file.size)
    return problem(fmt::format("the file '{}' cannot be read", name), "look at its permissions, or write it again");
  return read_modes_text(*text, name, space, modes);
}

}  // namespace freeplay::io

#include "freeplay/io/mesh/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "freeplay/io/mesh/mesh_formats.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;

std::string extension_of(const fs::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

struct FoundFile {
  fs::path path;
  std::uintmax_t size = 0;
  ShapeProblem problem;
};

FoundFile find_file(const fs::path& folder, const std::string& name) {
  const auto problem = [](std::string message, std::string hint) {
    return FoundFile{{}, 0, {"file", std::move(message), std::move(hint)}};
  };
  std::error_code error;
  const fs::path file = fs::canonical(folder / fs::path(name), error);
  if (error)
    return problem(fmt::format("the file '{}' cannot be found", name), "give its name relative to the model's folder");
  // Compared after links are resolved: a link inside the folder may point anywhere.
  const fs::path inside = file.lexically_relative(folder);
  if (fs::path(name).is_absolute() || inside.empty() || *inside.begin() == "..")
    return problem(fmt::format("the file '{}' is outside the model's folder", name),
                   "mesh files must lie in the folder of the model or below it; copy the file there");
  if (!fs::is_regular_file(file, error))  // a pipe or a device would be waited for
    return problem(fmt::format("'{}' is not a file", name), "name an STL, OBJ or glTF file");
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return problem(fmt::format("the file '{}' cannot be read", name), "look at its permissions");
  return {file, size, {}};
}

// At most `most` bytes from the start of a file; nothing if it cannot be read.
std::optional<std::string> bytes_of(const fs::path& file, std::uintmax_t most) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(most), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

MeshFile read_stl(const FoundFile& file, const std::string& name) {
  const std::optional<std::string> head = bytes_of(file.path, std::min<std::uintmax_t>(file.size, kStlHeadBytes));
  if (!head) return mesh_problem(fmt::format("the file '{}' cannot be read", name), "look at its permissions");
  const std::optional<std::size_t> count = binary_stl_triangles(*head, file.size);
  if (count && *count > kMostTriangles) return too_many_triangles(*count);
  const std::optional<std::string> bytes = bytes_of(file.path, std::min<std::uintmax_t>(file.size, kMostMeshBytes));
  if (!bytes || bytes->size() != file.size)
    return mesh_problem(fmt::format("the file '{}' cannot be read to its end", name), "copy or export it again");
  return count ? read_binary_stl(*bytes) : read_text_stl(*bytes);
}

MeshFile read_by_format(const FoundFile& file, const fs::path& folder, const std::string& name) {
  const std::string extension = extension_of(file.path);
  const bool is_stl = extension == ".stl", is_gltf = extension == ".gltf" || extension == ".glb";
  if (!is_stl && !is_gltf && extension != ".obj")
    return mesh_problem(fmt::format("the format of '{}' is not known", name), "use .stl, .obj, .gltf or .glb");
  // A binary STL file that is too large says how many triangles it has.
  if (!is_stl && file.size > kMostMeshBytes)
    return mesh_problem(fmt::format("the file '{}' has more than {} MB", name, kMostMeshBytes >> 20U),
                        "export the part with a coarser tolerance");
  if (is_stl) {
    const std::optional<std::string> head = bytes_of(file.path, std::min<std::uintmax_t>(file.size, kStlHeadBytes));
    if (file.size > kMostMeshBytes && !(head && binary_stl_triangles(*head, file.size)))
      return mesh_problem(fmt::format("the file '{}' has more than {} MB", name, kMostMeshBytes >> 20U),
                          "export the part with a coarser tolerance, or as a binary file");
    return read_stl(file, name);
  }
  if (is_gltf) {
    const fs::path beside = fs::path(name).parent_path();
    return read_gltf(fs::path(name).filename().string(), [&](const std::string& other) -> std::optional<std::string> {
      const FoundFile found = find_file(folder, (beside / other).string());
      if (!found.problem.empty() || found.size > kMostMeshBytes) return std::nullopt;
      return bytes_of(found.path, found.size);
    });
  }
  const std::optional<std::string> text = bytes_of(file.path, file.size);
  if (!text) return mesh_problem(fmt::format("the file '{}' cannot be read", name), "look at its permissions");
  return read_obj(*text);
}

}  // namespace

MeshFile too_many_triangles(std::size_t count) {
  return mesh_problem(fmt::format("the file has {} triangles, more than {}", count, kMostTriangles),
                      "export the part with a coarser tolerance, or reduce it in a mesh program");
}

MeshFile read_mesh_file(const fs::path& folder, const std::string& name, double metres_per_unit) {
  const FoundFile file = find_file(folder, name);
  if (!file.problem.empty()) return {{}, file.problem};
  MeshFile result = read_by_format(file, folder, name);
  for (Vec3& x : result.soup.points_m) x *= metres_per_unit;
  return result;
}

}  // namespace freeplay::io

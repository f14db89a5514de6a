#include "freeplay/io/mesh/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/io/mesh/mesh_formats.h"
#include "freeplay/io/yaml/folder_file.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;

FolderFile find_mesh_file(const fs::path& folder, const std::string& name) {
  return find_folder_file(folder, name, "mesh files", "an STL, OBJ or glTF file");
}

MeshFile read_stl(const FolderFile& file, const std::string& name) {
  const std::optional<std::string> head = bytes_of(file.path, std::min<std::uintmax_t>(file.size, kStlHeadBytes));
  if (!head) return mesh_problem(fmt::format("the file '{}' cannot be read", name), "look at its permissions");
  const std::optional<std::size_t> count = binary_stl_triangles(*head, file.size);
  if (count && *count > kMostTriangles) return too_many_triangles(*count);
  const std::optional<std::string> bytes = bytes_of(file.path, std::min<std::uintmax_t>(file.size, kMostMeshBytes));
  if (!bytes || bytes->size() != file.size)
    return mesh_problem(fmt::format("the file '{}' cannot be read to its end", name), "copy or export it again");
  return count ? read_binary_stl(*bytes) : read_text_stl(*bytes);
}

MeshFile read_by_format(const FolderFile& file, const fs::path& folder, const std::string& name) {
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
      const FolderFile found = find_mesh_file(folder, (beside / other).string());
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
  const FolderFile file = find_mesh_file(folder, name);
  if (!file.problem.empty()) return {{}, file.problem};
  MeshFile result = read_by_format(file, folder, name);
  for (Vec3& x : result.soup.points_m) x *= metres_per_unit;
  return result;
}

}  // namespace freeplay::io

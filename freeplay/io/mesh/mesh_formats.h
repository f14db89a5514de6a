// The formats, each from the bytes of a file. Part of the implementation of mesh_file.h.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "freeplay/io/mesh/mesh_file.h"

namespace freeplay::io {

inline MeshFile mesh_problem(std::string message, std::string hint) {
  return {{}, {"file", std::move(message), std::move(hint)}};
}
MeshFile too_many_triangles(std::size_t count);

inline constexpr std::size_t kStlHeadBytes = 84;

// Of a binary STL file: how many triangles its head claims, if its size agrees. `head`: the first bytes of the file.
std::optional<std::size_t> binary_stl_triangles(std::string_view head, std::uintmax_t file_size);

MeshFile read_binary_stl(std::string_view bytes);
MeshFile read_text_stl(std::string_view text);
MeshFile read_obj(std::string_view text);

// Another file that a glTF file needs: its bytes, or nothing if it is not there, outside of the folder or too large.
using FileBytes = std::function<std::optional<std::string>(const std::string& name)>;
MeshFile read_gltf(const std::string& name, const FileBytes& read);

}  // namespace freeplay::io

// Triangles from STL (text and binary), OBJ and glTF files.
//
// STL and OBJ are read here: assimp would round the coordinates of an OBJ file to single precision, and allocates what
// a damaged file claims. glTF has coordinates in single precision only and goes through assimp, which sees no file but
// through our own guard.
#pragma once

#include <filesystem>
#include <string>

#include "freeplay/geometry/meshes/mesh_builder.h"

namespace freeplay::io {

inline constexpr std::size_t kMostMeshBytes = std::size_t{384} << 20U;

struct MeshFile {
  TriangleSoup soup;  // only if there is no problem
  ShapeProblem problem;
};

// `name` is relative to `folder`, which must be canonical; files outside of it are refused. The coordinates of the file
// are multiplied by metres_per_unit. What is wrong with the triangles themselves is said by build_mesh.
MeshFile read_mesh_file(const std::filesystem::path& folder, const std::string& name, double metres_per_unit);

}  // namespace freeplay::io

// Meshes of points and cells, as VTK's unstructured grids have them, and those of the shapes of a model.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::report {

// The numbers are those of VTK's file formats.
enum class CellType : std::uint8_t {
  kVertex = 1,
  kLine = 3,
  kPolyLine = 4,
  kTriangle = 5,
  kPolygon = 7,
  kQuad = 9,
  kHexahedron = 12
};

struct Mesh {
  std::vector<Vec3> points;
  std::vector<std::int64_t> connectivity;  // of all cells, one after the other
  std::vector<std::int64_t> ends;          // where each cell ends in it
  std::vector<CellType> types;             // as many as cells

  std::int64_t add_point(const Vec3& point);
  void add_cell(CellType type, const std::vector<std::int64_t>& corners);
  // Points of their own and a cell through them.
  void add_outline(const std::vector<Vec3>& outline, bool is_closed);
};

// How much of a thing without end is shown: lines and planes.
struct SceneExtent {
  Vec3 centre = Vec3::Zero();  // in the axes of the shape's body
  double size_m = 1;
};

// In body axes. Closed outlines of the plane are a line and the area inside. `shape` is an entry of the result file's
// geometry. Throws nlohmann::json::exception if it lacks something; empty for a type that is not known.
Mesh mesh_of_shape(const nlohmann::ordered_json& shape, const SceneExtent& extent);

// Two rings of as many points, closed by faces between them and at both ends. Seen from the high end, the rings turn
// counter-clockwise.
Mesh prism(const std::vector<Vec3>& low, const std::vector<Vec3>& high);

Vec3 vector_of(const nlohmann::ordered_json& list);  // two or three numbers

}  // namespace freeplay::report

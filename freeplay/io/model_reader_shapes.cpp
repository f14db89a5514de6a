// The blocks `shapes` of bodies and of the ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/io/model_reader.h"

namespace freeplay {

namespace {

double cross_z(const Vec3& a, const Vec3& b) {
  return a.x() * b.y() - a.y() * b.x();
}

bool edges_cross(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto side = [](const Vec3& from, const Vec3& to, const Vec3& point) {
    return cross_z(to - from, point - from);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

// Corners that are closer than this part of the polygon's size count as the same, or as being on a line.
constexpr double kPolygonTolerance = 1e-12;

double distance_to_segment(const Vec3& point, const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  const double t = std::clamp((point - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (point - from - t * along).norm();
}

// The corners lie on a line, up to `tolerance_m`: then every one is near the line from the first to the farthest.
bool are_on_a_line(const std::vector<Vec3>& vertices, const Vec3& farthest, double tolerance_m) {
  const Vec3 direction = (farthest - vertices[0]).normalized();
  return std::all_of(vertices.begin(), vertices.end(), [&](const Vec3& vertex) {
    return std::abs(cross_z(direction, vertex - vertices[0])) <= tolerance_m;
  });
}

// Why the corners do not bound a polygon; empty if they do. An outline that touches itself is refused too: there the
// inside, and with it the normal of a contact, is not defined. A corner of 180 degrees is harmless.
std::string polygon_problem(const std::vector<Vec3>& vertices) {
  const std::size_t n = vertices.size();
  if (n < 3) return fmt::format("a polygon needs at least 3 corners, but has {}", n);
  const Vec3 farthest = *std::max_element(vertices.begin(), vertices.end(), [&](const Vec3& a, const Vec3& b) {
    return (a - vertices[0]).squaredNorm() < (b - vertices[0]).squaredNorm();
  });
  const double tolerance_m = kPolygonTolerance * (farthest - vertices[0]).norm();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if ((vertices[i] - vertices[j]).norm() <= tolerance_m)
        return fmt::format("the corners {} and {} are the same", i + 1, j + 1);
    }
  }
  if (are_on_a_line(vertices, farthest, tolerance_m)) return "the corners lie on a line, so that there is no area";
  double twice_area = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t i_next = (i + 1) % n;
    twice_area += cross_z(vertices[i] - vertices[0], vertices[i_next] - vertices[0]);
    for (std::size_t j = 0; j < n; ++j) {
      if (j > i && edges_cross(vertices[i], vertices[i_next], vertices[j], vertices[(j + 1) % n]))
        return fmt::format("the edges that start at the corners {} and {} cross", i + 1, j + 1);
      if (j != i && j != i_next && distance_to_segment(vertices[j], vertices[i], vertices[i_next]) <= tolerance_m)
        return fmt::format("the corner {} lies on the edge that starts at the corner {}", j + 1, i + 1);
    }
  }
  return twice_area < 0 ? "the corners are listed clockwise" : "";
}

// The check for crossing edges looks at all pairs.
constexpr std::size_t kMaxPolygonCorners = 2000;

}  // namespace

const BlockTable* ModelReader::table_of_type(const YamlEntry& entry, const std::string& path, std::string_view family,
                                             const std::vector<std::string>& possible,
                                             const std::vector<std::string>& reserved) {
  const std::vector<std::string> types = block_types(family);
  const YamlEntry* type = entry.value.find("type");
  if (entry.value.kind != YamlNode::Kind::kMap || type == nullptr) {
    values_.report(entry.key_at, path, "the key 'type' is missing", "possible types: " + listed(possible, "and"));
    return nullptr;
  }
  const std::optional<std::string> word = values_.word(type->value, path + ".type");
  if (!word) return nullptr;
  if (std::find(types.begin(), types.end(), *word) != types.end())
    return &block_table(fmt::format("{}.{}", family, *word));
  if (std::find(reserved.begin(), reserved.end(), *word) != reserved.end()) {
    values_.report(type->at(), path + ".type", fmt::format("the type '{}' is not available yet", *word),
                   "possible types: " + listed(possible, "and"));
  } else {
    values_.report_unknown(type->at(), path + ".type", "unknown type", *word, [&] { return possible; });
  }
  return nullptr;
}

void ModelReader::read_shapes(const YamlEntry* shapes, const std::string& body, const std::string& path) {
  const std::vector<std::string> fitting = space() == Space::kPlanar ? planar_shape_names() : spatial_shape_names();
  for (const YamlEntry* entry : named_entries(values_, shapes, path)) {
    const std::string shape_path = path + "." + entry->key;
    if (!is_identifier(entry->key)) {
      values_.report(entry->key_at, shape_path, fmt::format("{} cannot be the name of a shape", in_quotes(entry->key)),
                     "use letters, digits and '_', and start with a letter");
    }
    const BlockTable* table = table_of_type(*entry, shape_path, "shape", fitting, reserved_shape_types());
    if (table == nullptr) continue;
    const std::string type(table->name.substr(table->name.find('.') + 1));
    shape_types_.emplace(body + "." + entry->key, type);
    BlockReader block(values_, space(), entry->value, entry->key_at, shape_path, *table);
    block.word("type");
    if (std::find(fitting.begin(), fitting.end(), type) == fitting.end()) {
      block.report(
          "type",
          fmt::format("a {} cannot stand in a {} model", type, space() == Space::kPlanar ? "planar" : "spatial"),
          "shapes of this space: " + listed(fitting, "and"));
      continue;
    }
    model_.shapes.push_back({body, entry->key, type, read_geometry(block, type)});
    block.check_all_keys_were_read();
  }
}

ShapeGeometry ModelReader::read_geometry(BlockReader& block, std::string_view type) {
  const auto at = [&block] { return block.vector("at"); };
  const auto radius = [&block] { return block.quantity("radius"); };
  const auto unit = [&block](std::string_view key, const Vec3& otherwise) {
    return block.direction(key).value_or(otherwise);
  };
  const auto rotation = [&block] { return block.rotation("rotation").value_or(Eigen::Quaterniond::Identity()); };
  if (type == "point") return PointShape{at()};
  if (type == "line") return LineShape{at(), unit("normal", Vec3::UnitY())};
  if (type == "circle") return CircleShape{at(), radius()};
  if (type == "arc") {
    ArcShape arc{at(), radius(), block.quantity("from"), block.quantity("to"), block.word("side") == "inside"};
    if (block.ok() && !(arc.to > arc.from && arc.to - arc.from < 2 * std::numbers::pi)) {
      block.report("to", "an arc must end after it starts, and before it closes",
                   "choose from < to < from + 360 deg, or use a circle");
    }
    return arc;
  }
  if (type == "polygon") {
    PolygonShape polygon{block.points("vertices")};
    if (polygon.vertices_m.size() > kMaxPolygonCorners) {
      block.report("vertices", fmt::format("a polygon may have at most {} corners", kMaxPolygonCorners),
                   "use a spline");
    } else if (const std::string problem = block.ok() ? polygon_problem(polygon.vertices_m) : ""; !problem.empty()) {
      block.report("vertices", problem,
                   "list at least three different corners counter-clockwise, without crossing edges");
    }
    return polygon;
  }
  if (type == "ellipse") {
    return EllipseShape{at(), block.quantity("semi_axis_x"), block.quantity("semi_axis_y"), block.quantity("angle")};
  }
  if (type == "spline") {
    SplineShape spline{block.points("points"), block.boolean("closed")};
    if (block.ok() && spline.points_m.size() < 3) {
      block.report("points", fmt::format("a spline needs at least 3 points, but has {}", spline.points_m.size()),
                   "add points");
    }
    return spline;
  }
  if (type == "sphere") return SphereShape{at(), radius()};
  if (type == "plane") return PlaneShape{at(), unit("normal", Vec3::UnitZ())};
  if (type == "box") return BoxShape{at(), block.vector("size"), rotation()};
  if (type == "cylinder") return CylinderShape{at(), unit("axis", Vec3::UnitZ()), radius(), block.quantity("length")};
  if (type == "capsule") return CapsuleShape{at(), unit("axis", Vec3::UnitZ()), radius(), block.quantity("length")};
  FREEPLAY_ASSERT(type == "ellipsoid");
  return EllipsoidShape{at(), block.vector("semi_axes"), rotation()};
}

}  // namespace freeplay

// The blocks `shapes` of bodies and of the ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/geometry/meshes/mesh_builder.h"
#include "freeplay/geometry/shapes/moved_shape.h"
#include "freeplay/io/reader/model_reader.h"
#include "freeplay/io/reader/outline_checks.h"

namespace freeplay::io {

const BlockTable* ModelReader::table_of_type(const YamlEntry& entry, const std::string& path, std::string_view family,
                                             const std::vector<std::string>& possible, Space space) {
  const std::vector<std::string> types = block_types(family);
  const YamlEntry* type = entry.value.find("type");
  if (entry.value.kind != YamlNode::Kind::kMap || type == nullptr) {
    values_.report(entry.key_at, path, "the key 'type' is missing", "possible types: " + listed(possible, "and"));
    return nullptr;
  }
  const std::optional<std::string> word = values_.word(type->value, path + ".type");
  if (!word) return nullptr;
  if (space == Space::kSpatial) {
    for (const BlockTable* table : typed_blocks(family)) {
      if (table->name.ends_with(".spatial") && type_of_block(table->name) == *word) return table;
    }
  }
  if (std::find(types.begin(), types.end(), *word) != types.end())
    return &block_table(fmt::format("{}.{}", family, *word));
  values_.report_unknown(type->at(), path + ".type", "unknown type", *word, [&] { return possible; });
  return nullptr;
}

void ModelReader::read_shapes(const YamlEntry* shapes, const std::string& body, const std::string& path, int material) {
  const std::vector<std::string> fitting = space() == Space::kPlanar ? planar_shape_names() : spatial_shape_names();
  for (const YamlEntry* entry : named_entries(values_, shapes, path)) {
    const std::string shape_path = path + "." + entry->key;
    if (!is_identifier(entry->key)) {
      values_.report(entry->key_at, shape_path, fmt::format("{} cannot be the name of a shape", in_quotes(entry->key)),
                     "use letters, digits and '_', and start with a letter");
    }
    const BlockTable* table = table_of_type(*entry, shape_path, "shape", fitting, space());
    if (table == nullptr) continue;
    const std::string type(type_of_block(table->name));
    BlockReader block(values_, space(), entry->value, entry->key_at, shape_path, *table);
    block.word("type");
    if (std::find(fitting.begin(), fitting.end(), type) == fitting.end()) {
      block.report(
          "type",
          fmt::format("a {} cannot stand in a {} model", type, space() == Space::kPlanar ? "planar" : "spatial"),
          "shapes of this space: " + listed(fitting, "and"));
      shape_types_.emplace(body + "." + entry->key, type);
      continue;
    }
    ShapeSpec shape{body, entry->key, type, read_geometry(block, type)};
    if (type == "cam") read_turn(block, shape);
    if (table->find("surface_velocity") != nullptr && block.has("surface_velocity"))
      shape.surface_velocity = read_surface_velocity(block);
    const int own_material = read_material(block, material);
    std::optional<BlockReader> pattern =
        table->find("pattern") != nullptr ? block.block("pattern") : std::optional<BlockReader>();
    block.check_all_keys_were_read();
    if (pattern) {
      read_pattern(*pattern, shape);
    } else {
      shape_types_.emplace(body + "." + entry->key, type);
      model_.shapes.push_back(std::move(shape));
    }
    shape_materials_.resize(model_.shapes.size(), own_material);
  }
}

std::vector<Expression> ModelReader::read_surface_velocity(BlockReader& block) {
  if (space() == Space::kSpatial) {
    const std::array<Expression, 3> velocity = block.expressions("surface_velocity", Dependence::kTime);
    return {velocity.begin(), velocity.end()};
  }
  std::optional<Expression> speed = block.expression("surface_velocity", Dependence::kTime);
  return speed ? std::vector<Expression>{*std::move(speed)} : std::vector<Expression>();
}

void ModelReader::read_pattern(BlockReader& block, const ShapeSpec& shape) {
  const int count = block.integer("count");
  const double turn = block.quantity("turn");
  const Vec3 about = block.vector("at"), shift = block.vector("shift");
  const bool is_planar = space() == Space::kPlanar;
  const Vec3 axis = is_planar ? Vec3::UnitZ() : block.direction("axis").value_or(Vec3::UnitZ());
  block.check_all_keys_were_read();
  if (block.ok() && turn == 0 && shift.isZero(0)) {
    values_.report(block.at(), block.path(), "all copies would lie on each other", "give 'turn' or 'shift'");
  }
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry); mesh != nullptr && mesh->mesh && block.ok()) {
    mesh_triangles_ += mesh->mesh->triangles().size() * static_cast<std::size_t>(count - 1);
    if (mesh_triangles_ > kMostTriangles) {
      block.report("count", fmt::format("the meshes of the model have more than {} triangles together", kMostTriangles),
                   "take fewer copies, or a coarser mesh");
      return;
    }
  }
  for (int k = 0; k < count; ++k) {
    ShapeSpec copy = shape;
    copy.name = fmt::format("{}_{}", shape.name, k + 1);
    std::optional<ShapeGeometry> moved = moved_shape(shape.geometry, k * turn, about, k * shift, axis);
    std::optional<std::vector<Expression>> velocity = shape.surface_velocity;  // in the plane along the tangent
    if (!is_planar && !shape.surface_velocity.empty())
      velocity = turned_velocity(shape.surface_velocity, k * turn, axis);
    if (!moved || !velocity) {
      values_.report(block.at(), block.path(), fmt::format("the shape cannot be moved to the place of '{}'", copy.name),
                     "write the copies as shapes of their own");
      return;
    }
    copy.geometry = *std::move(moved);
    copy.surface_velocity = *std::move(velocity);
    if (const auto* cam = std::get_if<CamShape>(&copy.geometry); cam != nullptr && copy.turn)
      copy.turn->about_m = cam->at_m;
    if (!shape_types_.emplace(copy.body + "." + copy.name, copy.type).second) {
      values_.report(block.at(), block.path(), fmt::format("there is a shape '{}' already", copy.name),
                     "choose another name");
      return;
    }
    model_.shapes.push_back(std::move(copy));
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
    if (polygon.vertices_m.size() > kMaxOutlinePoints) {
      block.report("vertices", fmt::format("a polygon may have at most {} corners", kMaxOutlinePoints), "use a spline");
    } else if (const std::string problem =
                   block.ok() ? outline_problem("polygon", "corner", polygon.vertices_m, false) : "";
               !problem.empty()) {
      block.report("vertices", problem,
                   "list at least three different corners counter-clockwise, without crossing edges");
    }
    return polygon;
  }
  if (type == "ellipse") {
    return EllipseShape{at(), block.quantity("semi_axis_x"), block.quantity("semi_axis_y"), block.quantity("angle")};
  }
  if (std::optional<ShapeGeometry> surface = read_surface(block, type)) return *std::move(surface);
  if (type == "spline") return read_spline(block);
  if (std::optional<ShapeGeometry> contour = read_contour(block, type)) return *std::move(contour);
  if (type == "cam") return read_cam(block);
  if (type == "sphere") return SphereShape{at(), radius()};
  if (type == "plane") return PlaneShape{at(), unit("normal", Vec3::UnitZ())};
  if (type == "box") return BoxShape{at(), block.vector("size"), rotation()};
  if (type == "cylinder") return CylinderShape{at(), unit("axis", Vec3::UnitZ()), radius(), block.quantity("length")};
  if (type == "capsule") return CapsuleShape{at(), unit("axis", Vec3::UnitZ()), radius(), block.quantity("length")};
  if (type == "mesh") return read_mesh(block);
  FREEPLAY_ASSERT(type == "ellipsoid");
  return EllipsoidShape{at(), block.vector("semi_axes"), rotation()};
}

}  // namespace freeplay::io

// Tori, cones, surfaces of revolution, parametric surfaces and patches among the shapes.
#include <fmt/format.h>

#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/surfaces/shape_surface.h"
#include "freeplay/io/reader/model_reader.h"

namespace freeplay::io {

namespace {

const std::vector<std::string> kProfileTypes = {"circle",  "ellipse", "outline",     "parametric",
                                                "polygon", "spline",  "superellipse"};

ParametricSurfaceShape read_parametric_surface(BlockReader& block) {
  const auto coordinate = [&](std::string_view key) {
    return block.expression(key, Dependence::kSurfaceParameters).value_or(Expression::constant(0, dimensions::kLength));
  };
  ParametricSurfaceShape surface;
  surface.x_m = coordinate("x");
  surface.y_m = coordinate("y");
  surface.z_m = coordinate("z");
  surface.u_from = block.quantity("u_from");
  surface.u_to = block.quantity("u_to");
  surface.v_from = block.quantity("v_from");
  surface.v_to = block.quantity("v_to");
  surface.closed_u = block.boolean("closed_u");
  surface.closed_v = block.boolean("closed_v");
  surface.thickness_m = block.optional_quantity("thickness").value_or(0);
  return surface;
}

}  // namespace

RevolutionShape ModelReader::read_revolution(BlockReader& block) {
  RevolutionShape shape;
  shape.at_m = block.vector("at");
  shape.axis = block.direction("axis").value_or(Vec3::UnitZ());
  const YamlEntry* entry = block.entry("profile");
  if (entry == nullptr) return shape;
  const std::string path = block.path("profile");
  const BlockTable* table = table_of_type(*entry, path, "shape", kProfileTypes, Space::kPlanar);
  if (table == nullptr) return shape;
  const std::string type(type_of_block(table->name));
  BlockReader profile(values_, Space::kPlanar, entry->value, entry->key_at, path, *table);
  profile.word("type");
  if (std::find(kProfileTypes.begin(), kProfileTypes.end(), type) == kProfileTypes.end()) {
    profile.report("type", fmt::format("a {} cannot be the profile of a surface of revolution", type),
                   "possible types: " + listed(kProfileTypes, "and"));
    return shape;
  }
  const ShapeGeometry geometry = read_geometry(profile, type);
  if (table->find("pattern") != nullptr && profile.entry("pattern") != nullptr)
    profile.report("pattern", "a profile is one shape", "delete it");
  if (profile.entry("material") != nullptr)
    profile.report("material", "a profile has no material of its own", "give it to the surface of revolution");
  if (profile.entry("surface_velocity") != nullptr)
    profile.report("surface_velocity", "a profile does not run along itself", "give it to the surface of revolution");
  if (!profile.ok()) return shape;
  ContourResult contour = make_contour(geometry);
  if (contour.problem.empty())
    shape.profile = std::make_shared<const PlanarContour>(std::move(contour.contour));
  else
    profile.report(contour.problem.key, contour.problem.message, contour.problem.hint);
  return shape;
}

std::optional<ShapeGeometry> ModelReader::read_surface(BlockReader& block, std::string_view type) {
  const auto axis = [&block] { return block.direction("axis").value_or(Vec3::UnitZ()); };
  std::optional<ShapeGeometry> shape;
  if (type == "torus") {
    shape = TorusShape{block.vector("at"), axis(), block.quantity("radius"), block.quantity("tube_radius")};
  } else if (type == "cone") {
    shape = ConeShape{block.vector("at"), axis(), block.quantity("radius"), block.quantity("height")};
  } else if (type == "paraboloid") {
    shape = ParaboloidShape{block.vector("at"), axis(), block.quantity("radius"), block.quantity("height")};
  } else if (type == "revolution") {
    shape = read_revolution(block);
  } else if (type == "parametric" && block.table().find("z") != nullptr) {
    shape = read_parametric_surface(block);
  } else if (type == "patch") {
    SplinePatchShape patch{block.point_grid("points"), block.boolean("closed_u"), block.boolean("closed_v")};
    patch.thickness_m = block.optional_quantity("thickness").value_or(0);
    shape = std::move(patch);
  }
  if (!shape || !block.ok()) return shape;
  // A pole in the parametrisation, a profile that crosses its axis, a sheet that is too thick, ...
  const ShapeProblem problem = make_surface(*shape).problem;
  if (!problem.empty()) block.report(problem.key, problem.message, problem.hint);
  return shape;
}

}  // namespace freeplay::io

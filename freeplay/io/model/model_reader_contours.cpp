// Splines and cams among the shapes.
#include <fmt/format.h>

#include <numbers>

#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/io/model/model_reader.h"
#include "freeplay/io/model/outline_checks.h"

namespace freeplay::io {

namespace {

void check_points(BlockReader& block, std::string_view shape, const std::vector<Vec3>& points, bool may_be_clockwise) {
  if (!block.ok()) return;
  if (points.size() > kMaxOutlinePoints) {
    block.report("points", fmt::format("a {} may have at most {} points", shape, kMaxOutlinePoints),
                 "leave some out: the curve between them is smooth");
    return;
  }
  const std::string problem = outline_problem(shape, "point", points, may_be_clockwise);
  if (problem.empty()) return;
  block.report("points", problem,
               fmt::format("list at least three different points{}, without crossings; the last one is joined with the "
                           "first by itself",
                           may_be_clockwise ? "" : " counter-clockwise"));
}

}  // namespace

SplineShape ModelReader::read_spline(BlockReader& block) {
  SplineShape spline{block.points("points"), block.boolean("closed")};
  // Clockwise points bound a hole: matter lies to the left of the curve.
  if (spline.closed) check_points(block, "spline", spline.points_m, true);
  if (block.ok() && spline.points_m.size() < 3) {
    block.report("points", fmt::format("a spline needs at least 3 points, but has {}", spline.points_m.size()),
                 "add points");
  }
  return spline;
}

CamShape ModelReader::read_cam(BlockReader& block) {
  CamShape cam;
  cam.at_m = block.vector("at");
  cam.follower = block.direction("follower").value_or(Vec3::UnitY());
  cam.period = block.optional_quantity("period").value_or(2 * std::numbers::pi);
  const std::optional<double> base_radius = block.optional_quantity("base_radius");
  cam.base_radius_m = base_radius.value_or(0);
  cam.lift_m = block.expression("lift", Dependence::kCamAngle);
  cam.radius_m = block.expression("radius", Dependence::kCamAngle);
  cam.points_m = block.points("points");
  std::vector<std::string> given;
  for (const char* key : {"lift", "radius", "points"}) {
    if (block.has(key)) given.emplace_back(key);
  }
  if (!block.ok()) return cam;
  if (given.size() != 1) {
    values_.report(block.at(), block.path(),
                   given.empty() ? "the form of the cam is unknown" : "the form of the cam is given more than once",
                   "give exactly one: 'lift' (with 'base_radius'), 'radius' or 'points'");
    return cam;
  }
  if (given.front() == "lift" && !base_radius) {
    values_.report(block.at(), block.path(), "the key 'base_radius' is missing",
                   "add 'base_radius: 10 mm': the lift is measured from that circle");
    return cam;
  }
  if (given.front() != "lift" && base_radius) {
    block.report("base_radius", "only a lift is measured from a base circle",
                 fmt::format("delete it, or write 'lift' instead of '{}'", given.front()));
  }
  if (given.front() == "points") {
    if (block.has("period")) block.report("period", "points go once around the cam", "delete it");
    check_points(block, "cam", cam.points_m, false);
  }
  const ShapeProblem problem = block.ok() ? cam_problem(cam) : ShapeProblem{};
  if (!problem.empty()) block.report(problem.key, problem.message, problem.hint);
  return cam;
}

void ModelReader::read_turn(BlockReader& block, ShapeSpec& shape) {
  std::optional<Expression> angle = block.expression("turn", Dependence::kTime);
  if (angle) shape.turn = ShapeTurn{std::move(*angle), std::get<CamShape>(shape.geometry).at_m};
}

}  // namespace freeplay::io

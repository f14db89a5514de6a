// Splines and cams among the shapes.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/io/reader/model_reader.h"
#include "freeplay/io/reader/outline_checks.h"

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

// A contour that crosses itself, a curve that stands still, a radius that does not fit, ...
void check_contour(BlockReader& block, const ShapeGeometry& shape) {
  if (!block.ok()) return;
  const ShapeProblem problem = make_contour(shape).problem;
  if (!problem.empty()) block.report(problem.key, problem.message, problem.hint);
}

// The points, `turns` times around the centre.
OutlineShape read_outline(BlockReader& block) {
  OutlineShape outline;
  const Vec3 centre = block.vector("at");
  const int turns = block.integer("turns");
  const std::vector<BlockReader::OutlinePoint> points = block.outline("points");
  outline.closed = block.boolean("closed");
  outline.depth_m = block.optional_quantity("depth").value_or(0);
  if (block.ok() && points.size() * static_cast<std::size_t>(turns) > kMaxOutlinePoints) {
    block.report("points", fmt::format("an outline may have at most {} points", kMaxOutlinePoints), "use a spline");
    return outline;
  }
  for (int k = 0; k < turns; ++k) {
    const double angle = 2 * std::numbers::pi * k / turns, c = std::cos(angle), s = std::sin(angle);
    for (const BlockReader::OutlinePoint& point : points) {
      const Vec3 arm = point.at - centre;
      const Vec3 turned(c * arm.x() - s * arm.y(), s * arm.x() + c * arm.y(), 0);
      outline.corners.push_back({k == 0 ? point.at : Vec3(centre + turned), point.radius, std::tan(point.arc / 4)});
    }
  }
  return outline;
}

}  // namespace

SplineShape ModelReader::read_spline(BlockReader& block) {
  SplineShape spline{block.points("points"), block.boolean("closed")};
  // Clockwise points bound a hole: matter lies to the left of the curve.
  if (spline.closed) check_points(block, "spline", spline.points_m, true);
  const std::size_t least = spline.closed ? 3 : 2;
  if (block.ok() && spline.points_m.size() < least) {
    block.report("points", fmt::format("a spline needs at least {} points, but has {}", least, spline.points_m.size()),
                 "add points");
  }
  check_contour(block, spline);
  return spline;
}

std::optional<ShapeGeometry> ModelReader::read_contour(BlockReader& block, std::string_view type) {
  const auto depth = [&block] { return block.optional_quantity("depth").value_or(0); };
  std::optional<ShapeGeometry> shape;
  if (type == "edge") {
    shape = EdgeShape{block.vector("from"), block.vector("to"), depth()};
  } else if (type == "outline") {
    shape = read_outline(block);
  } else if (type == "superellipse") {
    shape = SuperellipseShape{block.vector("at"), block.quantity("semi_axis_x"), block.quantity("semi_axis_y"),
                              block.quantity("exponent"), block.quantity("angle")};
  } else if (type == "parametric") {
    ParametricShape curve;
    const std::optional<Expression> x = block.expression("x", Dependence::kCurveParameter),
                                    y = block.expression("y", Dependence::kCurveParameter);
    curve.x_m = x.value_or(Expression::constant(0, dimensions::kLength));
    curve.y_m = y.value_or(Expression::constant(0, dimensions::kLength));
    curve.from = block.quantity("from");
    curve.to = block.quantity("to");
    curve.closed = block.boolean("closed");
    curve.depth_m = depth();
    shape = std::move(curve);
  } else if (type == "involute") {
    InvoluteShape gear;
    gear.at_m = block.vector("at");
    gear.module_m = block.quantity("module");
    gear.teeth = block.integer("teeth");
    gear.pressure_angle = block.quantity("pressure_angle");
    gear.addendum = block.quantity("addendum");
    gear.dedendum = block.quantity("dedendum");
    gear.profile_shift = block.quantity("profile_shift");
    gear.thinning_m = block.quantity("thinning");
    gear.angle = block.quantity("angle");
    gear.single_tooth = block.boolean("single_tooth");
    shape = gear;
  }
  if (shape) check_contour(block, *shape);
  return shape;
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

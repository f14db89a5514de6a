#include "freeplay/geometry/contours/shape_contour.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

#include "freeplay/geometry/contours/contour_builder.h"
#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kSamplesPerPiece = 16;    // of a spline: its curvature has at most a few extremes there
constexpr int kSamplesPerCurve = 1024;  // of an expression
constexpr int kSamplesPerTurn = 720, kSamplesPerLobe = 120;  // of a cam
constexpr std::size_t kMostPoints = 100'000;

ContourResult refused(std::string key, std::string message, std::string hint) {
  return {{}, {std::move(key), std::move(message), std::move(hint)}};
}

ContourResult looped(ContourBuilder& builder) {
  PlanarContour contour = builder.loop();
  return {std::move(contour), builder.problem()};
}
ContourResult walled(ContourBuilder& builder, double depth_m) {
  PlanarContour contour = builder.wall(depth_m);
  return {std::move(contour), builder.problem()};
}

template <class T, class... Others>
constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

bool is_length(double value_m) {
  return value_m > 0 && std::isfinite(value_m);
}

// Not finite, or too few or too many of them. The size of their cloud otherwise.
ShapeProblem points_problem(const std::vector<Vec3>& points, std::size_t least, const char* key, double& size_m) {
  if (points.size() < least || points.size() > kMostPoints)
    return {key, fmt::format("there are {} points", points.size()),
            fmt::format("give {} to {} of them", least, kMostPoints)};
  size_m = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) return {key, fmt::format("point {} is not finite", i + 1), "give numbers"};
    size_m = std::max(size_m, (points[i] - points[0]).head<2>().norm());
  }
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!((points[i] - points[i - 1]).head<2>().norm() > 1e-12 * size_m))
      return {key, fmt::format("points {} and {} are the same", i, i + 1), "leave one of them out"};
  }
  return {};
}

void add_pieces(ContourBuilder& builder, const std::vector<PeriodicSpline::BezierPiece>& pieces) {
  for (const PeriodicSpline::BezierPiece& piece : pieces)
    builder.curve(std::make_shared<CubicCurve>(piece), 0, 1, kSamplesPerPiece, "points");
}

ContourResult closed_spline(const std::vector<Vec3>& points) {
  double size = 0;
  ShapeProblem problem = points_problem(points, 3, "points", size);
  if (problem.empty() && !((points.back() - points.front()).head<2>().norm() > 1e-12 * size))
    problem = {"points", "the last point repeats the first", "leave it out: the curve closes by itself"};
  if (!problem.empty()) return {{}, problem};
  ContourBuilder builder(size);
  add_pieces(builder, PeriodicSpline(points).bezier_pieces());
  return looped(builder);
}

}  // namespace

ContourResult make_contour(const PointShape& shape) {
  return {ContourBuilder::point(in_plane(shape.at_m)), {}};
}

ContourResult make_contour(const LineShape& shape) {
  return {ContourBuilder::half_plane(in_plane(shape.at_m), in_plane(shape.normal)), {}};
}

ContourResult make_contour(const CircleShape& shape) {
  if (shape.radius_m == 0) return make_contour(PointShape{shape.at_m});
  ContourBuilder builder(shape.radius_m);
  builder.arc(in_plane(shape.at_m), shape.radius_m, -kPi, kPi);
  return looped(builder);
}

ContourResult make_contour(const ArcShape& shape) {
  const double span = shape.to - shape.from;
  if (!is_length(shape.radius_m)) return refused("radius", "the radius must be positive", "give a length");
  if (!(span > 0 && span < 2 * kPi))
    return refused("to", fmt::format("the arc spans {:.6g} deg", span * 180 / kPi), "let it span less than a turn");
  ContourBuilder builder(shape.radius_m);
  const Vec2 centre = in_plane(shape.at_m);
  if (shape.hollow) {
    builder.arc(centre, shape.radius_m, shape.to, shape.from);
    return walled(builder, 0);
  }
  const auto end = [&](double angle) { return Vec2(centre + shape.radius_m * Vec2(std::cos(angle), std::sin(angle))); };
  builder.arc(centre, shape.radius_m, shape.from, shape.to);
  builder.edge(end(shape.to), centre);
  builder.edge(centre, end(shape.from));
  return looped(builder);
}

ContourResult make_contour(const PolygonShape& shape) {
  double size = 0;
  ShapeProblem problem = points_problem(shape.vertices_m, 3, "vertices", size);
  if (!problem.empty()) return {{}, problem};
  ContourBuilder builder(size);
  for (std::size_t i = 0; i < shape.vertices_m.size(); ++i)
    builder.edge(in_plane(shape.vertices_m[i]), in_plane(shape.vertices_m[(i + 1) % shape.vertices_m.size()]));
  return looped(builder);
}

// Curvature is extreme on the axes, so quarters are pieces; each is halved to keep to the largest turn of a piece.
ContourResult make_contour(const EllipseShape& shape) {
  if (!is_length(shape.semi_axis_x_m) || !is_length(shape.semi_axis_y_m))
    return refused("semi_axes", "both semi-axes must be positive", "give two lengths");
  if (shape.semi_axis_x_m == shape.semi_axis_y_m) return make_contour(CircleShape{shape.at_m, shape.semi_axis_x_m});
  ContourBuilder builder(std::max(shape.semi_axis_x_m, shape.semi_axis_y_m));
  const auto curve = std::make_shared<EllipseCurve>(shape);
  for (int k = 0; k < 4; ++k) builder.curve(curve, k * kPi / 2, (k + 1) * kPi / 2, kSamplesPerPiece, "angle");
  return looped(builder);
}

ContourResult make_contour(const SplineShape& shape) {
  if (shape.closed) return closed_spline(shape.points_m);
  double size = 0;
  const ShapeProblem problem = points_problem(shape.points_m, 2, "points", size);
  if (!problem.empty()) return {{}, problem};
  ContourBuilder builder(size);
  add_pieces(builder, natural_spline(shape.points_m));
  return walled(builder, 0);
}

ContourResult make_contour(const CamShape& shape) {
  if (!shape.lift_m && !shape.radius_m) return closed_spline(shape.points_m);
  ShapeProblem problem = cam_problem(shape);
  // An interior drop would be a curve that jumps; the builder says so.
  if (!problem.empty()) return {{}, problem};
  const int lobes = static_cast<int>(std::lround(2 * kPi / shape.period));
  const int samples = std::max(kSamplesPerLobe, kSamplesPerTurn / lobes);
  const double end = shape.period * (1 - 1e-12);  // the limit from inside: a law may start anew at its end
  const CamCurve first(shape, 0);
  const Vec2 centre = in_plane(shape.at_m);
  const double size = (first.at(0).x - centre).norm();
  const Vec2 starts = first.at(-end).x, ends = first.at(0).x;
  const bool drops = std::abs((starts - centre).norm() - (ends - centre).norm()) > 1e-9 * size;
  ContourBuilder builder(size);
  for (int k = 0; k < lobes; ++k) {
    const auto curve = std::make_shared<CamCurve>(shape, k * shape.period);
    builder.curve(curve, -end, 0, samples, "phi");
    if (!drops) continue;
    const CamCurve next(shape, (k + 1) * shape.period);
    builder.edge(curve->at(0).x, next.at(-end).x);
  }
  return looped(builder);
}

ContourResult make_contour(const EdgeShape& shape) {
  const double length = (shape.to_m - shape.from_m).head<2>().norm();
  if (!is_length(length)) return refused("to", "the edge has no length", "give two different points");
  ContourBuilder builder(length);
  builder.edge(in_plane(shape.from_m), in_plane(shape.to_m));
  return walled(builder, shape.depth_m);
}

ContourResult make_contour(const SuperellipseShape& shape) {
  if (!is_length(shape.semi_axis_x_m) || !is_length(shape.semi_axis_y_m))
    return refused("semi_axes", "both semi-axes must be positive", "give two lengths");
  if (!(shape.exponent >= 2 && shape.exponent <= 50))
    return refused("exponent", fmt::format("an exponent of {:g} has no finite curvature on the axes", shape.exponent),
                   "take one from 2 to 50");
  ContourBuilder builder(std::max(shape.semi_axis_x_m, shape.semi_axis_y_m));
  const auto curve = std::make_shared<SuperellipseCurve>(shape);
  for (int k = 0; k < 4; ++k) builder.curve(curve, k * kPi / 2, (k + 1) * kPi / 2, 256, "angle");
  return looped(builder);
}

ContourResult make_contour(const ParametricShape& shape) {
  if (!(shape.to > shape.from) || !std::isfinite(shape.to - shape.from))
    return refused("to", fmt::format("the parameter runs from {:g} to {:g}", shape.from, shape.to), "let it rise");
  const auto curve = std::make_shared<ExpressionCurve>(shape.x_m, shape.y_m);
  double size = 0;
  const Vec2 start = curve->at(shape.from).x;
  for (int i = 1; i <= kSamplesPerCurve; ++i) {
    const double s = shape.from + (shape.to - shape.from) * i / kSamplesPerCurve;
    const Vec2 x = curve->at(s).x;
    if (!x.allFinite()) return refused("s", fmt::format("the curve is not finite at s = {:.6g}", s), "see x and y");
    size = std::max(size, (x - start).norm());
  }
  if (!is_length(size)) return refused("x", "the curve has no length: x and y are constant", "let them depend on s");
  ContourBuilder builder(size);
  builder.curve(curve, shape.from, shape.to, kSamplesPerCurve, "s");
  return shape.closed ? looped(builder) : walled(builder, shape.depth_m);
}

ContourResult make_contour(const ShapeGeometry& geometry) {
  return std::visit(
      [](const auto& shape) -> ContourResult {
        using Shape = std::decay_t<decltype(shape)>;
        // Any shape converts to ShapeGeometry: only these have a function of their own.
        if constexpr (is_one_of<Shape, PointShape, LineShape, CircleShape, ArcShape, PolygonShape, EllipseShape,
                                SplineShape, CamShape, EdgeShape, OutlineShape, SuperellipseShape, ParametricShape,
                                InvoluteShape>)
          return make_contour(shape);
        else
          return refused("type", "a spatial shape has no contour in the plane", "use planar shapes or a spatial model");
      },
      geometry);
}

std::vector<Vec2> contour_outline(const ShapeGeometry& geometry) {
  constexpr int kPerElement = 12;
  const ContourResult result = make_contour(geometry);
  std::vector<Vec2> outline;
  if (!result.problem.empty()) return outline;
  std::int32_t before = -1;
  for (const PlanarContour::Sample& sample : result.contour.samples(kPerElement)) {
    const bool is_inside_of_edge =
        sample.element == before &&
        result.contour.elements()[static_cast<std::size_t>(sample.element)].kind == ElementKind::kEdge;
    before = sample.element;
    if (is_inside_of_edge || (!outline.empty() && outline.back() == sample.x)) continue;
    outline.push_back(sample.x);
  }
  return outline;
}

}  // namespace freeplay::geometry

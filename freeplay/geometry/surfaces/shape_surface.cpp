#include "freeplay/geometry/surfaces/shape_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

#include "freeplay/geometry/contours/contour_builder.h"
#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/surfaces/patches/revolved_patches.h"
#include "freeplay/geometry/surfaces/patches/sheet_patches.h"
#include "freeplay/geometry/surfaces/patches/solid_patches.h"
#include "freeplay/geometry/surfaces/surface_crossing.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTinyShare = 1e-9;       // of the size: lengths that are zero
constexpr int kChecks = 33;               // per side of a chart
constexpr double kDegenerate = 1e-6;      // |x_u x x_v| against its largest value
constexpr std::size_t kMostPoints = 400;  // per side of a grid

SurfaceResult refused(std::string key, std::string message, std::string hint) {
  return {{}, {std::move(key), std::move(message), std::move(hint)}};
}

bool is_length(double value) {
  return std::isfinite(value) && value > 0;
}

SurfaceResult turned_profile(PlanarContour contour, const Vec3& at, const Vec3& axis) {
  const auto profile = std::make_shared<const PlanarContour>(std::move(contour));
  const double tiny = kTinyShare * profile->size_m();
  return {SpatialSurface::of_patches(revolve(profile, RevolutionAxes(at, axis), tiny)), {}};
}

// y = h (x / radius)^2.
class ParabolaCurve final : public PlaneCurve {
 public:
  ParabolaCurve(double radius, double height) : factor_(height / (radius * radius)) {}
  CurvePoint at(double s) const override { return {{s, factor_ * s * s}, {1, 2 * factor_ * s}, {0, 2 * factor_}}; }

 private:
  double factor_;
};

// What samples of a chart say about it.
struct ChartSurvey {
  bool is_finite = true;
  double least_area = kInfinity, largest_area = 0;  // |x_u x x_v|
  double largest_curvature = 0;                     // of either sign
  double size_m = 0, volume = 0;                    // volume: by the divergence theorem, of a closed surface
};

ChartSurvey survey(const SurfaceChart& chart) {
  ChartSurvey s;
  Vec3 low = Vec3::Constant(kInfinity), high = -low;
  for (int i = 0; i < kChecks; ++i) {
    for (int k = 0; k < kChecks; ++k) {
      const double u = chart.u_from + (chart.u_to - chart.u_from) * i / (kChecks - 1);
      const double v = chart.v_from + (chart.v_to - chart.v_from) * k / (kChecks - 1);
      const SurfaceJet jet = chart.at(u, v);
      const Vec3 cross = jet.x_u.cross(jet.x_v);
      for (const Vec3* part : {&jet.x, &jet.x_u, &jet.x_v, &jet.x_uu, &jet.x_uv, &jet.x_vv})
        s.is_finite = s.is_finite && part->allFinite();
      const double area = cross.norm();
      s.least_area = std::min(s.least_area, area);
      s.largest_area = std::max(s.largest_area, area);
      s.volume += jet.x.dot(cross);
      low = low.cwiseMin(jet.x);
      high = high.cwiseMax(jet.x);
      if (area > 0) {
        const Bend bend = bend_of(place_of_jet(jet, 1, 0), 2);
        s.largest_curvature = std::max({s.largest_curvature, std::abs(bend.curvature_1), std::abs(bend.curvature_2)});
      }
    }
  }
  s.size_m = (high - low).norm();
  return s;
}

// Where the normals of two neighbouring samples are opposite, somewhere between them the surface may have no normal at
// all and be turned inside out behind it, as a torus is whose tube is larger than its ring. A sharp bend is told from
// that by halving the way: its normals come together.
Vec3 normal_of(const SurfaceChart& chart, const Vec2& at) {
  const SurfaceJet jet = chart.at(at[0], at[1]);
  return jet.x_u.cross(jet.x_v).normalized();
}

bool turns_over(const SurfaceChart& chart, Vec2 from, Vec2 to) {
  constexpr int kHalvings = 40;
  Vec3 n_from = normal_of(chart, from), n_to = normal_of(chart, to);
  for (int k = 0; k < kHalvings && n_from.dot(n_to) < 0; ++k) {
    const Vec2 middle = (from + to) / 2;
    const Vec3 n_middle = normal_of(chart, middle);
    const bool is_first = n_from.dot(n_middle) < n_middle.dot(n_to);
    (is_first ? to : from) = middle;
    (is_first ? n_to : n_from) = n_middle;
  }
  return n_from.dot(n_to) < 0;
}

bool turns_over(const SurfaceChart& chart) {
  const auto at = [&](int i, int k) {
    return Vec2(chart.u_from + (chart.u_to - chart.u_from) * i / (kChecks - 1),
                chart.v_from + (chart.v_to - chart.v_from) * k / (kChecks - 1));
  };
  std::vector<Vec3> normals;
  for (int i = 0; i < kChecks; ++i) {
    for (int k = 0; k < kChecks; ++k) normals.push_back(normal_of(chart, at(i, k)));
  }
  const auto normal = [&](int i, int k) { return normals[static_cast<std::size_t>(i * kChecks + k)]; };
  for (int i = 0; i < kChecks; ++i) {
    for (int k = 0; k + 1 < kChecks; ++k) {
      if (normal(i, k).dot(normal(i, k + 1)) < 0 && turns_over(chart, at(i, k), at(i, k + 1))) return true;
      if (normal(k, i).dot(normal(k + 1, i)) < 0 && turns_over(chart, at(k, i), at(k + 1, i))) return true;
    }
  }
  return false;
}

double seam_error(const SurfaceChart& chart, bool in_u) {
  double error = 0;
  for (int k = 0; k < kChecks; ++k) {
    const double share = static_cast<double>(k) / (kChecks - 1);
    const double u = chart.u_from + (chart.u_to - chart.u_from) * share;
    const double v = chart.v_from + (chart.v_to - chart.v_from) * share;
    const SurfaceJet one = in_u ? chart.at(chart.u_from, v) : chart.at(u, chart.v_from);
    const SurfaceJet two = in_u ? chart.at(chart.u_to, v) : chart.at(u, chart.v_to);
    error = std::max(error, (one.x - two.x).norm());
    error = std::max(error, (one.x_u - two.x_u).norm() * (chart.u_to - chart.u_from));
    error = std::max(error, (one.x_v - two.x_v).norm() * (chart.v_to - chart.v_from));
  }
  return error;
}

SurfaceResult surface_of_chart(const std::shared_ptr<const SurfaceChart>& chart, double thickness_m,
                               const std::string& key, SurfaceChecks checks) {
  const ChartSurvey s = survey(*chart);
  if (!s.is_finite)
    return refused(key, "the surface is not finite everywhere", "keep u and v away from where it is not defined");
  if (!(s.least_area > kDegenerate * s.largest_area))
    return refused(key, "the surface shrinks to a line or a point for some u, v: it has no normal there",
                   "leave such a pole out of the range of u and v, or turn a contour about an axis instead");
  if (turns_over(*chart))
    return refused(key, "the surface crosses itself: where it shrinks to a point or a line it is turned inside out",
                   "let no u, v lead through such a place; the tube of a torus must be thinner than its ring");
  for (const bool in_u : {true, false}) {
    if ((in_u ? chart->closed_u : chart->closed_v) && seam_error(*chart, in_u) > 1e-6 * s.size_m)
      return refused(key,
                     fmt::format("the surface is said to be closed in {}, but its two ends do not meet smoothly",
                                 in_u ? "u" : "v"),
                     "let the range be one whole period, or leave the surface open");
  }
  const bool closed = chart->closed_u && chart->closed_v;
  const double least_radius = s.largest_curvature > 0 ? 1 / s.largest_curvature : kInfinity;
  double thickness = thickness_m;
  if (thickness == 0) thickness = default_sheet_thickness(s.size_m, least_radius);
  if (!closed && !(thickness > 0 && thickness < 2 * least_radius))
    return refused("thickness",
                   fmt::format("a sheet of {:.6g} m folds over itself: half of it must be less than the "
                               "smallest radius of curvature, {:.6g} m",
                               thickness, least_radius),
                   "make it thinner");
  auto patches = patches_of(chart, thickness / 2);
  if (checks == SurfaceChecks::kAll) {
    const ShapeProblem crossing = crossing_problem(*chart, patches, s.size_m, thickness, key);
    if (!crossing.empty()) return {{}, crossing};
  }
  if (closed && s.volume < 0)  // of what crosses itself the sign would say nothing
    return refused(key, "the normals point into the matter", "exchange u and v, or reverse the order of the points");
  return {SpatialSurface::of_patches(std::move(patches)), {}};
}

template <class Shape, class... Others>
constexpr bool is_one_of = (std::is_same_v<Shape, Others> || ...);

// So many pieces that a piece turns by no more than a tenth of a radian.
int pieces_of(double range, double turn) {
  return std::clamp(static_cast<int>(std::ceil(range * turn / 0.1)), 1, 8);
}

// Corners of a cell that do not belong to the patch (a disc in a square) are drawn to its rim.
void add_grid(const SurfacePatch& patch, const SurfaceCell& cell, SurfacePicture& picture) {
  int count_u = pieces_of(cell.u_to - cell.u_from, cell.n_u), count_v = pieces_of(cell.v_to - cell.v_from, cell.n_v);
  const bool is_cut = !patch.contains(cell.u_from, cell.v_from, 0) || !patch.contains(cell.u_to, cell.v_to, 0) ||
                      !patch.contains(cell.u_from, cell.v_to, 0) || !patch.contains(cell.u_to, cell.v_from, 0);
  if (is_cut) count_u = count_v = 16;
  const int first = static_cast<int>(picture.points.size());
  const Vec2 middle((patch.u_from + patch.u_to) / 2, (patch.v_from + patch.v_to) / 2);
  for (int k = 0; k <= count_v; ++k) {
    for (int i = 0; i <= count_u; ++i) {
      Vec2 at(cell.u_from + (cell.u_to - cell.u_from) * i / count_u,
              cell.v_from + (cell.v_to - cell.v_from) * k / count_v);
      if (!patch.contains(at[0], at[1], 1e-9)) {
        Vec2 inside = middle, outside = at;
        for (int halving = 0; halving < 30; ++halving) {
          const Vec2 between = (inside + outside) / 2;
          (patch.contains(between[0], between[1], 0) ? inside : outside) = between;
        }
        at = inside;
      }
      picture.points.push_back(patch.place(at[0], at[1]).x);
    }
  }
  const SurfacePlace centre = patch.place((cell.u_from + cell.u_to) / 2, (cell.v_from + cell.v_to) / 2);
  const bool is_turned = centre.x_u.cross(centre.x_v).dot(centre.n) < 0;
  const auto add = [&](int a, int b, int c) {
    if (is_turned) std::swap(b, c);
    const Vec3 &p = picture.points[std::size_t(a)], &q = picture.points[std::size_t(b)],
               &r = picture.points[std::size_t(c)];
    if ((q - p).cross(r - p).norm() > 1e-12 * ((q - p).squaredNorm() + (r - p).squaredNorm()))
      picture.triangles.push_back({a, b, c});
  };
  for (int k = 0; k < count_v; ++k) {
    for (int i = 0; i < count_u; ++i) {
      const int a = first + k * (count_u + 1) + i, b = a + 1, c = a + count_u + 1, d = c + 1;
      add(a, b, d);
      add(a, d, c);
    }
  }
}

}  // namespace

double default_sheet_thickness(double size_m, double least_radius_m) {
  return std::min(size_m / 20, least_radius_m / 2);
}

SurfaceResult make_surface(const SphereShape& shape) {
  if (!(shape.radius_m >= 0) || !std::isfinite(shape.radius_m))
    return refused("radius", "the radius must not be negative", "give a length");
  return {SpatialSurface::ball(shape.at_m, shape.radius_m), {}};
}

SurfaceResult make_surface(const PlaneShape& shape) {
  return {SpatialSurface::plane(shape.at_m, shape.normal), {}};
}

SurfaceResult make_surface(const EllipsoidShape& shape) {
  if (!is_length(shape.semi_axes_m[0]) || !is_length(shape.semi_axes_m[1]) || !is_length(shape.semi_axes_m[2]))
    return refused("semi_axes", "the semi-axes must be positive", "give three lengths");
  if (shape.semi_axes_m.maxCoeff() > 1e4 * shape.semi_axes_m.minCoeff())
    return refused("semi_axes", "one semi-axis is more than 10 000 times another one",
                   "use a capsule for a needle, or a plane");
  return {SpatialSurface::ellipsoid(shape.at_m, shape.semi_axes_m, shape.rotation.toRotationMatrix()), {}};
}

SurfaceResult make_surface(const TorusShape& shape) {
  if (!is_length(shape.tube_radius_m) || !is_length(shape.radius_m) || shape.tube_radius_m >= shape.radius_m)
    return refused("tube_radius", "the tube's radius must be positive and smaller than the torus's",
                   "a ring needs a hole: make `radius` larger");
  const ContourResult circle = make_contour(CircleShape{{shape.radius_m, 0, 0}, shape.tube_radius_m});
  if (!circle.problem.empty()) return {{}, circle.problem};
  return turned_profile(circle.contour, shape.at_m, shape.axis);
}

SurfaceResult make_surface(const ConeShape& shape) {
  if (!is_length(shape.radius_m) || !is_length(shape.height_m))
    return refused("radius", "radius and height must be positive", "give two lengths");
  const double r = shape.radius_m, h = shape.height_m;
  const ContourResult profile = make_contour(PolygonShape{{Vec3::Zero(), Vec3(r, 0, 0), Vec3(0, h, 0)}});
  if (!profile.problem.empty()) return {{}, profile.problem};
  return turned_profile(profile.contour, shape.at_m, shape.axis);
}

SurfaceResult make_surface(const ParaboloidShape& shape) {
  if (!is_length(shape.radius_m) || !is_length(shape.height_m))
    return refused("radius", "radius and height must be positive", "give two lengths");
  const double r = shape.radius_m, h = shape.height_m;
  ContourBuilder builder(r + h);
  builder.curve(std::make_shared<ParabolaCurve>(r, h), 0, r, 64, "r");
  builder.edge({r, h}, {0, h});
  builder.edge({0, h}, {0, 0});
  PlanarContour profile = builder.loop();
  if (!builder.problem().empty()) return {{}, builder.problem()};
  return turned_profile(std::move(profile), shape.at_m, shape.axis);
}

SurfaceResult make_surface(const RevolutionShape& shape) {
  if (!shape.profile || !shape.profile->is_loop() || shape.profile->is_hole() || shape.profile->elements().empty())
    return refused("profile", "the profile does not enclose any matter", "give a closed contour, counter-clockwise");
  const double tiny = kTinyShare * shape.profile->size_m();
  for (const PlanarContour::Sample& sample : shape.profile->samples(8)) {
    if (sample.x.x() < -tiny)
      return refused("profile", fmt::format("the profile crosses its axis, at x = {:.6g} m", sample.x.x()),
                     "a profile lies where x >= 0; let it end on the axis by an edge along it");
  }
  return turned_profile(*shape.profile, shape.at_m, shape.axis);
}

SurfaceResult make_surface(const ParametricSurfaceShape& shape, SurfaceChecks checks) {
  if (!(shape.u_from < shape.u_to) || !(shape.v_from < shape.v_to))
    return refused("u", "the range of a parameter is empty", "`from` must be less than `to`");
  return surface_of_chart(expression_chart(shape), shape.thickness_m, "x", checks);
}

SurfaceResult make_surface(const SplinePatchShape& shape, SurfaceChecks checks) {
  const std::size_t rows = shape.points_m.size(), columns = rows == 0 ? 0 : shape.points_m.front().size();
  if (rows < 4 || columns < 4 || rows > kMostPoints || columns > kMostPoints)
    return refused("points", fmt::format("the grid has {} x {} points", rows, columns),
                   fmt::format("give at least 4 and at most {} in each direction", kMostPoints));
  for (const std::vector<Vec3>& row : shape.points_m) {
    if (row.size() != columns) return refused("points", "the rows of the grid differ in length", "give a full grid");
    for (const Vec3& point : row) {
      if (!point.allFinite()) return refused("points", "a point is not finite", "give numbers");
    }
  }
  return surface_of_chart(spline_chart(shape), shape.thickness_m, "points", checks);
}

SurfaceResult make_surface(const BoxShape& shape) {
  if (!is_length(shape.size_m[0]) || !is_length(shape.size_m[1]) || !is_length(shape.size_m[2]))
    return refused("size", "the edges must have a length", "give three lengths");
  return {SpatialSurface::of_patches(patches_of_box(shape.at_m, shape.size_m, shape.rotation.toRotationMatrix())), {}};
}

SurfaceResult make_surface(const CylinderShape& shape) {
  if (!is_length(shape.radius_m) || !is_length(shape.length_m))
    return refused("radius", "radius and length must be positive", "give two lengths");
  const double r = shape.radius_m, h = shape.length_m / 2;
  const ContourResult profile =
      make_contour(PolygonShape{{Vec3(0, -h, 0), Vec3(r, -h, 0), Vec3(r, h, 0), Vec3(0, h, 0)}});
  if (!profile.problem.empty()) return {{}, profile.problem};
  return turned_profile(profile.contour, shape.at_m, shape.axis);
}

SurfaceResult make_surface(const CapsuleShape& shape) {
  if (!is_length(shape.radius_m) || !is_length(shape.length_m))
    return refused("radius", "radius and length must be positive", "give two lengths");
  const double r = shape.radius_m, h = shape.length_m / 2, quarter = std::tan(kPi / 8);
  OutlineShape outline;
  outline.corners = {{{0, -h - r, 0}, 0, quarter}, {{r, -h, 0}, 0, 0}, {{r, h, 0}, 0, quarter}, {{0, h + r, 0}, 0, 0}};
  const ContourResult profile = make_contour(outline);
  if (!profile.problem.empty()) return {{}, profile.problem};
  return turned_profile(profile.contour, shape.at_m, shape.axis);
}

SurfaceResult make_surface(const ShapeGeometry& geometry, SurfaceChecks checks) {
  return std::visit(
      [checks](const auto& shape) -> SurfaceResult {
        using Shape = std::decay_t<decltype(shape)>;
        // Any shape converts to ShapeGeometry: only these have a function of their own.
        if constexpr (is_one_of<Shape, ParametricSurfaceShape, SplinePatchShape>)
          return make_surface(shape, checks);
        else if constexpr (is_one_of<Shape, SphereShape, PlaneShape, BoxShape, CylinderShape, CapsuleShape,
                                     EllipsoidShape, TorusShape, ConeShape, ParaboloidShape, RevolutionShape>)
          return make_surface(shape);
        else
          return refused("type", "a planar shape has no surface in space", "use spatial shapes or a planar model");
      },
      geometry);
}

// A grid over each leaf of the tree: the finer the more it bends.
SurfacePicture surface_picture(const ShapeGeometry& geometry) {
  SurfacePicture picture;
  const SurfaceResult result = make_surface(geometry);
  if (!result.problem.empty()) return picture;
  const SpatialSurface& surface = result.surface;
  for (std::size_t i = 0; i < surface.nodes().size(); ++i) {
    const SurfaceNode& leaf = surface.nodes()[i];
    if (leaf.left >= 0 || (i == 0 && surface.nodes().size() > 1)) continue;  // the root is a copy
    const SurfacePatch& patch = surface.patch(leaf.cell.patch);
    if (patch.dimension() == 2) add_grid(patch, leaf.cell, picture);
  }
  return picture;
}

}  // namespace freeplay::geometry

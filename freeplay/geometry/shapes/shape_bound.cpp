#include "freeplay/geometry/shapes/shape_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/curves/closed_curve.h"
#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/meshes/triangle_mesh.h"
#include "freeplay/geometry/shapes/enclosing_ball.h"
#include "freeplay/geometry/surfaces/shape_surface.h"

namespace freeplay::geometry {

namespace {

using Kind = Bound::Kind;
using BezierPiece = PeriodicSpline::BezierPiece;

Bound ball(const Vec3& centre, double radius) {
  return {Kind::kBall, {centre, radius}};
}

Bound half_space(const Vec3& at, const Vec3& normal) {
  return {Kind::kHalfSpace, {}, at, normal};
}

// Matter of an arc is the sector behind it, down to the centre, which an overlap may reach.
Bound bound_of_full_arc(const ArcShape& arc) {
  const double half_angle = (arc.to - arc.from) / 2, middle = (arc.from + arc.to) / 2;
  const Vec3 out(std::cos(middle), std::sin(middle), 0);
  if (half_angle >= std::numbers::pi / 2) return ball(arc.at_m, arc.radius_m);
  // The ball over the chord of the two ends has the centre of the arc in it from a quarter of a turn on. That of a
  // narrower sector goes through its three corners.
  if (half_angle >= std::numbers::pi / 4)
    return ball(arc.at_m + arc.radius_m * std::cos(half_angle) * out, arc.radius_m * std::sin(half_angle));
  const double radius = arc.radius_m / (2 * std::cos(half_angle));
  return ball(arc.at_m + radius * out, radius);
}

// A point at the distance l from the centre has the gap R - l in the sector of a hollow arc and the distance to an end
// beyond it, which is no smaller. Up to half a turn all matter and the whole arc lie beyond the chord of the two ends,
// too: a point before the chord has a distance from the arc that is at least its own from the chord.
Bound bound_of_hollow_arc(const ArcShape& arc) {
  Bound bound{Kind::kBore, {arc.at_m, arc.radius_m}};
  const double half_angle = (arc.to - arc.from) / 2, middle = (arc.from + arc.to) / 2;
  if (half_angle > std::numbers::pi / 2) return bound;
  const Vec3 out(std::cos(middle), std::sin(middle), 0);
  bound.at_m = arc.at_m + arc.radius_m * std::cos(half_angle) * out;
  bound.normal = -out;
  return bound;
}

// ---- splines ----

struct Halves {
  BezierPiece first, second;
};

Halves halves_of(const BezierPiece& b) {
  const Vec2 p01 = (b[0] + b[1]) / 2, p12 = (b[1] + b[2]) / 2, p23 = (b[2] + b[3]) / 2;
  const Vec2 p012 = (p01 + p12) / 2, p123 = (p12 + p23) / 2, middle = (p012 + p123) / 2;
  return {{b[0], p01, p012, middle}, {middle, p123, p23, b[3]}};
}

// Whether (x - centre) cross x' > 0 all along the piece: seen from the centre it only goes counter-clockwise. That
// product is a polynomial of degree 5, positive if all of its Bernstein coefficients are; halving the piece brings
// these as near to the polynomial as it needs.
bool winds_counter_clockwise(const BezierPiece& b, const Vec2& centre, int halvings, double& angle) {
  constexpr double kCubic[] = {1, 3, 3, 1}, kQuadratic[] = {1, 2, 1};
  double coefficients[6] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      coefficients[i + j] += kCubic[i] * kQuadratic[j] * cross(b[i] - centre, b[j + 1] - b[j]);
  }
  if (std::all_of(std::begin(coefficients), std::end(coefficients), [](double c) { return c > 0; })) {
    const Vec2 from = b[0] - centre, to = b[3] - centre;
    const double turned = std::atan2(cross(from, to), from.dot(to));
    angle += turned < 0 ? turned + 2 * std::numbers::pi : turned;
    return true;
  }
  if (halvings == 0) return false;
  const auto [first, second] = halves_of(b);
  return winds_counter_clockwise(first, centre, halvings - 1, angle) &&
         winds_counter_clockwise(second, centre, halvings - 1, angle);
}

// A curve that goes once around a point without ever turning back, seen from it, crosses itself nowhere and has its
// matter inside. From outside of its ball every nearest point of it is then seen from its outer side.
Bound bound_of_spline(const PeriodicSpline& spline) {
  constexpr int kHalvings = 8;
  std::vector<Vec2> controls;
  const std::vector<BezierPiece> pieces = spline.bezier_pieces();
  for (const BezierPiece& piece : pieces) controls.insert(controls.end(), piece.begin(), piece.end());
  const BoundingSphere around = enclosing_ball(controls);
  double angle = 0;
  for (const BezierPiece& piece : pieces) {
    if (!winds_counter_clockwise(piece, in_plane(around.centre_m), kHalvings, angle)) return {};
  }
  if (angle > 3 * std::numbers::pi) return {};  // a whole number of turns: more than one
  return {Kind::kBall, around};
}

// ---- every shape ----

Bound bound_of_shape(const PointShape& s) {
  return ball(s.at_m, 0);
}
Bound bound_of_shape(const LineShape& s) {
  return half_space(s.at_m, s.normal);
}
Bound bound_of_shape(const CircleShape& s) {
  return ball(s.at_m, s.radius_m);
}
Bound bound_of_shape(const ArcShape& s) {
  return s.hollow ? bound_of_hollow_arc(s) : bound_of_full_arc(s);
}
Bound bound_of_shape(const PolygonShape& s) {
  std::vector<Vec2> corners;
  for (const Vec3& corner : s.vertices_m) corners.push_back(in_plane(corner));
  return {Kind::kBall, enclosing_ball(corners)};
}
Bound bound_of_shape(const EllipseShape& s) {
  return ball(s.at_m, std::max(s.semi_axis_x_m, s.semi_axis_y_m));
}
// Of what is only known as a contour: the circle around all of it.
template <class Shape>
Bound bound_of_contour(const Shape& s) {
  const ContourResult result = make_contour(s);
  if (!result.problem.empty() || !result.contour.is_loop() || result.contour.is_hole()) return {};
  const ContourNode& all = result.contour.nodes().front();
  return ball({all.centre.x(), all.centre.y(), 0}, all.radius_m);
}
Bound bound_of_shape(const SplineShape& s) {
  return s.closed ? bound_of_spline(PeriodicSpline(s.points_m)) : bound_of_contour(s);
}
Bound bound_of_shape(const CamShape& s) {
  return s.lift_m || s.radius_m ? Bound{} : bound_of_spline(PeriodicSpline(s.points_m));
}
Bound bound_of_shape(const EdgeShape& s) {
  return bound_of_contour(s);
}
Bound bound_of_shape(const OutlineShape& s) {
  return bound_of_contour(s);
}
Bound bound_of_shape(const SuperellipseShape& s) {
  return bound_of_contour(s);
}
Bound bound_of_shape(const ParametricShape& s) {
  return bound_of_contour(s);
}
Bound bound_of_shape(const InvoluteShape& s) {
  return bound_of_contour(s);
}
Bound bound_of_shape(const PlaneShape& s) {
  return half_space(s.at_m, s.normal);
}
Bound bound_of_shape(const EllipsoidShape& s) {
  return ball(s.at_m, s.semi_axes_m.maxCoeff());
}
Bound bound_of_shape(const SphereShape& s) {
  return ball(s.at_m, s.radius_m);
}
// Of what is only known as a surface: the ball around all of it.
template <class Shape>
Bound bound_of_surface(const Shape& s) {
  const SurfaceResult result = make_surface(s, SurfaceChecks::kAllButCrossings);
  return result.problem.empty() ? ball(result.surface.centre(), result.surface.size_m()) : Bound{};
}
Bound bound_of_shape(const TorusShape& s) {
  return ball(s.at_m, s.radius_m + s.tube_radius_m);
}
Bound bound_of_shape(const ConeShape& s) {
  return bound_of_surface(s);
}
Bound bound_of_shape(const ParaboloidShape& s) {
  return bound_of_surface(s);
}
Bound bound_of_shape(const RevolutionShape& s) {
  return bound_of_surface(s);
}
Bound bound_of_shape(const ParametricSurfaceShape& s) {
  return bound_of_surface(s);
}
Bound bound_of_shape(const SplinePatchShape& s) {
  return bound_of_surface(s);
}
Bound bound_of_shape(const BoxShape& s) {
  return ball(s.at_m, s.size_m.norm() / 2);
}
Bound bound_of_shape(const CapsuleShape& s) {
  return ball(s.at_m, s.length_m / 2 + s.radius_m);
}
Bound bound_of_shape(const CylinderShape& s) {
  return ball(s.at_m, std::hypot(s.length_m / 2, s.radius_m));
}
// Around the middle of the box that holds the mesh: not the smallest ball, but found in one pass.
Bound bound_of_shape(const MeshShape& s) {
  if (!s.mesh) return {};
  const MeshBox& box = s.mesh->tree().nodes().front().box;
  const Vec3 centre = (box.low + box.high) / 2;
  double radius = 0;
  for (const Vec3& x : s.mesh->vertices()) radius = std::max(radius, (x - centre).norm());
  return ball(centre, radius);
}

// Positions in the world are rounded by half a unit in the last place of what they are added up from, and gap functions
// take a point for one over a face if it is beside it by no more than 64 units (rounding_of).
double rounding_of_placed(const Bound& bound, double body_x, double body_y, double body_z) {
  const double size =
      bound.kind == Kind::kHalfSpace ? 0 : bound.ball.centre_m.lpNorm<1>() + std::abs(bound.ball.radius_m);
  return 128 * std::numeric_limits<double>::epsilon() *
         (std::abs(body_x) + std::abs(body_y) + std::abs(body_z) + size + bound.at_m.lpNorm<1>());
}

// A ball against the other bound; not yet less what rounding amounts to.
double gap_to_ball(const BoundingSphere& ball, const Bound& other) {
  switch (other.kind) {
    case Kind::kBall:
      return (ball.centre_m - other.ball.centre_m).norm() - (other.ball.radius_m + ball.radius_m);
    case Kind::kHalfSpace:
      return other.normal.dot(ball.centre_m - other.at_m) - ball.radius_m;
    case Kind::kBore:
      return std::max(other.ball.radius_m - (ball.centre_m - other.ball.centre_m).norm(),
                      other.normal.dot(ball.centre_m - other.at_m)) -
             ball.radius_m;
    case Kind::kEverywhere:
      break;
  }
  return -std::numeric_limits<double>::infinity();
}

}  // namespace

Bound bound_of(const ShapeGeometry& geometry) {
  return std::visit([](const auto& shape) { return bound_of_shape(shape); }, geometry);
}

// Every place of the shape is at its distance from the point at every angle. A line at the height h over the point,
// counted against its normal, is a bore of that radius around it: normal . (p - at) >= h - |p - about|.
Bound turned_about(const Bound& bound, const Vec3& about_m) {
  const double arm = (bound.ball.centre_m - about_m).norm();
  switch (bound.kind) {
    case Kind::kBall:
      return ball(about_m, bound.ball.radius_m + arm);
    case Kind::kHalfSpace:
      return {Kind::kBore, {about_m, bound.normal.dot(about_m - bound.at_m)}};
    case Kind::kBore:
      return {Kind::kBore, {about_m, bound.ball.radius_m - arm}};
    case Kind::kEverywhere:
      break;
  }
  return {};
}

Bound bound_of(const ShapeSpec& shape) {
  const Bound bound = bound_of(shape.geometry);
  return shape.turn ? turned_about(bound, shape.turn->about_m) : bound;
}

Bound placed(const Bound& bound, const PlanarPlacement& body) {
  const auto point = [&](const Vec3& local) {
    const Vec2 at = body.point(in_plane(local));
    return Vec3(at.x(), at.y(), 0);
  };
  const Vec2 normal = body.direction(in_plane(bound.normal));
  return {bound.kind,
          {point(bound.ball.centre_m), bound.ball.radius_m},
          point(bound.at_m),
          {normal.x(), normal.y(), 0},
          rounding_of_placed(bound, body.x, body.y, 0)};
}

Bound placed(const Bound& bound, const Frame& body) {
  const double rounding = rounding_of_placed(bound, body.p.x(), body.p.y(), body.p.z());
  if (bound.kind == Kind::kBall)
    return {bound.kind, {body.point(bound.ball.centre_m), bound.ball.radius_m}, Vec3::Zero(), Vec3::Zero(), rounding};
  return {bound.kind,
          {body.point(bound.ball.centre_m), bound.ball.radius_m},
          body.point(bound.at_m),
          body.R * bound.normal,
          rounding};
}

double gap_bound(const Bound& a, const Bound& b) {
  constexpr double kNothingKnown = -std::numeric_limits<double>::infinity();
  const double rounding = a.rounding_m + b.rounding_m;
  const double least = a.kind == Kind::kBall   ? gap_to_ball(a.ball, b) - rounding
                       : b.kind == Kind::kBall ? gap_to_ball(b.ball, a) - rounding
                                               : kNothingKnown;
  return least > 0 ? least : kNothingKnown;
}

}  // namespace freeplay::geometry

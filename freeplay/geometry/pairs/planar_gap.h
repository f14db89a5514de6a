// Gap functions of planar shapes: how far apart two shapes are, where, and in which direction.
//
// A pair of shapes gives a fixed number of contact points (a polygon on a line: one per corner). For every point:
// g > 0 apart, g < 0 penetrating; n is the unit outward normal of shape B, it points from B to A; t is n turned by
// -90 degrees, so that on a floor with n = +y the tangent is +x. The gap's rate is n . (v_A - v_B), v the velocities
// of the material points at point_a and point_b.
//
// A cam that is given by its lift law has a gap along the ray instead; n is then the gradient of that gap, longer than
// 1, t has the same length, and both contact points are the follower's (planar_gap_cam.cpp).
//
// Pairs of simple shapes have gap functions of their own, with one contact point, except for polygons: a convex one has
// against a line a point per corner, in its order; against a convex polygon one per corner of A, then one per corner of
// B. All other pairs are contours (contours/contour_gap.h), with as many points as they can have contacts near each
// other; these points follow their contacts. Swapping the shapes swaps the points and negates n and t. Where no
// direction is defined (coincident centres, a point exactly on a sharp end) n is a unit placeholder. Gaps are exact to
// rounding, without tolerance or margin, and continuous except where the lift of a cam drops under a roller.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "freeplay/geometry/pairs/planar_rates.h"
#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/math/recording/recorded.h"
#include "freeplay/math/types.h"

namespace freeplay::geometry {

// Where a body is: x -> (x0, y0) + R(angle) x. Cosine and sine come from the kinematics.
template <class S>
struct PlacementOf {
  using Vector2 = Eigen::Matrix<S, 2, 1>;
  S cos = 1, sin = 0;
  S x = 0, y = 0;

  Vector2 point(const Vec2& local) const {
    return {x + cos * local.x() - sin * local.y(), y + sin * local.x() + cos * local.y()};
  }
  Vector2 direction(const Vec2& local) const {
    return {cos * local.x() - sin * local.y(), sin * local.x() + cos * local.y()};
  }
  // The same of what is no constant of the shape.
  Vector2 point(const Vector2& local) const requires(!std::is_same_v<S, double>) {
    return {x + cos * local.x() - sin * local.y(), y + sin * local.x() + cos * local.y()};
  }
  Vector2 direction(const Vector2& local) const requires(!std::is_same_v<S, double>) {
    return {cos * local.x() - sin * local.y(), sin * local.x() + cos * local.y()};
  }
};
using PlanarPlacement = PlacementOf<double>;
using RecordedPlacement = PlacementOf<Recorded>;

template <class S>
struct ContactPointOf {
  using Vector2 = Eigen::Matrix<S, 2, 1>;
  S gap = 0;
  Vector2 point_a = Vector2::Zero(), point_b = Vector2::Zero();  // world; material points of the two bodies
  Vector2 normal = Vector2::UnitY();                             // from B to A
  Vector2 tangent = Vector2::UnitX();
  double curvature_a = 0, curvature_b = 0;  // of the outlines, positive where convex; infinite at a corner
  bool is_centred = false;                  // round parts about one centre: the normal is a placeholder
};

using RecordedContactPoint = ContactPointOf<Recorded>;

// t = n turned by -90 degrees.
inline Vec2 tangent_of(const Vec2& n) {
  return {n.y(), -n.x()};
}
template <class S>
Eigen::Matrix<S, 2, 1> tangent_of(const Eigen::Matrix<S, 2, 1>& n) {
  return {n.y(), -n.x()};
}

// The gap function of one pair. Frozen; evaluation allocates nothing.
class PlanarGap {
 public:
  virtual ~PlanarGap() = default;
  virtual int point_count() const = 0;
  // a, b: placements of the bodies that carry the shapes. `points` has point_count() entries.
  virtual void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                        std::span<PlanarContactPoint> points) const = 0;
  // Whether contacts come and go in its points: follow() must be told which contact each point has had.
  virtual bool follows_contacts() const { return false; }
  // Of such a pair. `before`: per point the feature of the contact that it has had, 0 for none; `now`: of the one that
  // it has now. A contact stays in its point, a new one goes to the first that is free; a point without contact has an
  // infinite gap. True if there are closed contacts that no point was left for: the deepest have been kept.
  virtual bool follow(const PlanarPlacement& a, const PlanarPlacement& b, std::span<const std::uint64_t> /*before*/,
                      std::span<PlanarContactPoint> points, std::span<std::uint64_t> /*now*/) const {
    evaluate(a, b, points);
    return false;
  }
  // The same as evaluate(), by the same text, with numbers that record it. False: the pair looks for its contact in a
  // way that depends on where the bodies are, and cannot be recorded.
  virtual bool record(const RecordedPlacement& /*a*/, const RecordedPlacement& /*b*/,
                      std::span<RecordedContactPoint> /*points*/) const {
    return false;
  }
  // First and second order of a point that evaluate() or follow() gave at these placements, with the motions of what
  // carries the shapes.
  virtual PlanarRates rates(const PlanarPlacement& /*a*/, const PlanarPlacement& /*b*/, const PlanarContactPoint& point,
                            const PlanarBodyMotion& motion_a, const PlanarBodyMotion& motion_b) const {
    return planar_rates(point, motion_a, motion_b);
  }
  // Of a point that can be centred: the distance from the surface of A to its centre, along the normal.
  virtual double to_centre() const { return 0; }
  // Of a pair that follows contacts: those with larger gaps may be left out, so that where there is none at all no gap
  // is smaller.
  virtual double reach_m() const { return std::numeric_limits<double>::infinity(); }
};

// Shapes in either order.
PairProblem planar_pair_problem(const ShapeGeometry& a, const ShapeGeometry& b);

// Whether the gap function of the pair is that of two contours, whose points follow contacts that come and go.
bool are_contours(const ShapeGeometry& a, const ShapeGeometry& b);

// Requires planar_pair_problem(a, b).empty(). `a` and `b` keep their roles whatever their order in the table of pairs.
// `points`: how many a pair of contours has; 0: what its shapes suggest. Of other pairs the number is fixed.
std::unique_ptr<const PlanarGap> make_planar_gap(const ShapeGeometry& a, const ShapeGeometry& b, int points = 0);

}  // namespace freeplay::geometry

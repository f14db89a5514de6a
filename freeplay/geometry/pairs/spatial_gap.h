// Gap functions of spatial shapes: how far apart two shapes are, where, and in which direction.
//
// A pair of shapes gives a fixed number of contact points; one that a pair does not need at a position has the gap
// infinity. For every point: g > 0 apart, g < 0 penetrating; n is the unit outward normal of shape B, it points from B
// to A. The gap's rate is n . (v_A - v_B), v the velocities of the material points at point_a and point_b.
//
// Two tangents t and n x t span the plane in which friction acts. Gaps are exact to rounding, without tolerance or
// margin. Near features count as well as the nearest one (the four corners of a box above a plane, both ends of a
// capsule), with their positive gaps, so that a step can see them coming.
//
// The smallest gap of shapes that are apart is their distance. Contact points, with A and B in this order of the pair:
//   sphere and any shape     1
//   ellipsoid and plane      1
//   ellipsoid and ellipsoid  1
//   box and plane            8: its corners, x fastest
//   capsule and plane        2: its ends, against the axis and along it (in this order everywhere)
//   cylinder and plane       2 x 4: per end the lowest point of the rim, three points of the rim fixed in the body
//   capsule and capsule      2 ends of A, 2 ends of B, 1 where the axes cross
//   capsule and cylinder     2 ends of A, 1 where the axes cross, per end of B 2 where A lies across its rim
//   capsule and box          2 ends of A, 8 corners of B, 2 where the axis crosses edges, 1 nearest edge otherwise
//   cylinder and box         2 x 4 as on a plane, 8 corners of B, 2 where A's side and 8 where its rims cross edges,
//                            1 nearest features otherwise
//   cylinder and cylinder    4 of A's end on B's, 4 of B's end on A's, 1 where the sides cross, 2 rims of A on B's
//   side,
//                            2 rims of B on A's side, 2 where rims cross, 1 nearest features otherwise
//   mesh and any shape       kMeshPoints, or as many as asked for: its contacts come and go in them (meshes/mesh_gap.h)
//   box and box              of the faces that face each other 4 corners of A, 4 corners of B, 4 x 2 where the edges of
//                            A cross those of B, 1 nearest features otherwise
//   all other pairs          surfaces (surfaces/surface_gap.h): 6 or 8, which follow contacts that come and go
// Swapping the shapes swaps the points and negates n and t; the order of the pair decides the order of the points.
// The gap of a point is smooth until it goes out of use; then its neighbours hold what it held.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "freeplay/geometry/pairs/bend.h"
#include "freeplay/geometry/pairs/spatial_rates.h"
#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/math/frame.h"

namespace freeplay::geometry {

struct SpatialContactPoint {
  double gap = 0;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // world; material points of the two bodies
  Vec3 normal = Vec3::UnitZ();                          // from B to A
  Vec3 tangent = Vec3::UnitX();                         // unit, perpendicular to the normal
  Bend bend_a{}, bend_b{};                              // of the surfaces, world
  // Concentric parts have no direction. The normal is then a placeholder: any one perpendicular to the tangent, or any.
  enum class Normal : std::uint8_t { kDefined, kAboutTangent, kAny } normal_is = Normal::kDefined;

  Vec3 second_tangent() const { return normal.cross(tangent); }
};

// A tangent for a normal that comes without one. It jumps where n.z changes its sign (Duff et al. 2017).
inline Vec3 tangent_to(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z());
  const double a = -1 / (sign + n.z());
  return {1 + sign * a * n.x() * n.x(), sign * a * n.x() * n.y(), -sign * n.x()};
}

// The gap function of one pair. Frozen; evaluation allocates nothing.
class SpatialGap {
 public:
  virtual ~SpatialGap() = default;
  virtual int point_count() const = 0;
  // a, b: where the bodies that carry the shapes are. `points` has point_count() entries.
  virtual void evaluate(const Frame& a, const Frame& b, std::span<SpatialContactPoint> points) const = 0;

  // As PlanarGap::follows_contacts() and follow(): for pairs whose contacts come and go in their points.
  virtual bool follows_contacts() const { return false; }
  virtual bool follow(const Frame& a, const Frame& b, std::span<const std::uint64_t> /*before*/,
                      std::span<SpatialContactPoint> points, std::span<std::uint64_t> /*now*/) const {
    evaluate(a, b, points);
    return false;
  }

  // First and second order of a point that evaluate() or follow() gave at these places, with the motions of what
  // carries the shapes.
  virtual SpatialRates rates(const Frame& /*a*/, const Frame& /*b*/, const SpatialContactPoint& point,
                             const SpatialBodyMotion& motion_a, const SpatialBodyMotion& motion_b) const {
    return spatial_rates(point, motion_a, motion_b);
  }

  // Round play: the centre of part A, at point_a + to_centre n, can be anywhere in a disc of this radius around the
  // tangent, or in a ball. Clearance 0: the point is not round.
  struct Round {
    double clearance = 0;
    double to_centre = 0;
    bool is_ball = false;
  };
  virtual Round round(int) const { return {}; }

  // As PlanarGap::reach_m().
  virtual double reach_m() const { return std::numeric_limits<double>::infinity(); }
  // Whether contacts that are deeper than the reach are told as well.
  virtual bool tells_deep() const { return true; }
};

// Shapes in either order.
PairProblem spatial_pair_problem(const ShapeGeometry& a, const ShapeGeometry& b);

// Whether contacts of the pair come and go in its points, so that their number can be chosen.
bool spatial_points_are_free(const ShapeGeometry& a, const ShapeGeometry& b);

// Requires spatial_pair_problem(a, b).empty(). `points`: how many contacts the pair tells apart, where that is free; 0:
// the default.
std::unique_ptr<const SpatialGap> make_spatial_gap(const ShapeGeometry& a, const ShapeGeometry& b, int points = 0);

}  // namespace freeplay::geometry

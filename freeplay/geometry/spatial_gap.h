// Gap functions of spatial shapes: how far apart two shapes are, where, and in which direction.
//
// A pair of shapes gives a fixed number of contact points; one that a pair does not need at a position has the gap
// infinity. For every point: g > 0 apart, g < 0 penetrating; n is the unit outward normal of shape B, it points from B
// to A. The gap's rate is n . (v_A - v_B), v the velocities of the material points at point_a and point_b.
//
// Two tangents t and n x t span the plane in which friction acts. Gaps are exact to rounding, without tolerance or
// margin. Near features count as well as the nearest one (the four corners of a box above a plane, both ends of a
// capsule), with their positive gaps, so that a step can see them coming.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "freeplay/geometry/shape_spec.h"
#include "freeplay/math/frame.h"

namespace freeplay {

struct SpatialContactPoint {
  double gap = 0;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // world; material points of the two bodies
  Vec3 normal = Vec3::UnitZ();                          // from B to A
  Vec3 tangent = Vec3::UnitX();                         // unit, perpendicular to the normal
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

  // Round play: the centre of part A, at point_a + to_centre n, can be anywhere in a disc of this radius around the
  // tangent, or in a ball. Clearance 0: the point is not round.
  struct Round {
    double clearance = 0;
    double to_centre = 0;
    bool is_ball = false;
  };
  virtual Round round(int) const { return {}; }
};

// Shapes in either order.
PairProblem spatial_pair_problem(const ShapeGeometry& a, const ShapeGeometry& b);

// Requires spatial_pair_problem(a, b).empty().
std::unique_ptr<const SpatialGap> make_spatial_gap(const ShapeGeometry& a, const ShapeGeometry& b);

}  // namespace freeplay

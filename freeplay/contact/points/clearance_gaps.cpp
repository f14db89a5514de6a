#include "freeplay/contact/points/clearance_gaps.h"

#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::contact {

namespace {

constexpr double kConcentric = 1e-9;  // of the clearance

Vec2 planar(const Vec3& v) {
  return {v.x(), v.y()};
}

}  // namespace

PrismaticPlay::PrismaticPlay(const Frame& on_child, const Frame& on_parent, double length_m, double width_m,
                             double clearance_m)
    : at_parent_(planar(on_parent.p)),
      along_(planar(on_parent.R.col(0))),
      across_(planar(on_parent.R.col(1))),
      half_height_(width_m / 2 + clearance_m) {
  const double a = length_m / 2, b = width_m / 2;
  const double local[4][2] = {{-a, +b}, {+a, +b}, {-a, -b}, {+a, -b}};
  for (std::size_t i = 0; i < 4; ++i) {
    corners_[i] = planar(on_child.p + on_child.R * Vec3(local[i][0], local[i][1], 0));
  }
}

void PrismaticPlay::evaluate(const PlanarPlacement& child, const PlanarPlacement& parent,
                             std::span<PlanarContactPoint> points) const {
  const Vec2 origin = parent.point(at_parent_);
  const Vec2 along = parent.direction(along_), across = parent.direction(across_);
  for (std::size_t i = 0; i < 4; ++i) {
    const double side = i < 2 ? 1 : -1;
    PlanarContactPoint& point = points[i];
    point.point_a = child.point(corners_[i]);
    const double y = across.dot(point.point_a - origin);
    // Flores 2010, eqs (98), (100), (102), (104) for a guide along x: g = d/2 -+ y of the corner, d = 2 (b + c).
    point.gap = half_height_ - side * y;
    point.normal = -side * across;
    point.tangent = along;
    point.curvature_a = kCorner;
    point.curvature_b = 0;
    point.point_b = point.point_a - point.gap * point.normal;
  }
}

RevolutePlay::RevolutePlay(const Vec2& at_child, const Vec2& at_parent, double clearance_m, double journal_radius_m)
    : at_child_(at_child), at_parent_(at_parent), clearance_(clearance_m), journal_radius_(journal_radius_m) {}

void RevolutePlay::evaluate(const PlanarPlacement& child, const PlanarPlacement& parent,
                            std::span<PlanarContactPoint> points) const {
  const Vec2 journal = child.point(at_child_);
  const Vec2 e = journal - parent.point(at_parent_);
  const double eccentricity = e.norm();
  PlanarContactPoint& point = points[0];
  // |e| = 0: the direction is undefined, but the contact is open by the whole clearance; n is a placeholder.
  point.is_centred = eccentricity <= kConcentric * clearance_;
  const Vec2 outward = eccentricity > 0 ? Vec2(e / eccentricity) : Vec2(Vec2::UnitX());
  point.gap = clearance_ - eccentricity;
  point.normal = -outward;
  point.tangent = tangent_of(point.normal);
  point.curvature_a = curvature_of_circle(journal_radius_);
  point.curvature_b = -1 / (journal_radius_ + clearance_);
  point.point_a = journal + journal_radius_ * outward;
  point.point_b = point.point_a + point.gap * outward;
}

}  // namespace freeplay::contact

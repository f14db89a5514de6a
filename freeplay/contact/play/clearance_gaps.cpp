#include "freeplay/contact/play/clearance_gaps.h"

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

template <class S>
void PrismaticPlay::find(const PlacementOf<S>& child, const PlacementOf<S>& parent,
                         std::span<ContactPointOf<S>> points) const {
  const Vector2Of<S> origin = parent.point(at_parent_);
  const Vector2Of<S> along = parent.direction(along_), across = parent.direction(across_);
  for (std::size_t i = 0; i < 4; ++i) {
    const double side = i < 2 ? 1 : -1;
    ContactPointOf<S>& point = points[i];
    point.point_a = child.point(corners_[i]);
    const S y = across.dot(point.point_a - origin);
    // Flores 2010, eqs (98), (100), (102), (104) for a guide along x: g = d/2 -+ y of the corner, d = 2 (b + c).
    point.gap = half_height_ - side * y;
    point.normal = -side * across;
    point.tangent = along;
    point.curvature_a = kCorner;
    point.curvature_b = 0;
    point.point_b = point.point_a - point.gap * point.normal;
  }
}

void PrismaticPlay::evaluate(const PlanarPlacement& child, const PlanarPlacement& parent,
                             std::span<PlanarContactPoint> points) const {
  find(child, parent, points);
}

bool PrismaticPlay::record(const RecordedPlacement& child, const RecordedPlacement& parent,
                           std::span<RecordedContactPoint> points) const {
  find(child, parent, points);
  return true;
}

RevolutePlay::RevolutePlay(const Vec2& at_child, const Vec2& at_parent, double clearance_m, double journal_radius_m)
    : at_child_(at_child), at_parent_(at_parent), clearance_(clearance_m), journal_radius_(journal_radius_m) {}

template <class S>
void RevolutePlay::find(const PlacementOf<S>& child, const PlacementOf<S>& parent, ContactPointOf<S>& point) const {
  const Vector2Of<S> journal = child.point(at_child_);
  const Vector2Of<S> e = journal - parent.point(at_parent_);
  const S eccentricity = e.norm();
  // |e| = 0: the direction is undefined, but the contact is open by the whole clearance; n is a placeholder.
  if constexpr (std::is_same_v<S, double>) point.is_centred = eccentricity <= kConcentric * clearance_;
  const Vector2Of<S> outward = direction_or_x(e, eccentricity);
  point.gap = clearance_ - eccentricity;
  point.normal = -outward;
  point.tangent = tangent_of(point.normal);
  point.curvature_a = curvature_of_circle(journal_radius_);
  point.curvature_b = -1 / (journal_radius_ + clearance_);
  point.point_a = journal + journal_radius_ * outward;
  point.point_b = point.point_a + point.gap * outward;
}

void RevolutePlay::evaluate(const PlanarPlacement& child, const PlanarPlacement& parent,
                            std::span<PlanarContactPoint> points) const {
  find(child, parent, points[0]);
}

bool RevolutePlay::record(const RecordedPlacement& child, const RecordedPlacement& parent,
                          std::span<RecordedContactPoint> points) const {
  find(child, parent, points[0]);
  return true;
}

}  // namespace freeplay::contact

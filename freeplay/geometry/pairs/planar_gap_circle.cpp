// A circle against anything is the signed distance of its centre minus its radius.
#include <type_traits>
#include <utility>

#include "freeplay/geometry/curves/contour.h"
#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/pairs/planar_gap_families.h"

namespace freeplay::geometry {

namespace {

class CircleLineGap final : public PlanarGap {
 public:
  CircleLineGap(const CircleShape& a, const LineShape& b)
      : centre_(in_plane(a.at_m)), radius_(a.radius_m), at_(in_plane(b.at_m)), normal_(in_plane(b.normal)) {}

  int point_count() const override { return 1; }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    find(a, b, points);
  }
  bool record(const RecordedPlacement& a, const RecordedPlacement& b,
              std::span<RecordedContactPoint> points) const override {
    find(a, b, points);
    return true;
  }

 private:
  template <class S>
  void find(const PlacementOf<S>& a, const PlacementOf<S>& b, std::span<ContactPointOf<S>> points) const {
    const HalfPlaneSeen<S> line(at_, normal_, a, b);
    const S gap = line.gap(centre_) - radius_;
    const Vector2Of<S> point_a = a.point(centre_) - radius_ * line.normal;
    set_contact(points[0], gap, point_a, point_a - gap * line.normal, line.normal, {curvature_of_circle(radius_), 0});
  }

  Vec2 centre_;
  double radius_;
  Vec2 at_, normal_;
};

template <class Outline>
class CircleOutlineGap final : public PlanarGap {
 public:
  CircleOutlineGap(const CircleShape& a, Outline b)
      : centre_(in_plane(a.at_m)), radius_(a.radius_m), outline_(std::move(b)) {}

  int point_count() const override { return 1; }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    find(a, b, points);
  }
  bool record(const RecordedPlacement& a, const RecordedPlacement& b,
              std::span<RecordedContactPoint> points) const override {
    if constexpr (std::is_same_v<Outline, Contour>) {
      return PlanarGap::record(a, b, points);
    } else {
      find(a, b, points);
      return true;
    }
  }

 private:
  template <class S>
  void find(const PlacementOf<S>& a, const PlacementOf<S>& b, std::span<ContactPointOf<S>> points) const {
    const Vector2Of<S> arm = a.direction(centre_);
    const SignedDistanceOf<S> s = outline_.distance(seen_from(b, a, arm));
    const Vector2Of<S> n = b.direction(s.normal);
    set_contact(points[0], s.gap - radius_, Vector2Of<S>(a.x, a.y) + arm - radius_ * n, b.point(s.foot), n,
                {curvature_of_circle(radius_), s.curvature});
  }

  Vec2 centre_;
  double radius_;
  Outline outline_;
};

}  // namespace

PlanarGapPtr make_gap(const CircleShape& a, const LineShape& b) {
  return std::make_unique<CircleLineGap>(a, b);
}

PlanarGapPtr make_gap(const CircleShape& a, const CircleShape& b) {
  return std::make_unique<CircleOutlineGap<CircleOutline>>(a, CircleOutline(b));
}

PlanarGapPtr make_gap(const CircleShape& a, const PolygonShape& b) {
  return std::make_unique<CircleOutlineGap<ConvexOutline>>(a, ConvexOutline(b));
}

PlanarGapPtr make_gap(const CircleShape& a, const SplineShape& b) {
  return std::make_unique<CircleOutlineGap<Contour>>(a, Contour(curve_of(b)));
}

PlanarGapPtr make_gap(const CircleShape& a, const CamShape& b) {
  if (b.lift_m) return make_cam_lift_gap(a, b);
  return std::make_unique<CircleOutlineGap<Contour>>(a, Contour(curve_of(b)));
}

}  // namespace freeplay::geometry

// Arcs against lines and arcs. Against a circle an arc is an outline like any other: planar_gap_circle.cpp.
#include <limits>

#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/pairs/planar_gap_families.h"

namespace freeplay::geometry {

namespace {

class ArcLineGap final : public PlanarGap {
 public:
  ArcLineGap(const ArcShape& a, const LineShape& b) : arc_(a), at_(in_plane(b.at_m)), normal_(in_plane(b.normal)) {}

  int point_count() const override { return 1; }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    const HalfPlaneSeen line(at_, normal_, a, b);
    double gap = line.gap(arc_.centre());
    Vec2 point_a = a.point(arc_.centre());
    if (arc_.in_range(-line.normal_a)) {
      gap -= arc_.radius();
      point_a -= arc_.radius() * line.normal;
    } else {
      const double from = line.normal_a.dot(arc_.from_end()), to = line.normal_a.dot(arc_.to_end());
      gap += from < to ? from : to;
      point_a += a.direction(from < to ? arc_.from_end() : arc_.to_end());
    }
    set_contact(points[0], gap, point_a, point_a - gap * line.normal, line.normal);
  }

 private:
  ArcOutline arc_;
  Vec2 at_, normal_;
};

// Two arcs touch along the line of their centres, if both of them reach it, or else with an end of one of them. Of
// these five candidates the smallest gap is the gap. The first goes over into one of the others continuously; only an
// end that passes behind the other arc's end jumps, as every point does there (ArcOutline).
class ArcArcGap final : public PlanarGap {
 public:
  ArcArcGap(const ArcShape& a, const ArcShape& b) : a_(a), b_(b) {}

  int point_count() const override { return 1; }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    PlanarContactPoint& best = points[0];
    best.gap = std::numeric_limits<double>::infinity();
    for (const Vec2& end : {a_.from_end(), a_.to_end()}) {
      const Vec2 arm = a.direction(a_.centre() + end);
      const SignedDistance s = b_.distance(seen_from(b, a, arm));
      if (s.gap < best.gap) {
        set_contact(best, s.gap, Vec2(a.x, a.y) + arm, b.point(s.foot), b.direction(s.normal));
      }
    }
    for (const Vec2& end : {b_.from_end(), b_.to_end()}) {
      const Vec2 arm = b.direction(b_.centre() + end);
      const SignedDistance s = a_.distance(seen_from(a, b, arm));
      if (s.gap < best.gap) {
        set_contact(best, s.gap, a.point(s.foot), Vec2(b.x, b.y) + arm, -a.direction(s.normal));
      }
    }
    try_line_of_centres(a, b, best);
  }

 private:
  void try_line_of_centres(const PlanarPlacement& a, const PlanarPlacement& b, PlanarContactPoint& best) const {
    const Vec2 arm_a = a.direction(a_.centre()), arm_b = b.direction(b_.centre());
    const Vec2 centres(a.x - b.x + (arm_a.x() - arm_b.x()), a.y - b.y + (arm_a.y() - arm_b.y()));
    const double distance = centres.norm();
    // Concentric arcs have no line of centres. A bore and what fits into it then touch all along; an end is as near.
    if (!(distance > 0)) return;
    const Vec2 u = centres / distance;
    // Outward normals oppose each other at a contact. Seen from its own centre, each arc is touched towards the other
    // centre if neither is hollow; a hollow arc and the one inside of it are touched on the same side.
    const double side_a = b_.hollow() ? 1 : -1, side_b = a_.hollow() ? -1 : 1;
    if (!a_.in_range(local_direction(a, side_a * u)) || !b_.in_range(local_direction(b, side_b * u))) return;
    const double gap = a_.hollow()   ? a_.radius() - distance - b_.radius()
                       : b_.hollow() ? b_.radius() - distance - a_.radius()
                                     : distance - a_.radius() - b_.radius();
    if (gap < best.gap) {
      const Vec2 n = a_.hollow() || b_.hollow() ? Vec2(-u) : u;
      set_contact(best, gap, Vec2(a.x, a.y) + arm_a + side_a * a_.radius() * u,
                  Vec2(b.x, b.y) + arm_b + side_b * b_.radius() * u, n);
    }
  }

  ArcOutline a_, b_;
};

}  // namespace

PlanarGapPtr make_gap(const ArcShape& a, const LineShape& b) {
  return std::make_unique<ArcLineGap>(a, b);
}

PlanarGapPtr make_gap(const ArcShape& a, const ArcShape& b) {
  return std::make_unique<ArcArcGap>(a, b);
}

}  // namespace freeplay::geometry

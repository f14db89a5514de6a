// Polygons touch with their corners. Every corner is a contact point of its own, with a gap that is continuous however
// the bodies move: a box that rests on a face has two closed points and cannot tip, and no point jumps from one corner
// to another as a single deepest point would.
#include "freeplay/geometry/planar_gap_families.h"
#include "freeplay/geometry/planar_outline.h"

namespace freeplay {

namespace {

class PolygonLineGap final : public PlanarGap {
 public:
  PolygonLineGap(const PolygonShape& a, const LineShape& b) : at_(in_plane(b.at_m)), normal_(in_plane(b.normal)) {
    corners_.reserve(a.vertices_m.size());
    for (const Vec3& corner : a.vertices_m) corners_.push_back(in_plane(corner));
  }

  int point_count() const override { return static_cast<int>(corners_.size()); }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    const HalfPlaneSeen line(at_, normal_, a, b);
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const double gap = line.gap(corners_[i]);
      const Vec2 corner = a.point(corners_[i]);
      set_contact(points[i], gap, corner, corner - gap * line.normal, line.normal);
    }
  }

 private:
  std::vector<Vec2> corners_;
  Vec2 at_, normal_;
};

// The corners of A against B, then the corners of B against A. Two convex polygons that approach each other always meet
// with a corner of one of them first. What corners cannot see is a deep overlap without any corner inside, two bars
// that cross like a plus: bodies that touch do not get there.
class PolygonPolygonGap final : public PlanarGap {
 public:
  PolygonPolygonGap(const PolygonShape& a, const PolygonShape& b) : a_(a), b_(b) {}

  int point_count() const override { return a_.corner_count() + b_.corner_count(); }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    auto contact = points.begin();
    for (int i = 0; i < a_.corner_count(); ++i, ++contact) {
      const Vec2 arm = a.direction(a_.corner(i));
      const SignedDistance s = b_.distance(seen_from(b, a, arm));
      set_contact(*contact, s.gap, Vec2(a.x, a.y) + arm, b.point(s.foot), b.direction(s.normal));
    }
    for (int i = 0; i < b_.corner_count(); ++i, ++contact) {
      const Vec2 arm = b.direction(b_.corner(i));
      const SignedDistance s = a_.distance(seen_from(a, b, arm));
      set_contact(*contact, s.gap, a.point(s.foot), Vec2(b.x, b.y) + arm, -a.direction(s.normal));
    }
  }

 private:
  ConvexOutline a_, b_;
};

}  // namespace

PlanarGapPtr make_gap(const PolygonShape& a, const LineShape& b) {
  return std::make_unique<PolygonLineGap>(a, b);
}

PlanarGapPtr make_gap(const PolygonShape& a, const PolygonShape& b) {
  return std::make_unique<PolygonPolygonGap>(a, b);
}

}  // namespace freeplay

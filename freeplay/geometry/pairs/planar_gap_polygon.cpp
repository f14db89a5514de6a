// Polygons touch with their corners. Every corner is a contact point of its own, with a gap that is continuous however
// the bodies move: a box that rests on a face has two closed points and cannot tip, and no point jumps from one corner
// to another as a single deepest point would.
#include <algorithm>

#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/pairs/planar_gap_families.h"

namespace freeplay::geometry {

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
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const S gap = line.gap(corners_[i]);
      const Vector2Of<S> corner = a.point(corners_[i]);
      set_contact(points[i], gap, corner, corner - gap * line.normal, line.normal, {kCorner, 0});
    }
  }

  std::vector<Vec2> corners_;
  Vec2 at_, normal_;
};

// The corners of A against B, then the corners of B against A. Two convex polygons that approach each other always meet
// with a corner of one of them first. What corners cannot see is a deep overlap without any corner inside, two bars
// that cross like a plus: bodies that touch do not get there.
//
// A corner outside has its distance. A corner that has entered is pushed back through the edge that the two polygons
// face each other with, not through the edge nearest to it: of two boxes of the same height that collide, the corners
// lie on each other's upper and lower edges all the time, and the nearest edge would let the boxes pass through each
// other. The gap of a corner that enters beside that edge jumps by no more than the depth of the overlap.
//
// The same holds for a corner on a corner, where stones lie on each other end on end: whether it is outside, and in
// which direction, is decided by rounding. Nearer than kOnCorner it has its height over the edge that it faces.
class PolygonPolygonGap final : public PlanarGap {
 public:
  PolygonPolygonGap(const PolygonShape& a, const PolygonShape& b)
      : a_(a), b_(b), on_corner_m_(kOnCorner * (size_of(a) + size_of(b))) {}

  int point_count() const override { return a_.corner_count() + b_.corner_count(); }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    auto contact = points.begin();
    corners_against(a_, a, b_, b, on_corner_m_, [&](const Vec2& corner, const SignedDistance& s) {
      set_contact(*contact++, s.gap, corner, b.point(s.foot), b.direction(s.normal), {kCorner, s.curvature});
    });
    corners_against(b_, b, a_, a, on_corner_m_, [&](const Vec2& corner, const SignedDistance& s) {
      set_contact(*contact++, s.gap, a.point(s.foot), corner, -a.direction(s.normal), {s.curvature, kCorner});
    });
  }
  bool record(const RecordedPlacement& a, const RecordedPlacement& b,
              std::span<RecordedContactPoint> points) const override {
    using Corner = Vector2Of<Recorded>;
    using Distance = SignedDistanceOf<Recorded>;
    auto contact = points.begin();
    record_corners(a_, a, b_, b, on_corner_m_, [&](const Corner& corner, const Distance& s) {
      set_contact(*contact++, s.gap, corner, b.point(s.foot), b.direction(s.normal), {kCorner, 0});
    });
    record_corners(b_, b, a_, a, on_corner_m_, [&](const Corner& corner, const Distance& s) {
      set_contact(*contact++, s.gap, a.point(s.foot), corner, -a.direction(s.normal), {0, kCorner});
    });
    return true;
  }

 private:
  // Calls use(corner in the world, its distance to the other outline) for every corner.
  template <class Use>
  static void corners_against(const ConvexOutline& outline, const PlanarPlacement& at, const ConvexOutline& other,
                              const PlanarPlacement& other_at, double on_corner_m, Use use) {
    const auto seen_corner = [&](int i) { return seen_from(other_at, at, at.direction(outline.corner(i))); };
    int facing = -1;
    for (int i = 0; i < outline.corner_count(); ++i) {
      const Vec2 corner = seen_corner(i);
      SignedDistance s = other.distance(corner);
      if (s.gap <= on_corner_m) {
        if (facing < 0) facing = other.facing_edge(outline.corner_count(), seen_corner);
        s = other.height(facing, corner);
      }
      use(Vec2(at.x, at.y) + at.direction(outline.corner(i)), s);
    }
  }

  // As corners_against(), with the edge that faces found in any case.
  template <class Use>
  static void record_corners(const ConvexOutline& outline, const RecordedPlacement& at, const ConvexOutline& other,
                             const RecordedPlacement& other_at, double on_corner_m, Use use) {
    std::vector<Vector2Of<Recorded>> arms, seen;
    for (int i = 0; i < outline.corner_count(); ++i) {
      arms.push_back(at.direction(outline.corner(i)));
      seen.push_back(seen_from(other_at, at, arms.back()));
    }
    const ConvexOutline::RecordedEdge facing = other.facing_edge(seen);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const SignedDistanceOf<Recorded> outside = other.distance(seen[i]);
      const Recorded is_apart = outside.gap - on_corner_m;
      use(Vector2Of<Recorded>(Vector2Of<Recorded>(at.x, at.y) + arms[i]),
          chosen_by(is_apart, outside, facing.height(seen[i])));
    }
  }

  static constexpr double kOnCorner = 1e-9;  // of both sizes

  static double size_of(const PolygonShape& polygon) {
    double size = 0;
    for (const Vec3& corner : polygon.vertices_m) size = std::max(size, (corner - polygon.vertices_m.front()).norm());
    return size;
  }

  ConvexOutline a_, b_;
  double on_corner_m_;
};

}  // namespace

PlanarGapPtr make_gap(const PolygonShape& a, const LineShape& b) {
  return std::make_unique<PolygonLineGap>(a, b);
}

PlanarGapPtr make_gap(const PolygonShape& a, const PolygonShape& b) {
  return std::make_unique<PolygonPolygonGap>(a, b);
}

}  // namespace freeplay::geometry

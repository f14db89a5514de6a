// The search behind SurfacePair::find: closed forms, and trees of bounds with Newton's method at their leaves.
#pragma once

#include <span>

#include "freeplay/geometry/surfaces/patches/patch_meeting.h"
#include "freeplay/geometry/surfaces/surface_pair.h"

namespace freeplay::geometry {

// The kinds of A do not come before those of B in SpatialSurface::Kind: whoever has them otherwise exchanges them.
class SurfaceSearch {
 public:
  SurfaceSearch(const SpatialSurface& a, const SpatialSurface& b, const Frame& at_a, const Frame& at_b, double reach_m,
                std::span<SurfaceContact> out);

  int all();
  // Newton's method from a contact of before.
  bool from(const SurfaceContact& start);

 private:
  // One side of a contact in the axes of its body.
  struct Side {
    PatchPlace place;
    Vec3 n;
    Bend bend;
    int feature = 0, dimension = 2;
  };
  static Side side_of(const SpatialSurface& surface, int patch, const PatchPoint& point);
  void add(const Side& a, const Side& b, double gap, bool is_centred = false);
  bool is_known(const SurfaceContact& contact) const;
  bool is_wanted(const Side& a, const Side& b, const SurfaceContact& contact) const;
  double inner_radius(const SpatialSurface& surface, const Side& side, double limit_m) const;

  void add_convex_on_plane();
  void add_convex(const Vec3& start);
  // A at a point, B a plane or a ball.
  MeetingOutcome add_on_simple(int patch, const Vec2& limits, PatchPoint& point);
  MeetingOutcome add_between(int patch_a, int patch_b, const Vec4& limits, PatchPoint& a, PatchPoint& b);
  void add_feet();       // A of patches, B a plane
  void search_simple();  // A of patches, B a plane or a ball
  void search_leaf(const SurfaceNode& leaf);
  bool simple_may_meet(const SurfaceBound& bound) const;
  void search_both();
  void search_leaves(const SurfaceNode& leaf_a, const SurfaceNode& leaf_b);
  bool may_meet(const SurfaceBound& a, const SurfaceBound& b) const;
  SurfaceBound seen(const SurfaceBound& a) const;

  const SpatialSurface& a_;
  const SpatialSurface& b_;
  const Frame& at_a_;
  const Frame& at_b_;
  Frame view_;               // from the axes of A to those of B
  Vec3 simple_at_, simple_;  // B in the axes of A: a plane's point and normal, or a ball's centre
  double reach_m_, size_m_, deepest_m_;
  std::span<SurfaceContact> out_;
  int count_ = 0;
  bool stands_ = false;  // on feet
};

}  // namespace freeplay::geometry

#include "freeplay/geometry/surfaces/surface_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "freeplay/geometry/surfaces/cell_walk.h"
#include "freeplay/geometry/surfaces/surface_foot.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kStackSize = 128;      // pairs of nodes: two trees of depth 40
constexpr double kSamePlace = 1e-8;  // of the size
constexpr double kSameDirection = 1e-6;
constexpr double kEdgeDepth = 0.1;  // of the smaller size: how deep two edges may cross each other
constexpr double kRounding = 1e-9;
constexpr double kLine = 1e-7;  // of the inverse size: curvatures of lines of contact

using Kind = SpatialSurface::Kind;

}  // namespace

SurfaceSearch::SurfaceSearch(const SpatialSurface& a, const SpatialSurface& b, const Frame& at_a, const Frame& at_b,
                             double reach_m, std::span<SurfaceContact> out)
    : a_(a), b_(b), at_a_(at_a), at_b_(at_b), reach_m_(reach_m), out_(out) {
  view_.R = at_b.R.transpose() * at_a.R;
  view_.p = at_b.R.transpose() * (at_a.p - at_b.p);
  const Frame back{at_a.R.transpose() * at_b.R, at_a.R.transpose() * (at_b.p - at_a.p)};
  simple_at_ = back.point(b.plane_at());
  simple_ = back.R * b.plane_normal();
  size_m_ = a.size_m() + (b.kind() == Kind::kPlane ? 0 : b.size_m());
  // What is_wanted() leaves; a plane has no other side.
  deepest_m_ = b.kind() == Kind::kPlane
                   ? kInfinity
                   : std::max(a.thickest_m() + b.thickest_m(), kEdgeDepth * std::min(a.size_m(), b.size_m()));
}

int SurfaceSearch::all() {
  if (!view_.p.allFinite() || !view_.R.allFinite() || a_.kind() == Kind::kPlane) return 0;
  const bool convex_a = a_.kind() != Kind::kPatches;
  if (convex_a && b_.kind() == Kind::kPlane)
    add_convex_on_plane();
  else if (convex_a)
    add_convex(Vec3::Zero());
  else if (b_.kind() == Kind::kPlane || b_.kind() == Kind::kBall)
    search_simple();
  else
    search_both();
  for (int i = 0; i < std::min(count_, static_cast<int>(out_.size())); ++i) {
    SurfaceContact& one = out_[static_cast<std::size_t>(i)];
    for (int k = 0; k < i; ++k) {
      const SurfaceKey& other = out_[static_cast<std::size_t>(k)].key;
      if (other.feature_a == one.key.feature_a && other.feature_b == one.key.feature_b) ++one.key.which;
    }
  }
  return count_;
}

bool SurfaceSearch::from(const SurfaceContact& start) {
  if (!view_.p.allFinite() || !view_.R.allFinite() || a_.kind() == Kind::kPlane) return false;
  if (a_.kind() != Kind::kPatches) {
    if (b_.kind() == Kind::kPlane)
      add_convex_on_plane();
    else
      add_convex(start.normal);
    return count_ == 1;
  }
  if (start.place_a.patch < 0) return false;
  PatchPoint a, b;
  a.set(a_.patch(start.place_a.patch), start.place_a.u, start.place_a.v);
  if (b_.kind() == Kind::kPlane || b_.kind() == Kind::kBall)
    return add_on_simple(start.place_a.patch, Vec2::Constant(kInfinity), a) == MeetingOutcome::kFound && count_ == 1;
  if (start.place_b.patch < 0) return false;
  b.set(b_.patch(start.place_b.patch), start.place_b.u, start.place_b.v);
  const MeetingOutcome met = add_between(start.place_a.patch, start.place_b.patch, Vec4::Constant(kInfinity), a, b);
  return met == MeetingOutcome::kFound && count_ == 1;
}

SurfaceSearch::Side SurfaceSearch::side_of(const SpatialSurface& surface, int patch, const PatchPoint& point) {
  const SurfacePatch& on = surface.patch(patch);
  return {
      {patch, point.u, point.v, point.at.x}, point.at.n, bend_of(point.at, on.dimension()), on.feature, on.dimension()};
}

void SurfaceSearch::add(const Side& a, const Side& b, double gap, bool is_centred) {
  if (!(gap <= reach_m_)) return;
  SurfaceContact contact;
  contact.gap = gap;
  contact.point_a = at_a_.point(a.place.x);
  contact.point_b = at_b_.point(b.place.x);
  contact.normal = at_b_.R * b.n;
  contact.bend_a = turned(a.bend, at_a_.R);
  contact.bend_b = turned(b.bend, at_b_.R);
  contact.key = {a.feature, b.feature, 0};
  contact.place_a = a.place;
  contact.place_b = b.place;
  contact.is_centred = is_centred;
  if (is_known(contact) || !is_wanted(a, b, contact)) return;
  if (count_++ < static_cast<int>(out_.size())) out_[static_cast<std::size_t>(count_ - 1)] = contact;
}

// Neighbouring patches and cells find the same contact.
bool SurfaceSearch::is_known(const SurfaceContact& contact) const {
  const double near = kSamePlace * size_m_;
  for (int i = 0; i < std::min(count_, static_cast<int>(out_.size())); ++i) {
    const SurfaceContact& other = out_[static_cast<std::size_t>(i)];
    if ((other.point_a - contact.point_a).squaredNorm() <= near * near &&
        (other.point_b - contact.point_b).squaredNorm() <= near * near &&
        (other.normal - contact.normal).squaredNorm() <= kSameDirection * kSameDirection)
      return true;
  }
  return false;
}

double SurfaceSearch::inner_radius(const SpatialSurface& surface, const Side& side, double limit_m) const {
  if (side.dimension < 2) return 0;
  const double by_curvature = side.bend.curvature_2 > 0 ? 1 / side.bend.curvature_2 : kInfinity;
  return std::min(by_curvature, surface.inner_radius(side.place.x, side.n, limit_m));
}

// A minimum, and not deeper than balls inside of both bodies can touch: what is deeper has left through another side.
// Edges hold no balls; two of them may cross each other by a share of the size.
bool SurfaceSearch::is_wanted(const Side& a, const Side& b, const SurfaceContact& contact) const {
  double depth_a = 0, depth_b = 0;
  if (contact.gap < 0 && a_.kind() == Kind::kPatches) {
    const double depth = -contact.gap;
    if (a.dimension < 2 && b.dimension < 2) {
      if (depth > kEdgeDepth * std::min(a_.size_m(), b_.size_m())) return false;
    } else {
      if (depth > deepest_m_) return false;
      const double inner_a = inner_radius(a_, a, depth), inner_b = inner_radius(b_, b, depth);
      if (inner_a + inner_b < depth * (1 - kRounding)) return false;
      depth_a = depth * inner_a / (inner_a + inner_b);
      depth_b = depth - depth_a;
    }
  }
  if (a_.kind() != Kind::kPatches) return true;  // of two convex bodies by themselves
  // Lines and circles of contact with a plane: their ends, or points of them, are feet.
  if (stands_ && contact.bend_a.curvature_1 <= kLine / a_.size_m()) return false;
  return is_minimum(contact.bend_a, contact.bend_b, contact.gap, depth_a, depth_b, contact.normal);
}

// ---- bodies with support functions ----

void SurfaceSearch::add_convex_on_plane() {
  const ConvexBody& body = a_.convex();
  const Vec3 n = -simple_;
  const Vec3 x = body.point(n);
  const double gap = simple_.dot(x - simple_at_);
  Side a{{-1, 0, 0, x}, n, body.bend(n)};
  const Vec3 foot = view_.point(x) - gap * b_.plane_normal();
  Side b{{-1, 0, 0, foot}, b_.plane_normal(), {0, 0, tangent_to(b_.plane_normal())}};
  add(a, b, gap);
}

void SurfaceSearch::add_convex(const Vec3& start) {
  const ConvexBody& body_b = b_.convex();
  const ConvexBody body_a = a_.convex().seen_from(view_.R, view_.p);
  Vec3 n;
  const double gap = convex_gap(body_a, body_b, at_b_.R.transpose() * start, n);
  const Vec3 n_a = -(view_.R.transpose() * n);
  const auto side = [](const ConvexBody& body, const Vec3& normal) {
    return Side{{-1, 0, 0, body.point(normal)}, normal, body.bend(normal)};
  };
  const bool is_centred = body_a.is_ball && body_b.is_ball && body_a.centre == body_b.centre;
  add(side(a_.convex(), n_a), side(body_b, n), gap, is_centred);
}

// ---- patches against a plane or a ball, in the axes of A ----

MeetingOutcome SurfaceSearch::add_on_simple(int patch, const Vec2& limits, PatchPoint& point) {
  const bool on_plane = b_.kind() == Kind::kPlane;
  const MeetingOutcome met =
      on_plane ? meet_plane(simple_, limits, point) : meet_centre(simple_at_, size_m_, limits, point);
  if (met != MeetingOutcome::kFound || !point.is_inside()) return met;
  const Side a = side_of(a_, patch, point);
  if (on_plane) {
    const double gap = simple_.dot(point.at.x - simple_at_);
    const Vec3 foot = view_.point(point.at.x) - gap * b_.plane_normal();
    add(a, {{-1, 0, 0, foot}, b_.plane_normal(), {0, 0, tangent_to(b_.plane_normal())}}, gap);
  } else {
    const ConvexBody& ball = b_.convex();
    const Vec3 n = -(view_.R * point.at.n);
    const double gap = point.at.n.dot(simple_at_ - point.at.x) - ball.radius_m;
    add(a, {{-1, 0, 0, ball.centre + ball.radius_m * n}, n, ball.bend(n), 0, ball.radius_m > 0 ? 2 : 0}, gap);
  }
  return met;
}

bool SurfaceSearch::simple_may_meet(const SurfaceBound& bound) const {
  const double half = bound.half_angle + 1e-9, r = bound.radius_m * (1 + 1e-9);
  if (b_.kind() == Kind::kPlane) {
    if (simple_.dot(bound.centre - simple_at_) > r + reach_m_) return false;
    return half >= kPi || -bound.axis.dot(simple_) >= std::cos(half);
  }
  const Vec3 D = simple_at_ - bound.centre;
  const double distance = D.norm();
  if (distance > r + std::max(reach_m_ + b_.convex().radius_m, a_.size_m())) return false;
  if (half >= 1) return true;
  return (D - bound.axis * bound.axis.dot(D)).norm() <= r + half * (distance + r);
}

void SurfaceSearch::add_feet() {
  const Vec3 down = -simple_;
  for (const SurfaceFoot& foot : a_.feet()) {
    const SurfaceFootPlace at = place_of_foot(foot, down, a_.size_m());
    if (!at.is_lowest) continue;
    const double gap = simple_.dot(at.x - simple_at_);
    const Vec3 below = view_.point(at.x) - gap * b_.plane_normal();
    add({{-1, 0, 0, at.x}, down, at.bend, foot.feature, at.dimension},
        {{-1, 0, 0, below}, b_.plane_normal(), {0, 0, tangent_to(b_.plane_normal())}}, gap);
    stands_ = true;
  }
}

void SurfaceSearch::search_simple() {
  if (b_.kind() == Kind::kPlane) add_feet();
  std::array<std::int32_t, kStackSize> stack;
  int top = 0;
  stack[0] = 0;
  while (top >= 0) {
    const SurfaceNode& node = a_.nodes()[static_cast<std::size_t>(stack[static_cast<std::size_t>(top--)])];
    if (!simple_may_meet(node.bound)) continue;
    if (node.left < 0) {
      search_leaf(node);
    } else {
      stack[static_cast<std::size_t>(++top)] = node.right;
      stack[static_cast<std::size_t>(++top)] = node.left;
    }
  }
}

void SurfaceSearch::search_leaf(const SurfaceNode& leaf) {
  walk_cells(
      a_, leaf, size_m_, [&](const SurfaceBound& bound) { return simple_may_meet(bound); },
      [&](int patch, const Vec2& limits, PatchPoint& point) { return add_on_simple(patch, limits, point); });
}

// ---- patches against patches, in the axes of B ----

MeetingOutcome SurfaceSearch::add_between(int patch_a, int patch_b, const Vec4& limits, PatchPoint& a, PatchPoint& b) {
  const MeetingOutcome met = meet_patches(view_, size_m_, limits, a, b);
  if (met == MeetingOutcome::kFound && a.is_inside() && b.is_inside())
    add(side_of(a_, patch_a, a), side_of(b_, patch_b, b), b.at.n.dot(view_.point(a.at.x) - b.at.x));
  return met;
}

SurfaceBound SurfaceSearch::seen(const SurfaceBound& a) const {
  return {view_.point(a.centre), a.radius_m, view_.R * a.axis, a.half_angle};
}

// Nearness, ranges of normals that oppose each other, and the line of centres nearly along a common normal:
// x_A - x_B = g n.
bool SurfaceSearch::may_meet(const SurfaceBound& a, const SurfaceBound& b) const {
  const double radius = (a.radius_m + b.radius_m) * (1 + 1e-9), deepest = deepest_m_;
  const Vec3 D = a.centre - b.centre;
  const double distance = D.norm();
  if (distance > radius + std::max(reach_m_, deepest)) return false;
  const double half = a.half_angle + b.half_angle + 1e-9;
  if (half < kPi && -a.axis.dot(b.axis) < std::cos(half)) return false;
  const bool by_a = a.half_angle < b.half_angle;
  const Vec3 n = by_a ? Vec3(-a.axis) : b.axis;
  const double spread = std::min(a.half_angle, b.half_angle) + 1e-9;
  if (spread >= 1) return true;
  const double along = n.dot(D);
  if ((D - along * n).norm() > radius + spread * (distance + radius)) return false;
  const double unsure = spread * distance;
  return distance <= radius + (along > unsure ? reach_m_ : along < -unsure ? deepest : std::max(reach_m_, deepest));
}

void SurfaceSearch::search_both() {
  struct Pair {
    std::int32_t a, b;
  };
  std::array<Pair, kStackSize> stack;
  int top = 0;
  stack[0] = {0, 0};
  while (top >= 0) {
    const Pair pair = stack[static_cast<std::size_t>(top--)];
    const SurfaceNode& na = a_.nodes()[static_cast<std::size_t>(pair.a)];
    const SurfaceNode& nb = b_.nodes()[static_cast<std::size_t>(pair.b)];
    if (!may_meet(seen(na.bound), nb.bound)) continue;
    if (na.left < 0 && nb.left < 0) {
      search_leaves(na, nb);
    } else if (nb.left < 0 || (na.left >= 0 && na.bound.radius_m > nb.bound.radius_m)) {
      stack[static_cast<std::size_t>(++top)] = {na.right, pair.b};
      stack[static_cast<std::size_t>(++top)] = {na.left, pair.b};
    } else {
      stack[static_cast<std::size_t>(++top)] = {pair.a, nb.right};
      stack[static_cast<std::size_t>(++top)] = {pair.a, nb.left};
    }
  }
}

void SurfaceSearch::search_leaves(const SurfaceNode& leaf_a, const SurfaceNode& leaf_b) {
  struct Task {
    SurfaceCell a, b;
    int halvings;
  };
  std::array<Task, kMostCellHalvings + 2> stack;
  int top = 0;
  stack[0] = {leaf_a.cell, leaf_b.cell, 0};
  while (top >= 0) {
    const Task task = stack[static_cast<std::size_t>(top--)];
    if (task.halvings > 0 && !may_meet(seen(bound_of_cell(a_, task.a)), bound_of_cell(b_, task.b))) continue;
    if (is_flat(task.a) && is_flat(task.b)) continue;  // their borders have the minima
    PatchPoint a = task.halvings == 0 ? middle_of(a_, leaf_a) : middle_of(a_, task.a);
    PatchPoint b = task.halvings == 0 ? middle_of(b_, leaf_b) : middle_of(b_, task.b);
    Vec4 limits;
    limits << first_steps(task.a), first_steps(task.b);
    if (add_between(task.a.patch, task.b.patch, limits, a, b) != MeetingOutcome::kLost) continue;
    if (task.halvings == kMostCellHalvings) continue;
    const CellExtent of_a = extent_of(task.a, size_m_), of_b = extent_of(task.b, size_m_);
    Task one = task;
    one.halvings = task.halvings + 1;
    Task two = one;
    if (std::max(of_a.u, of_a.v) >= std::max(of_b.u, of_b.v))
      halve(task.a, of_a.u >= of_a.v, one.a, two.a);
    else
      halve(task.b, of_b.u >= of_b.v, one.b, two.b);
    stack[static_cast<std::size_t>(++top)] = two;
    stack[static_cast<std::size_t>(++top)] = one;
  }
}

}  // namespace freeplay::geometry

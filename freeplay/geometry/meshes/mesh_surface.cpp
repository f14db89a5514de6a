#include "freeplay/geometry/meshes/mesh_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "freeplay/geometry/meshes/mesh_patch.h"
#include "freeplay/geometry/surfaces/cell_walk.h"
#include "freeplay/geometry/surfaces/surface_foot.h"

namespace freeplay::geometry {

namespace mesh {

namespace {

constexpr double kSamePoint = 1e-8;     // of the size: contacts that neighbouring cells have both found
constexpr double kSameNormals = 1e-6;   // the same of directions
constexpr double kStraight = 1e-7;      // of the inverse size: the curvature of a line of contact
constexpr double kBallRounding = 1e-9;  // of the depth
constexpr int kPairStack = 192;         // two trees of depth 40 and 32, and trees over patches
constexpr double kNoStep = kInfinity;

// One side of a contact in the axes of its body.
struct CurvedSide {
  PatchPlace place;
  Vec3 n;
  Bend bend;
  std::int32_t feature = 0;
  int dimension = 2;
};
struct MeshSide {
  MeshFeature kind;
  std::int32_t number;
  Vec3 x, n;
  Bend bend;
  int dimension;
  double depth_m;  // how far something may be behind it
};

double squared_distance(const MeshBox& box, const Vec3& x) {
  return (box.low - x).cwiseMax(x - box.high).cwiseMax(0).squaredNorm();
}

class CurvedSearch {
 public:
  CurvedSearch(const SpatialSurface& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b, double reach_m,
               std::span<SurfaceContact> out)
      : a_(a),
        b_(b),
        at_a_(at_a),
        at_b_(at_b),
        place_(relative_place(at_a, at_b)),
        reach_(reach_m),
        deepest_(std::min(b.largest_depth_m(), 2 * kLargestDepth * a.size_m())),
        size_m_(a.size_m() + b.size_m()),
        out_(out) {}

  int all() {
    if (!place_.shift.allFinite() || !place_.turn.allFinite()) return 0;
    find_feet();
    walk_trees();
    for (int i = 0; i < written(); ++i) {
      SurfaceContact& one = out_[static_cast<std::size_t>(i)];
      for (int k = 0; k < i; ++k) {
        const SurfaceKey& other = out_[static_cast<std::size_t>(k)].key;
        if (other.feature_a == one.key.feature_a && other.feature_b == one.key.feature_b) ++one.key.which;
      }
    }
    return count_;
  }

 private:
  // A part of A in the axes of B.
  struct Seen {
    Vec3 centre, axis;
    double radius, half_angle;
  };
  Seen seen(const SurfaceBound& bound) const {
    return {place_.point(bound.centre), place_.turn * bound.axis, bound.radius_m * (1 + 1e-9), bound.half_angle + 1e-9};
  }
  double farthest() const { return std::max(reach_, deepest_); }
  int written() const { return std::min(count_, static_cast<int>(out_.size())); }

  void walk_trees() {
    struct Pair {
      std::int32_t a, b;
    };
    std::array<Pair, kPairStack> stack;
    std::size_t top = 0;
    const auto push = [&](std::int32_t i, std::int32_t j) {
      FREEPLAY_ASSERT(top < stack.size());
      stack[top++] = {i, j};
    };
    const std::span<const SurfaceNode> nodes_a = a_.nodes();
    const std::span<const MeshNode> nodes_b = b_.tree().nodes();
    push(0, 0);
    while (top > 0) {
      const Pair pair = stack[--top];
      const SurfaceNode& na = nodes_a[static_cast<std::size_t>(pair.a)];
      const MeshNode& nb = nodes_b[static_cast<std::size_t>(pair.b)];
      const double limit = na.bound.radius_m * (1 + 1e-9) + farthest();
      if (squared_distance(nb.box, place_.point(na.bound.centre)) > limit * limit) continue;
      if (na.left < 0 && nb.is_leaf()) {
        const Seen part = seen(na.bound);
        for (std::int32_t i = nb.first; i < nb.first + nb.count; ++i) look_at(na, part, i);
      } else if (nb.is_leaf() || (na.left >= 0 && 2 * na.bound.radius_m > (nb.box.high - nb.box.low).norm())) {
        push(na.right, pair.b);
        push(na.left, pair.b);
      } else {
        push(pair.a, nb.right);
        push(pair.a, pair.b + 1);
      }
    }
  }

  void look_at(const SurfaceNode& leaf, const Seen& part, std::int32_t triangle) {
    const MeshTriangle& t = b_.triangle(triangle);
    const bool flat = is_flat(leaf.cell);
    if (!flat && facet_may_meet(part, b_.facet(t.facet))) meet_facet(leaf, triangle);
    for (std::size_t k = 0; k < 3; ++k) {
      const MeshEdge& edge = b_.edge(t.edges[k]);
      // Over a flat face the ends of an edge, or where it crosses the rim, are nearest.
      if (t.owns_edge[k] && edge.kind == EdgeKind::kConvex && !flat && edge_may_meet(part, edge)) meet_edge(leaf, edge);
      const std::int32_t v = t.vertices[k];
      if (t.owns_vertex[k] && b_.can_touch(v) && vertex_may_meet(part, v, flat)) meet_vertex(leaf, v, flat);
    }
  }

  // ---- facets: the place of A whose normal opposes that of the facet ----

  bool facet_may_meet(const Seen& part, const MeshFacet& facet) const {
    const double height = facet.height(part.centre);
    if (height - part.radius > reach_ || height + part.radius < -std::min(deepest_, facet.depth_m)) return false;
    return part.half_angle >= std::numbers::pi || -part.axis.dot(facet.normal) >= std::cos(part.half_angle);
  }

  void meet_facet(const SurfaceNode& leaf, std::int32_t triangle) {
    const MeshFacet& facet = b_.facet_of_triangle(triangle);
    const Vec3 m = place_.turn.transpose() * facet.normal;
    walk_cells(
        a_, leaf, size_m_, [&](const SurfaceBound& bound) { return facet_may_meet(seen(bound), facet); },
        [&](int patch, const Vec2& limits, PatchPoint& point) {
          const MeetingOutcome met = meet_plane(m, limits, point);
          if (met == MeetingOutcome::kFound && point.is_inside()) add_over_facet(side_of(patch, point), triangle);
          return met;
        });
  }

  void add_over_facet(const CurvedSide& a, std::int32_t triangle, bool is_foot = false) {
    const MeshFacet& facet = b_.facet_of_triangle(triangle);
    const Vec3 x = place_.point(a.place.x);
    const double gap = facet.height(x);
    if (!(gap <= reach_) || gap < -std::min(deepest_, facet.depth_m)) return;
    // The ends of a line of contact, or points of a circle, are feet, or lie over edges.
    if (!is_foot && a.dimension > 0 && a.bend.curvature_1 <= kStraight / a_.size_m()) return;
    const Vec3 foot = x - gap * facet.normal;
    if (foot_in_triangle(b_, triangle, foot, facet.depth_m) == Foot::kOutside) return;
    const std::int32_t number = b_.triangle(triangle).facet;
    add(a, {MeshFeature::kFacet, number, foot, facet.normal, {0, 0, tangent_to(facet.normal)}, 2, facet.depth_m}, gap,
        is_foot, [&](std::int32_t f) { return f == number; });
  }

  // Corners and rims of flat or straight parts of A that nearly lie on a facet, as on a plane (SurfaceFoot).
  void find_feet() {
    for (const SurfaceFoot& foot : a_.feet()) {
      MeshBox near;
      near.add(place_.point(foot.centre));
      near.grow(foot.radius_m + farthest());
      b_.tree().for_near(near, [&](std::int32_t triangle) {
        const Vec3 down = -(place_.turn.transpose() * b_.facet_of_triangle(triangle).normal);
        const SurfaceFootPlace at = place_of_foot(foot, down, a_.size_m());
        if (!at.is_lowest) return;
        add_over_facet({{-1, 0, 0, at.x}, down, at.bend, foot.feature, at.dimension}, triangle, true);
      });
    }
  }

  // ---- edges: the places of A that are nearest to their lines ----

  bool edge_may_meet(const Seen& part, const MeshEdge& edge) const {
    const Vec3 from = part.centre - b_.vertex(edge.start);
    const double s = std::clamp(edge.along.dot(from), 0.0, edge.length_m), limit = part.radius + farthest();
    if ((from - s * edge.along).squaredNorm() > limit * limit) return false;
    return std::abs(part.axis.dot(edge.along)) <= part.half_angle && in_cone(edge, -part.axis, part.half_angle);
  }

  void meet_edge(const SurfaceNode& leaf, const MeshEdge& edge) {
    const Vec3 start = place_.inverse_point(b_.vertex(edge.start)), along = place_.turn.transpose() * edge.along;
    walk_cells(
        a_, leaf, size_m_, [&](const SurfaceBound& bound) { return edge_may_meet(seen(bound), edge); },
        [&](int patch, const Vec2& limits, PatchPoint& point) {
          const MeetingOutcome met = meet_line(start, along, size_m_, limits, point);
          if (met == MeetingOutcome::kFound && point.is_inside()) add_beside_edge(side_of(patch, point), edge);
          return met;
        });
  }

  void add_beside_edge(const CurvedSide& a, const MeshEdge& edge) {
    const Vec3 x = place_.point(a.place.x), n = -(place_.turn * a.n), from = x - b_.vertex(edge.start);
    const double s = edge.along.dot(from);
    if (s < -b_.rounding_m() || s > edge.length_m + b_.rounding_m() || !in_cone(edge, n, kTie)) return;
    const double gap = n.dot(from);
    const std::int32_t left = b_.left_facet(edge), right = b_.right_facet(edge);
    const double depth = std::max(b_.facet(left).depth_m, b_.facet(right).depth_m);
    add(a, {MeshFeature::kRidge, edge.ridge, x - gap * n, n, Bend::edge(edge.along), 1, depth}, gap, false,
        [&](std::int32_t f) { return f == left || f == right; });
  }

  // ---- corners: balls of no radius ----

  bool vertex_may_meet(const Seen& part, std::int32_t v, bool flat) const {
    const Vec3 D = b_.vertex(v) - part.centre;
    const double distance = D.norm();
    if (distance > part.radius + farthest()) return false;
    if (part.half_angle >= 1) return true;
    if ((D - part.axis * part.axis.dot(D)).norm() > part.radius + part.half_angle * (distance + part.radius))
      return false;
    return in_cone(b_, v, -part.axis, part.half_angle + slack_over(flat));
  }
  // Of a facet that nearly lies on a flat face of A all corners count: they are points of B above that face.
  static double slack_over(bool flat) { return flat ? kLargestLean : kTie; }

  void meet_vertex(const SurfaceNode& leaf, std::int32_t v, bool flat) {
    const Vec3 centre = place_.inverse_point(b_.vertex(v));
    walk_cells(
        a_, leaf, size_m_, [&](const SurfaceBound& bound) { return vertex_may_meet(seen(bound), v, flat); },
        [&](int patch, const Vec2& limits, PatchPoint& point) {
          const MeetingOutcome met = meet_centre(centre, size_m_, limits, point);
          if (met != MeetingOutcome::kFound || !point.is_inside()) return met;
          const Vec3 n = -(place_.turn * point.at.n);
          if (!in_cone(b_, v, n, slack_over(flat))) return met;
          const double gap = point.at.n.dot(centre - point.at.x);
          add(side_of(patch, point),
              {MeshFeature::kVertex, v, b_.vertex(v), n, {kInfinity, kInfinity, tangent_to(n)}, 0, 0}, gap, false,
              [](std::int32_t) { return true; });
          return met;
        });
  }

  // ---- what all contacts have in common ----

  CurvedSide side_of(int patch, const PatchPoint& point) const {
    const SurfacePatch& on = a_.patch(patch);
    return {{patch, point.u, point.v, point.at.x},
            point.at.n,
            bend_of(point.at, on.dimension()),
            on.feature,
            on.dimension()};
  }

  // skip(facet): one that A has not come through in any case.
  template <class Skip>
  void add(const CurvedSide& a, const MeshSide& b, double gap, bool is_foot, Skip skip) {
    if (!(gap <= reach_)) return;
    SurfaceContact contact;
    contact.gap = gap;
    contact.point_a = at_a_.point(a.place.x);
    contact.point_b = at_b_.point(b.x);
    contact.normal = at_b_.R * b.n;
    contact.bend_a = turned(a.bend, at_a_.R);
    contact.bend_b = turned(b.bend, at_b_.R);
    contact.key = {a.feature, mesh_side(b.kind, b.number), 0};
    contact.place_a = a.place;
    contact.place_b = {-1, 0, 0, b.x};
    if (is_known(contact)) return;
    double depth_a = 0, depth_b = 0;
    if (gap < 0 && !may_be_inside(a, b, -gap, depth_a, depth_b)) return;
    if (!is_foot && !is_minimum(contact.bend_a, contact.bend_b, gap, depth_a, depth_b, contact.normal)) return;
    if (gap < 0 && came_in_elsewhere(a, -gap, skip)) return;
    if (count_++ < static_cast<int>(out_.size())) out_[static_cast<std::size_t>(count_ - 1)] = contact;
  }

  bool is_known(const SurfaceContact& contact) const {
    const double near = kSamePoint * size_m_;
    for (int i = 0; i < written(); ++i) {
      const SurfaceContact& other = out_[static_cast<std::size_t>(i)];
      if ((other.point_a - contact.point_a).squaredNorm() <= near * near &&
          (other.point_b - contact.point_b).squaredNorm() <= near * near &&
          (other.normal - contact.normal).squaredNorm() <= kSameNormals * kSameNormals)
        return true;
    }
    return false;
  }

  // No deeper than balls inside of both bodies can touch. Edges and corners hold no ball: only edge across edge, and
  // anything against a face, can touch at all.
  bool may_be_inside(const CurvedSide& a, const MeshSide& b, double depth, double& depth_a, double& depth_b) const {
    if (a.dimension + b.dimension < 2 || depth > deepest_) return false;
    if (a.dimension == 1 && b.dimension == 1) return depth <= b.depth_m;
    const double by_curvature = a.bend.curvature_2 > 0 ? 1 / a.bend.curvature_2 : kInfinity;
    const double inner_a =
        a.dimension < 2 ? 0 : std::min(by_curvature, a_.inner_radius(a.place.x, a.n, std::max(depth, deepest_)));
    const double inner_b = b.dimension < 2 ? 0 : b.depth_m;
    if (inner_a + inner_b < depth * (1 - kBallRounding)) return false;
    depth_a = depth * inner_a / (inner_a + inner_b);
    depth_b = depth - depth_a;
    return true;
  }

  // As in has_nearer_face(). A smooth place comes in where it opposes a facet and nowhere else.
  template <class Skip>
  bool came_in_elsewhere(const CurvedSide& a, double depth, Skip skip) const {
    if (a.dimension == 2 || a.place.patch < 0) return false;
    return has_nearer_face(b_, place_.point(a.place.x), depth, [&](std::int32_t f) {
      return skip(f) || !may_come_through(a, place_.turn.transpose() * b_.facet(f).normal);
    });
  }

  // Whether an edge or a tip of A has -m among its normals.
  bool may_come_through(const CurvedSide& a, const Vec3& m) const {
    const SurfacePatch& patch = a_.patch(a.place.patch);
    if (a.dimension == 0) {
      PatchPoint point;
      point.set(patch, a.place.u, a.place.v);
      return meet_plane(m, Vec2::Constant(kNoStep), point) == MeetingOutcome::kFound && point.is_inside();
    }
    const SurfacePlace low = patch.place(a.place.u, patch.v_from), high = patch.place(a.place.u, patch.v_to);
    const Vec3 middle = patch.place(a.place.u, (patch.v_from + patch.v_to) / 2).n;
    if (std::abs(m.dot(low.x_u)) > kLargestLean * low.x_u.norm()) return false;
    const auto is_towards_middle = [&](const Vec3& n) {
      const Vec3 inward = (middle - middle.dot(n) * n).normalized();
      return -m.dot(inward) >= -kLargestLean;
    };
    return -m.dot(middle) > 0 && is_towards_middle(low.n) && is_towards_middle(high.n);
  }

  const SpatialSurface& a_;
  const TriangleMesh& b_;
  const Frame &at_a_, &at_b_;
  RelativePlace place_;
  double reach_, deepest_, size_m_;
  std::span<SurfaceContact> out_;
  int count_ = 0;
};

}  // namespace

}  // namespace mesh

int find_mesh_contacts(const SpatialSurface& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                       double reach_m, std::span<SurfaceContact> out) {
  return mesh::CurvedSearch(a, b, at_a, at_b, reach_m, out).all();
}

}  // namespace freeplay::geometry

#include "freeplay/geometry/meshes/mesh_patch.h"

#include <numbers>

#include "freeplay/geometry/pairs/spatial_distance.h"

namespace freeplay::geometry::mesh {

PatchPoints::PatchPoints(const Vec3& normal) : u_(tangent_to(normal)), v_(normal.cross(u_)) {
  farthest_.fill(-kInfinity);
  outermost_[kDirections].gap = kInfinity;
}

void PatchPoints::add(const MeshContact& contact) {
  if (count_ < kAll) {
    all_[count_++] = contact;
    return;
  }
  // Only now are there too many.
  if (count_ == kAll) {
    for (const MeshContact& early : all_) compare_with_outermost(early);
  }
  compare_with_outermost(contact);
  ++count_;
}

void PatchPoints::compare_with_outermost(const MeshContact& contact) {
  if (contact.gap < outermost_[kDirections].gap) outermost_[kDirections] = contact;
  const double x = u_.dot(contact.point_b), y = v_.dot(contact.point_b);
  for (std::size_t k = 0; k < kDirections; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / kDirections;
    const double far = std::cos(angle) * x + std::sin(angle) * y;
    if (!(far > farthest_[k])) continue;
    farthest_[k] = far;
    outermost_[k] = contact;
  }
}

void PatchPoints::move_to(ContactList& list) const {
  if (count_ <= kAll) {
    for (std::size_t k = 0; k < count_; ++k) list.add(all_[k]);
  } else {
    for (const MeshContact& contact : outermost_) list.add(contact);
  }
}

bool PatchList::add(std::int32_t facet_a, std::int32_t facet_b) {
  const std::array<std::int32_t, 2> pair{facet_a, facet_b};
  const auto known = all();
  if (std::find(known.begin(), known.end(), pair) != known.end()) return true;
  if (count_ == pairs_.size()) return false;
  pairs_[count_++] = pair;
  return true;
}

EdgeCrossing cross_edges(const TriangleMesh& a, const MeshEdge& edge_a, const TriangleMesh& b, const MeshEdge& edge_b,
                         const RelativePlace& place, double least_sine) {
  const double rounding = std::max(a.rounding_m(), b.rounding_m());
  const auto segment = [&](const Vec3& start, const Vec3& along, double length) {
    return solid::Segment{start + length / 2 * along, along, length / 2 + rounding};
  };
  const solid::Crossing c =
      solid::crossing(segment(place.point(a.vertex(edge_a.start)), place.turn * edge_a.along, edge_a.length_m),
                      segment(b.vertex(edge_b.start), edge_b.along, edge_b.length_m));
  if (!c.exists || c.sine < least_sine) return {};
  const Vec3 outward = b.facet(b.left_facet(edge_b)).normal + b.facet(b.right_facet(edge_b)).normal;
  const Vec3 w = std::copysign(1.0, c.across.dot(outward)) * c.across;
  const Vec3 e = c.on_a - c.on_b;
  const double gap = w.dot(e), length = e.norm();
  // The common normal is exact where edges touch, the difference of the points where they are nearly parallel and
  // apart.
  if (gap > c.sine * (edge_a.length_m + edge_b.length_m)) return {true, length, c.on_a, c.on_b, e / length};
  return {true, gap, c.on_a, c.on_b, w};
}

bool crossed_another_way(const TriangleMesh& a, const MeshEdge& edge_a, const TriangleMesh& b, const MeshEdge& edge_b,
                         const RelativePlace& place, const EdgeCrossing& crossing) {
  if (crossing.gap >= 0) return false;
  const double depth = -crossing.gap;
  // The faces beside an edge are always nearer than the edge. Still, an edge that lies along one of them, with the
  // normal across, has come through that face.
  const auto is_no_way = [](const TriangleMesh& mesh, const MeshEdge& own, const MeshEdge& other, const Vec3& normal,
                            const Vec3& along, const Mat3& turn, std::int32_t f) {
    const Vec3& n = mesh.facet(f).normal;
    const bool is_beside = f == mesh.left_facet(own) || f == mesh.right_facet(own);
    if (is_beside && (std::abs(normal.dot(n)) > kLargestLean || std::abs(along.dot(n)) > kLargestLean)) return true;
    return !in_cone(other, -(turn * n), kLargestLean);
  };
  const Mat3 to_a = place.turn.transpose();
  const Vec3 along_a = place.turn * edge_a.along, along_b = to_a * edge_b.along, normal_in_a = to_a * crossing.normal;
  return has_nearer_face(
             b, crossing.on_a, depth,
             [&](std::int32_t f) { return is_no_way(b, edge_b, edge_a, crossing.normal, along_a, to_a, f); }) ||
         has_nearer_face(a, place.inverse_point(crossing.on_b), depth, [&](std::int32_t f) {
           return is_no_way(a, edge_a, edge_b, normal_in_a, along_b, place.turn, f);
         });
}

double edge_depth(const TriangleMesh& a, const MeshEdge& edge_a, const TriangleMesh& b, const MeshEdge& edge_b) {
  const auto depth = [](const TriangleMesh& mesh, const MeshEdge& e) {
    return std::max(mesh.facet(mesh.left_facet(e)).depth_m, mesh.facet(mesh.right_facet(e)).depth_m);
  };
  return std::min({depth(a, edge_a), depth(b, edge_b), pair_depth(a, b)});
}

namespace {

// The corners of a facet of `from` over a facet of `on`; place: from `from` to `on`. use(vertex, height, foot).
template <class Use>
void for_corners_over(const TriangleMesh& from, std::int32_t facet_from, const TriangleMesh& on, std::int32_t facet_on,
                      const RelativePlace& place, double reach, Use use) {
  const MeshFacet& facet = on.facet(facet_on);
  for (const std::int32_t v : from.corners_of(facet_from)) {
    const Vec3 x = place.point(from.vertex(v));
    const double height = facet.height(x);
    if (!(height <= reach) || height < -std::min(facet.depth_m, pair_depth(from, on))) continue;
    const Vec3 foot = x - height * facet.normal;
    MeshBox near;
    near.add(foot);
    near.grow(facet.has_groove ? facet.depth_m : on.rounding_m());
    bool inside = false;
    on.tree().for_leaves([&](const MeshBox& box) { return !inside && box.meets(near); },
                         [&](std::int32_t i) {
                           inside = inside || (on.triangle(i).facet == facet_on &&
                                               foot_in_triangle(on, i, foot, facet.depth_m) != Foot::kOutside);
                         });
    if (!inside) continue;
    const auto not_a_way = [&](std::int32_t f) {
      return f == facet_on || !in_cone(from, v, -(place.turn.transpose() * on.facet(f).normal), kTie);
    };
    if (height < 0 && has_nearer_face(on, x, -height, not_a_way)) continue;
    use(v, height, foot);
  }
}

// Where the borders of the two facets cross, seen along their normals.
void find_border_crossings(const TriangleMesh& a, std::int32_t facet_a, const TriangleMesh& b, std::int32_t facet_b,
                           const RelativePlace& place, double reach, PatchPoints& points) {
  const double depth = pair_depth(a, b);
  for (const std::int32_t i : a.border_of(facet_a)) {
    const MeshEdge& edge_a = a.edge(i);
    if (edge_a.kind != EdgeKind::kConvex) continue;
    const Vec3 out_a = place.turn * (a.left_facet(edge_a) == facet_a ? edge_a.out_left : edge_a.out_right);
    MeshBox near;
    near.add(place.point(a.vertex(edge_a.start)));
    near.add(place.point(a.vertex(edge_a.end)));
    near.grow(std::max(reach, depth));
    b.tree().for_near(near, [&](std::int32_t triangle) {
      const MeshTriangle& t = b.triangle(triangle);
      if (t.facet != facet_b) return;
      for (const std::int32_t j : t.edges) {
        const MeshEdge& edge_b = b.edge(j);
        if (edge_b.kind != EdgeKind::kConvex) continue;
        const EdgeCrossing c = cross_edges(a, edge_a, b, edge_b, place, kLeastSine);
        if (!c.exists || !(c.gap <= reach) || c.gap < -edge_depth(a, edge_a, b, edge_b)) continue;
        const Vec3& out_b = edge_b.left == triangle ? edge_b.out_left : edge_b.out_right;
        if (c.normal.dot(out_b) < -kLargestLean || c.normal.dot(out_a) > kLargestLean) continue;
        // A normal beside both faces would belong to other faces of these edges.
        if (c.normal.dot(b.facet(facet_b).normal) < 0.5) continue;
        if (crossed_another_way(a, edge_a, b, edge_b, place, c)) continue;
        points.add({c.gap,
                    c.on_a,
                    c.on_a - c.gap * c.normal,
                    c.normal,
                    {Bend::edge(place.turn * edge_a.along), Bend::edge(edge_b.along)},
                    {MeshFeature::kRidge, MeshFeature::kRidge, edge_a.ridge, edge_b.ridge}});
      }
    });
  }
}

}  // namespace

void find_patch_contacts(const TriangleMesh& a, std::int32_t facet_a, const TriangleMesh& b, std::int32_t facet_b,
                         const RelativePlace& place, double reach, ContactList& list) {
  const Vec3 n_b = b.facet(facet_b).normal, n_a = place.turn * a.facet(facet_a).normal;
  PatchPoints points(n_b);
  for_corners_over(a, facet_a, b, facet_b, place, reach, [&](std::int32_t v, double height, const Vec3& foot) {
    points.add({height,
                foot + height * n_b,
                foot,
                n_b,
                {Bend::tip(), Bend::flat()},
                {MeshFeature::kVertex, MeshFeature::kFacet, v, facet_b}});
  });
  const RelativePlace back{place.turn.transpose(), -(place.turn.transpose() * place.shift)};
  for_corners_over(b, facet_b, a, facet_a, back, reach, [&](std::int32_t v, double height, const Vec3&) {
    const Vec3& x = b.vertex(v);
    points.add({height,
                x - height * n_a,
                x,
                -n_a,
                {Bend::flat(), Bend::tip()},
                {MeshFeature::kFacet, MeshFeature::kVertex, facet_a, v}});
  });
  find_border_crossings(a, facet_a, b, facet_b, place, reach, points);
  points.move_to(list);
}

}  // namespace freeplay::geometry::mesh

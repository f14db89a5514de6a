// A cylinder against a mesh, in the manner of a cylinder and a box (spatial_gap_cylinder_box.cpp): points of its rims
// over facets, vertices of the mesh against its side and ends, its side and its rims across edges of the mesh.
#include "freeplay/geometry/meshes/mesh_search.h"
#include "freeplay/geometry/pairs/spatial_distance.h"
#include "freeplay/geometry/shapes/spatial_rim.h"

namespace freeplay::geometry {

namespace mesh {

namespace {

constexpr int kSamples = 16;
constexpr std::int32_t kSide = 8, kAgainstVertex = 9, kFirstRim = 10;

class CylinderSearch {
 public:
  CylinderSearch(const solid::Cylinder& a, const TriangleMesh& b, double reach, ContactList& list)
      : a_(a), b_(b), reach_(reach), list_(list), rims_{solid::rim_of(a, 0), solid::rim_of(a, 1)} {}

  MeshBox near() const {
    // A disc across u reaches sqrt(1 - u_k^2) of its radius along axis k.
    const Vec3 disc = a_.radius * (Vec3::Ones() - a_.axis.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
    MeshBox box;
    for (int end = 0; end < 2; ++end) {
      box.add(Vec3(a_.end(end) + disc));
      box.add(Vec3(a_.end(end) - disc));
    }
    box.grow(std::max(reach_, 0.0));
    return box;
  }

  void look_at(std::int32_t triangle) {
    const MeshTriangle& t = b_.triangle(triangle);
    const Vec3& n = b_.facet(t.facet).normal;
    for (int end = 0; end < 2; ++end) {
      const solid::Rim& rim = rims_[static_cast<std::size_t>(end)];
      rim_point_over(triangle, rim.lowest(n), 4 * end);
      if (!rim.fixed_count(n) || rim.up.dot(n) > 0) continue;
      for (int third = 0; third < 3; ++third) rim_point_over(triangle, rim.fixed(third), 4 * end + 1 + third);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (t.owns_vertex[k] && b_.can_touch(t.vertices[k])) vertex(t.vertices[k]);
      const MeshEdge& e = b_.edge(t.edges[k]);
      if (!t.owns_edge[k] || e.kind != EdgeKind::kConvex) continue;
      side_over(e);
      for (int end = 0; end < 2; ++end) rim_over(e, end);
    }
  }

 private:
  void add(double gap, const Vec3& on_a, const Vec3& n, const solid::Bends& bends, MeshFeature kind, std::int32_t b,
           std::int32_t a) {
    list_.add({gap, on_a, on_a - gap * n, n, bends, {MeshFeature::kOther, kind, a, b}});
  }

  void rim_point_over(std::int32_t triangle, const Vec3& x, std::int32_t feature) {
    const std::int32_t number = b_.triangle(triangle).facet;
    const MeshFacet& facet = b_.facet(number);
    const double height = facet.height(x);
    if (!(height <= reach_) || height < -facet.depth_m) return;
    if (foot_in_triangle(b_, triangle, x - height * facet.normal, facet.depth_m) == Foot::kOutside) return;
    const solid::Rim& rim = rims_[static_cast<std::size_t>(feature / 4)];
    const auto not_a_way = [&](std::int32_t f) {
      const Vec3& n = b_.facet(f).normal;
      return f == number || n.dot(rim.up) > kTie || n.dot(x - rim.centre) > kTie * rim.radius;
    };
    if (height < 0 && has_nearer_face(b_, x, -height, not_a_way)) return;
    const bool is_fixed = feature % 4 != 0;
    const Vec3 out = (x - rim.centre) / rim.radius;
    add(height, x, facet.normal, {is_fixed ? Bend::tip() : rim.bend(out, -facet.normal), Bend::flat()},
        MeshFeature::kFacet, number, feature);
  }

  void vertex(std::int32_t v) {
    const Vec3& x = b_.vertex(v);
    const solid::SignedDistance s = solid::distance(a_, x);
    if (!(s.gap <= reach_) || s.gap < -std::min(a_.radius, a_.half_length) / 2) return;
    if (!in_cone(b_, v, -s.normal, kLargestLean)) return;
    add(s.gap, s.foot, -s.normal, {s.bend, Bend::tip()}, MeshFeature::kVertex, v, kAgainstVertex);
  }

  // Whether two features that have crossed came in past another face of the mesh.
  bool came_another_way(const MeshEdge& e, double gap, const Vec3& on_a) const {
    return gap < 0 && has_nearer_face(b_, on_a, -gap,
                                      [&](std::int32_t f) { return f == b_.left_facet(e) || f == b_.right_facet(e); });
  }

  double depth_of(const MeshEdge& e) const {
    return std::max(b_.facet(b_.left_facet(e)).depth_m, b_.facet(b_.right_facet(e)).depth_m);
  }

  solid::Segment segment_of(const MeshEdge& e) const {
    return {(b_.vertex(e.start) + b_.vertex(e.end)) / 2, e.along, e.length_m / 2 + b_.rounding_m()};
  }

  void side_over(const MeshEdge& e) {
    const solid::Crossing c = solid::crossing(solid::axis_of(a_), segment_of(e));
    if (!c.exists || c.sine < kLeastSine) return;
    const Vec3 outward = b_.facet(b_.left_facet(e)).normal + b_.facet(b_.right_facet(e)).normal;
    const Vec3 w = std::copysign(1.0, c.across.dot(outward)) * c.across;
    const double gap = w.dot(c.on_a - c.on_b) - a_.radius;
    if (!(gap <= reach_) || gap < -std::min(depth_of(e), a_.radius)) return;
    const Vec3 on_a = c.on_a - a_.radius * w;
    if (!in_cone(e, w, kLargestLean) || came_another_way(e, gap, on_a)) return;
    add(gap, on_a, w, {solid::side_of(a_), Bend::edge(e.along)}, MeshFeature::kRidge, e.ridge, kSide);
  }

  void rim_over(const MeshEdge& e, int end) {
    const solid::Rim& rim = rims_[static_cast<std::size_t>(end)];
    const solid::Segment edge = segment_of(e);
    if ((rim.centre - edge.at(edge.nearest(rim.centre))).norm() > rim.radius + std::max(reach_, 0.0)) return;
    solid::for_nearest_on_rim(
        rim, kSamples, [&](const Vec3& p) { return edge.at(edge.along.dot(p - edge.middle)); },
        [&](double angle, const Vec3& foot) {
          if (!(std::abs(edge.along.dot(foot - edge.middle)) <= edge.half)) return;
          const Vec3 on_rim = rim.at(angle), d = on_rim - foot;
          const Vec3 across = edge.along.cross(rim.along(angle));
          const double sine = across.norm(), length = d.norm();
          if (!(sine > kTie)) return;
          const Vec3 outward = b_.facet(b_.left_facet(e)).normal + b_.facet(b_.right_facet(e)).normal;
          Vec3 w = std::copysign(1 / sine, across.dot(outward)) * across;
          double gap = w.dot(d);
          if (gap > sine * rim.radius) gap = length, w = d / length;  // nearly parallel and apart
          if (!(gap <= reach_) || gap < -std::min(depth_of(e), std::min(a_.radius, a_.half_length))) return;
          if (!in_cone(e, w, kLargestLean)) return;
          if (w.dot(rim.up) > kLargestLean || w.dot(rim.out(angle)) > kLargestLean) return;
          if (came_another_way(e, gap, on_rim)) return;
          const bool comes = edge.along.dot(rim.out(angle)) < 0;
          add(gap, on_rim, w, {rim.bend(rim.out(angle), -w), Bend::edge(e.along)}, MeshFeature::kRidge, e.ridge,
              kFirstRim + 2 * end + (comes ? 0 : 1));
        });
  }

  const solid::Cylinder& a_;
  const TriangleMesh& b_;
  double reach_;
  ContactList& list_;
  std::array<solid::Rim, 2> rims_;
};

}  // namespace

}  // namespace mesh

MeshContacts find_mesh_contacts(const solid::Cylinder& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out) {
  mesh::ContactList list(out);
  const solid::Cylinder cylinder = solid::placed(a, mesh::frame_of(mesh::relative_place(at_a, at_b)));
  mesh::CylinderSearch search(cylinder, b, reach_m, list);
  b.tree().for_near(search.near(), [&](std::int32_t i) { search.look_at(i); });
  return list.finish(at_b);
}

}  // namespace freeplay::geometry

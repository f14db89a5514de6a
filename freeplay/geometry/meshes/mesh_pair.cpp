// Two meshes. Of bodies with flat faces and straight edges a local minimum of the distance is one of five kinds: vertex
// over facet (either way), edge across edge, vertex beside edge (either way), vertex beside vertex. The first two are
// the only ones that can touch; they go on smoothly when bodies overlap. Where the facets beside such a minimum lie
// nearly on each other, the corners of the region that they share take its place.
#include "freeplay/geometry/meshes/mesh_patch.h"

namespace freeplay::geometry {

namespace mesh {

namespace {

class MeshPairSearch {
 public:
  MeshPairSearch(const TriangleMesh& a, const TriangleMesh& b, const RelativePlace& place, double reach,
                 ContactList& list)
      : a_(a), b_(b), place_(place), reach_(reach), list_(list) {}

  void look_at(std::int32_t triangle_a, std::int32_t triangle_b) {
    if (far_from_plane(triangle_a, triangle_b)) return;
    const MeshTriangle &ta = a_.triangle(triangle_a), &tb = b_.triangle(triangle_b);
    for (std::size_t k = 0; k < 3; ++k) {
      if (ta.owns_vertex[k] && a_.can_touch(ta.vertices[k])) vertex_of_a(ta.vertices[k], triangle_b);
      if (tb.owns_vertex[k] && b_.can_touch(tb.vertices[k])) vertex_of_b(tb.vertices[k], triangle_a);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const MeshEdge& edge_a = a_.edge(ta.edges[k]);
      if (!ta.owns_edge[k] || edge_a.kind != EdgeKind::kConvex) continue;
      for (std::size_t l = 0; l < 3; ++l) {
        const MeshEdge& edge_b = b_.edge(tb.edges[l]);
        if (tb.owns_edge[l] && edge_b.kind == EdgeKind::kConvex) edges(edge_a, edge_b);
      }
    }
  }

  void find_patches() {
    for (const auto& [facet_a, facet_b] : patches_.all())
      find_patch_contacts(a_, facet_a, b_, facet_b, place_, reach_, list_);
  }

 private:
  // All of one triangle is beyond reach in front of the plane of the other.
  bool far_from_plane(std::int32_t triangle_a, std::int32_t triangle_b) const {
    const auto is_beyond = [&](const MeshFacet& facet, const TriangleMesh& mesh, std::int32_t triangle, auto placed) {
      const auto& v = mesh.triangle(triangle).vertices;
      return std::all_of(v.begin(), v.end(),
                         [&](std::int32_t i) { return facet.height(placed(mesh.vertex(i))) > reach_; });
    };
    return is_beyond(b_.facet_of_triangle(triangle_b), a_, triangle_a,
                     [&](const Vec3& x) { return place_.point(x); }) ||
           is_beyond(a_.facet_of_triangle(triangle_a), b_, triangle_b,
                     [&](const Vec3& x) { return place_.inverse_point(x); });
  }

  void vertex_of_a(std::int32_t v, std::int32_t triangle_b) {
    point_against_triangle(
        b_, triangle_b, place_.point(a_.vertex(v)), 0, reach_,
        [&](const Vec3& n, double slack) { return in_cone(a_, v, -(place_.turn.transpose() * n), slack); },
        [&](MeshContact contact) {
          if (contact.gap < -pair_depth(a_, b_)) return;
          contact.key.kind_a = MeshFeature::kVertex;
          contact.key.a = v;
          const bool is_touch = contact.key.kind_b == MeshFeature::kFacet;
          if (is_touch) {
            const std::int32_t facet[] = {contact.key.b};
            if (faces_meet(a_.facets_at(v), facet)) return;
          } else if (contact.key.kind_b == MeshFeature::kVertex) {
            faces_meet(a_.facets_at(v), b_.facets_at(contact.key.b));
          } else {
            faces_meet_beside(a_.facets_at(v), triangle_b, contact.key.b);
          }
          list_.add(contact);
        });
  }

  void vertex_of_b(std::int32_t v, std::int32_t triangle_a) {
    const Vec3& x = b_.vertex(v);
    point_against_triangle(
        a_, triangle_a, place_.inverse_point(x), 0, reach_,
        [&](const Vec3& n, double slack) { return in_cone(b_, v, -(place_.turn * n), slack); },
        [&](const MeshContact& seen_from_a) {
          if (seen_from_a.key.kind_b == MeshFeature::kVertex) return;  // found from A
          if (seen_from_a.gap < -pair_depth(a_, b_)) return;
          const Vec3 n = -(place_.turn * seen_from_a.normal);
          const MeshContact contact{seen_from_a.gap,
                                    x + seen_from_a.gap * n,
                                    x,
                                    n,
                                    {turned(seen_from_a.bends.b, place_.turn), Bend::tip()},
                                    {seen_from_a.key.kind_b, MeshFeature::kVertex, seen_from_a.key.b, v}};
          if (contact.key.kind_a == MeshFeature::kFacet) {
            const std::int32_t facet[] = {contact.key.a};
            if (faces_meet(facet, b_.facets_at(v))) return;
          }
          list_.add(contact);
        });
  }

  void edges(const MeshEdge& edge_a, const MeshEdge& edge_b) {
    const EdgeCrossing c = cross_edges(a_, edge_a, b_, edge_b, place_, kTie);
    if (!c.exists || !(c.gap <= reach_) || c.gap < -edge_depth(a_, edge_a, b_, edge_b)) return;
    if (!in_cone(edge_b, c.normal, kTie) || !in_cone(edge_a, -(place_.turn.transpose() * c.normal), kTie)) return;
    if (crossed_another_way(a_, edge_a, b_, edge_b, place_, c)) return;
    const std::int32_t facets_a[] = {a_.left_facet(edge_a), a_.right_facet(edge_a)};
    const std::int32_t facets_b[] = {b_.left_facet(edge_b), b_.right_facet(edge_b)};
    const double sine = (place_.turn * edge_a.along).cross(edge_b.along).norm();
    if (faces_meet(facets_a, facets_b) && sine >= kLeastSine) return;
    list_.add({c.gap,
               c.on_a,
               c.on_a - c.gap * c.normal,
               c.normal,
               {Bend::edge(place_.turn * edge_a.along), Bend::edge(edge_b.along)},
               {MeshFeature::kRidge, MeshFeature::kRidge, edge_a.ridge, edge_b.ridge}});
  }

  // Notes the two facets that face each other best, if they lie nearly on each other.
  bool faces_meet(std::span<const std::int32_t> facets_a, std::span<const std::int32_t> facets_b) {
    double best = 1;
    std::int32_t best_a = -1, best_b = -1;
    for (const std::int32_t i : facets_a) {
      const Vec3 n = place_.turn * a_.facet(i).normal;
      for (const std::int32_t j : facets_b) {
        const double cosine = n.dot(b_.facet(j).normal);
        if (cosine < best) best = cosine, best_a = i, best_b = j;
      }
    }
    return best < -std::sqrt(1 - kLargestLean * kLargestLean) && patches_.add(best_a, best_b);
  }

  void faces_meet_beside(std::span<const std::int32_t> facets_a, std::int32_t triangle_b, std::int32_t ridge) {
    for (const std::int32_t i : b_.triangle(triangle_b).edges) {
      const MeshEdge& e = b_.edge(i);
      if (e.kind != EdgeKind::kConvex || e.ridge != ridge) continue;
      const std::int32_t facets_b[] = {b_.left_facet(e), b_.right_facet(e)};
      faces_meet(facets_a, facets_b);
    }
  }

  const TriangleMesh &a_, &b_;
  const RelativePlace& place_;
  double reach_;
  ContactList& list_;
  PatchList patches_;
};

}  // namespace

}  // namespace mesh

MeshContacts find_mesh_contacts(const TriangleMesh& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out) {
  mesh::ContactList list(out);
  const RelativePlace place = mesh::relative_place(at_a, at_b);
  mesh::MeshPairSearch search(a, b, place, reach_m, list);
  MeshTree::for_near_pairs(a.tree(), b.tree(), place, std::max(reach_m, mesh::pair_depth(a, b)),
                           [&](std::int32_t i, std::int32_t j) { search.look_at(i, j); });
  search.find_patches();
  return list.finish(at_b);
}

}  // namespace freeplay::geometry

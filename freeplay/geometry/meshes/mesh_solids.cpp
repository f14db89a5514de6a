// A ball, a capsule and a plane against a mesh.
#include <array>

#include "freeplay/geometry/meshes/mesh_patch.h"
#include "freeplay/geometry/pairs/spatial_distance.h"

namespace freeplay::geometry {

using mesh::ContactList;

MeshContacts find_mesh_contacts(const solid::Ball& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out) {
  ContactList list(out);
  const Vec3 centre = mesh::relative_place(at_a, at_b).point(a.centre);
  mesh::for_point_contacts(b, centre, a.radius, reach_m, [&](const MeshContact& contact) { list.add(contact); });
  return list.finish(at_b);
}

namespace {

// The side of a capsule against edges and vertices; against facets its ends say everything.
void find_side_contacts(const solid::Capsule& a, const TriangleMesh& b, double reach, ContactList& list) {
  const solid::Segment axis = solid::axis_of(a);
  MeshBox near;
  near.add(a.end(0));
  near.add(a.end(1));
  near.grow(std::max(a.radius + reach, 0.0));
  const auto add = [&](const Vec3& on_axis, const Vec3& foot, const Bend& bend, MeshFeature kind, std::int32_t number,
                       auto is_nearest) {
    const Vec3 d = on_axis - foot;
    const double length = d.norm();
    if (!(length - a.radius <= reach) || !(length > b.rounding_m()) || !is_nearest(Vec3(d / length))) return;
    const Vec3 n = d / length;
    list.add({length - a.radius,
              on_axis - a.radius * n,
              foot,
              n,
              {solid::side_of(a), bend},
              {MeshFeature::kOther, kind, 2, number}});
  };
  b.tree().for_near(near, [&](std::int32_t i) {
    const MeshTriangle& t = b.triangle(i);
    for (std::size_t k = 0; k < 3; ++k) {
      const MeshEdge& e = b.edge(t.edges[k]);
      if (t.owns_edge[k] && e.kind == EdgeKind::kConvex) {
        const solid::Crossing c = solid::crossing(
            axis, {(b.vertex(e.start) + b.vertex(e.end)) / 2, e.along, e.length_m / 2 + b.rounding_m()});
        if (c.exists)
          add(c.on_a, c.on_b, Bend::edge(e.along), MeshFeature::kRidge, e.ridge,
              [&](const Vec3& n) { return mesh::in_cone(e, n, mesh::kTie); });
      }
      const std::int32_t v = t.vertices[k];
      if (!t.owns_vertex[k] || !b.can_touch(v)) continue;
      const double s = axis.along.dot(b.vertex(v) - axis.middle);
      if (!(std::abs(s) < axis.half)) continue;
      add(axis.at(s), b.vertex(v), Bend::tip(), MeshFeature::kVertex, v,
          [&](const Vec3& n) { return mesh::in_cone(b, v, n, mesh::kTie); });
    }
  });
}

}  // namespace

MeshContacts find_mesh_contacts(const solid::Capsule& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out) {
  ContactList list(out);
  const solid::Capsule capsule = solid::placed(a, mesh::frame_of(mesh::relative_place(at_a, at_b)));
  for (int end = 0; end < 2; ++end) {
    mesh::for_point_contacts(b, capsule.end(end), capsule.radius, reach_m, [&](MeshContact contact) {
      contact.key.a = end;
      list.add(contact);
    });
  }
  find_side_contacts(capsule, b, reach_m, list);
  return list.finish(at_b);
}

MeshContacts find_mesh_contacts(const TriangleMesh& a, const solid::HalfSpace& b, const Frame& at_a, const Frame& at_b,
                                double reach_m, std::span<MeshContact> out) {
  ContactList list(out);
  const RelativePlace place = mesh::relative_place(at_a, at_b);
  const Vec3& n = b.normal;
  const Vec3 up = place.turn.transpose() * n;  // in the axes of the mesh
  const auto contact_of = [&](std::int32_t v) {
    const Vec3 x = place.point(a.vertex(v));
    const double height = n.dot(x - b.at);
    return MeshContact{
        height, x, x - height * n, n, {Bend::tip(), Bend::flat()}, {MeshFeature::kVertex, MeshFeature::kOther, v, 0}};
  };
  const double level = n.dot(b.at - place.shift) + reach_m;  // along `up`, from the origin of A
  mesh::PatchList patches;
  a.tree().for_leaves(
      [&](const MeshBox& box) {
        return up.dot(box.low + box.high) / 2 - up.cwiseAbs().dot(box.high - box.low) / 2 <= level + a.rounding_m();
      },
      [&](std::int32_t i) {
        const MeshTriangle& t = a.triangle(i);
        for (std::size_t k = 0; k < 3; ++k) {
          const std::int32_t v = t.vertices[k];
          if (!t.owns_vertex[k] || !a.can_touch(v) || !mesh::in_cone(a, v, -up, mesh::kTie)) continue;
          const MeshContact contact = contact_of(v);
          if (!(contact.gap <= reach_m)) continue;
          const auto facets = a.facets_at(v);
          const std::int32_t lowest = *std::min_element(
              facets.begin(), facets.end(),
              [&](std::int32_t f, std::int32_t g) { return up.dot(a.facet(f).normal) < up.dot(a.facet(g).normal); });
          const bool lies = up.dot(a.facet(lowest).normal) < -std::sqrt(1 - mesh::kLargestLean * mesh::kLargestLean);
          if (!lies || !patches.add(lowest, 0)) list.add(contact);
        }
      });
  for (const auto& [facet, none] : patches.all()) {
    mesh::PatchPoints points(n);
    for (const std::int32_t v : a.corners_of(facet)) {
      const MeshContact contact = contact_of(v);
      if (contact.gap <= reach_m) points.add(contact);
    }
    points.move_to(list);
  }
  return list.finish(at_b);
}

}  // namespace freeplay::geometry

// What the searches for contacts of meshes share: the list that they fill, and the conditions under which a feature is
// nearest. All of it in the axes of mesh B. Part of the implementation of mesh_contact.h.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "freeplay/geometry/meshes/mesh_contact.h"

namespace freeplay::geometry::mesh {

// Directions count as lying in a cone of normals if they leave it by no more than rounding.
inline constexpr double kTie = 1e-9;
// Faces that lean against each other by no more than this (sine) are seen as lying on each other.
inline constexpr double kLargestLean = 0.1;
// Edges that cross at less than this (sine) bound no region of contact.
inline constexpr double kLeastSine = 0.01;

class ContactList {
 public:
  explicit ContactList(std::span<MeshContact> out) : out_(out) {}

  // A contact of a key that is there already replaces it if it is nearer.
  void add(const MeshContact& contact) {
    for (int i = 0; i < found_.count; ++i) {
      MeshContact& other = out_[static_cast<std::size_t>(i)];
      if (other.key != contact.key) continue;
      if (contact.gap < other.gap) other = contact;
      return;
    }
    if (static_cast<std::size_t>(found_.count) < out_.size()) {
      out_[static_cast<std::size_t>(found_.count++)] = contact;
      return;
    }
    found_.complete = false;
    const auto farthest = std::max_element(out_.begin(), out_.end(), before);
    if (farthest != out_.end() && before(contact, *farthest)) *farthest = contact;
  }

  // To world axes, in the order of the keys.
  MeshContacts finish(const Frame& b) {
    const std::span<MeshContact> all = out_.first(static_cast<std::size_t>(found_.count));
    std::sort(all.begin(), all.end(), [](const MeshContact& x, const MeshContact& y) { return x.key < y.key; });
    for (MeshContact& contact : all) {
      contact.point_a = b.point(contact.point_a);
      contact.point_b = b.point(contact.point_b);
      contact.normal = b.R * contact.normal;
      contact.bends = {turned(contact.bends.a, b.R), turned(contact.bends.b, b.R)};
    }
    return found_;
  }

 private:
  static bool before(const MeshContact& x, const MeshContact& y) {
    return x.gap != y.gap ? x.gap < y.gap : x.key < y.key;
  }

  std::span<MeshContact> out_;
  MeshContacts found_;
};

inline RelativePlace relative_place(const Frame& a, const Frame& b) {
  return {b.R.transpose() * a.R, b.R.transpose() * (a.p - b.p)};
}

inline Frame frame_of(const RelativePlace& place) {
  return {place.turn, place.shift};
}

// Where the foot of a point lies against a triangle of its facet.
enum class Foot { kInside, kBehindGroove, kOutside };

// A face goes on behind a reflex edge: what has entered one wall of a groove by a little must still see the other.
inline Foot foot_in_triangle(const TriangleMesh& mesh, std::int32_t triangle, const Vec3& foot, double depth) {
  const MeshTriangle& t = mesh.triangle(triangle);
  Foot result = Foot::kInside;
  for (std::size_t k = 0; k < 3; ++k) {
    const MeshEdge& e = mesh.edge(t.edges[k]);
    const Vec3& out = e.left == triangle ? e.out_left : e.out_right;
    const double beyond = out.dot(foot - mesh.vertex(t.vertices[k]));
    if (beyond <= mesh.rounding_m()) continue;
    if (e.kind != EdgeKind::kReflex || beyond > depth) return Foot::kOutside;
    result = Foot::kBehindGroove;
  }
  return result;
}

// Whether the direction d, from a point of a convex edge to something outside, has the edge as its nearest feature.
inline bool in_cone(const MeshEdge& e, const Vec3& d, double slack) {
  return e.out_left.dot(d) >= -slack && e.out_right.dot(d) >= -slack;
}

// The same for a vertex.
inline bool in_cone(const TriangleMesh& mesh, std::int32_t vertex, const Vec3& d, double slack) {
  const std::span<const std::int32_t> edges = mesh.edges_at(vertex);
  return std::all_of(edges.begin(), edges.end(),
                     [&](std::int32_t i) { return mesh.direction_from(vertex, mesh.edge(i)).dot(d) <= slack; });
}

// Whether another face is nearer to x than `depth`, in front or behind: then what is `depth` behind its own face, or
// crosses an edge by that much, has come in another way, or is not inside at all. skip(facet): not that one; its own
// face, and those that it cannot have come through, because its body reaches to both sides of them: a box that lies
// flush on another one has not come in through the sides of that. An edge that leans across a face by no more than
// kLargestLean may well have come through it.
template <class Skip>
bool has_nearer_face(const TriangleMesh& mesh, const Vec3& x, double depth, Skip skip) {
  MeshBox near;
  near.add(x);
  near.grow(depth);
  const double nearer = depth * (1 - kTie) - mesh.rounding_m();
  if (!(nearer > 0)) return false;
  bool found = false;
  mesh.tree().for_leaves([&](const MeshBox& box) { return !found && box.meets(near); },
                         [&](std::int32_t i) {
                           const std::int32_t facet = mesh.triangle(i).facet;
                           const double height = mesh.facet(facet).height(x);
                           if (found || std::abs(height) >= nearer || skip(facet)) return;
                           found = foot_in_triangle(mesh, i, x - height * mesh.facet(facet).normal, 0) == Foot::kInside;
                         });
  return found;
}

// A point with a ball of `radius` around it against a triangle and what the triangle owns: calls emit(contact) for
// every feature whose distance is a local minimum, with kind_b, b, gap, points and normal set, if accept(normal) says
// so; accept(normal, slack): leaning out of its cone by that much. The borders between the features overlap by half of
// the rounding, so that nothing falls between them.
template <class Accept, class Emit>
void point_against_triangle(const TriangleMesh& mesh, std::int32_t triangle, const Vec3& x, double radius, double reach,
                            Accept accept, Emit emit) {
  const MeshTriangle& t = mesh.triangle(triangle);
  const MeshFacet& facet = mesh.facet(t.facet);
  const double rounding = mesh.rounding_m();
  const auto contact_at = [&](MeshFeature kind, std::int32_t number, double distance, const Vec3& foot, const Vec3& n,
                              const Bend& bend) {
    return MeshContact{
        distance - radius, x - radius * n, foot, n, {Bend::ball(radius), bend}, {MeshFeature::kOther, kind, 0, number}};
  };
  const double height = facet.height(x);
  if (height >= -facet.depth_m && height - radius <= reach) {
    const Vec3 foot = x - height * facet.normal;
    if (foot_in_triangle(mesh, triangle, foot, facet.depth_m) != Foot::kOutside && accept(facet.normal, kTie) &&
        (height >= 0 || !has_nearer_face(mesh, x, -height, [&](std::int32_t f) {
           return f == t.facet || !accept(mesh.facet(f).normal, kLargestLean);
         })))
      emit(contact_at(MeshFeature::kFacet, t.facet, height, foot, facet.normal, Bend::flat()));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const MeshEdge& e = mesh.edge(t.edges[k]);
    if (t.owns_edge[k] && e.kind == EdgeKind::kConvex) {
      const Vec3 from = x - mesh.vertex(e.start);
      const double s = e.along.dot(from);
      const Vec3 d = from - s * e.along;
      const double length = d.norm();
      if (s >= -rounding && s <= e.length_m + rounding && length - radius <= reach && length > rounding &&
          in_cone(e, d, -rounding / 2) && accept(d / length, kTie))
        emit(contact_at(MeshFeature::kRidge, e.ridge, length, x - d, d / length, Bend::edge(e.along)));
    }
    if (t.owns_vertex[k] && mesh.can_touch(t.vertices[k])) {
      const Vec3 d = x - mesh.vertex(t.vertices[k]);
      const double length = d.norm();
      if (length - radius <= reach && length > rounding && in_cone(mesh, t.vertices[k], d, -rounding / 2) &&
          accept(d / length, kTie))
        emit(contact_at(MeshFeature::kVertex, t.vertices[k], length, x - d, d / length, Bend::tip()));
    }
  }
}

// The same against the whole mesh. Boxes are compared with a ball around the point, not with a box: of a fine mesh that
// a large ball touches, that leaves the few triangles beneath it. A foot behind a groove lies beside its triangle, by
// up to the depth of the facet.
template <class Emit>
void for_point_contacts(const TriangleMesh& mesh, const Vec3& x, double radius, double reach, Emit emit) {
  const double depth = mesh.largest_depth_m();
  const double farthest = std::hypot(std::max(radius + reach, depth), depth) + mesh.rounding_m();
  mesh.tree().for_leaves(
      [&](const MeshBox& box) {
        return (box.low - x).cwiseMax(x - box.high).cwiseMax(0).squaredNorm() <= farthest * farthest;
      },
      [&](std::int32_t i) {
        point_against_triangle(
            mesh, i, x, radius, reach, [](const Vec3&, double) { return true; }, emit);
      });
}

}  // namespace freeplay::geometry::mesh

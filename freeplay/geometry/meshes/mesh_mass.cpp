#include "freeplay/geometry/meshes/mesh_mass.h"

#include "freeplay/geometry/meshes/mesh_builder.h"

namespace freeplay::geometry {

namespace {

// Sums over the tetrahedra between an origin and each triangle (a, b, c), with D = a . (b x c):
//   V = D/6,   int x dV = D/24 (a + b + c),   int x x^T dV = D/120 (s s^T + a a^T + b b^T + c c^T),  s = a + b + c.
// The origin is the middle of the box around the mesh, so that a part far from the origin of its axes loses no digits.
struct Moments {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 s = a + b + c;
    const double d = a.dot(b.cross(c));
    volume += d / 6;
    first += (d / 24) * s;
    second += (d / 120) * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
};

Vec3 middle_of(const TriangleMesh& mesh) {
  const MeshBox& box = mesh.tree().nodes().front().box;
  return (box.low + box.high) / 2;
}

Moments moments_of(const TriangleMesh& mesh, const Vec3& origin) {
  Moments m;
  for (const MeshTriangle& t : mesh.triangles()) {
    m.add(mesh.vertex(t.vertices[0]) - origin, mesh.vertex(t.vertices[1]) - origin,
          mesh.vertex(t.vertices[2]) - origin);
  }
  return m;
}

}  // namespace

double mesh_volume(const TriangleMesh& mesh) {
  return moments_of(mesh, middle_of(mesh)).volume;
}

Vec3 centre_of_volume(const TriangleSoup& soup) {
  MeshBox box;
  for (const Vec3& x : soup.points_m) box.add(x);
  const Vec3 origin = (box.low + box.high) / 2;
  Moments m;
  const auto corner = [&](std::int32_t i) { return Vec3(soup.points_m[static_cast<std::size_t>(i)] - origin); };
  for (const auto& t : soup.triangles) m.add(corner(t[0]), corner(t[1]), corner(t[2]));
  return m.volume != 0 ? Vec3(origin + m.first / m.volume) : origin;
}

SpatialMass mass_properties(const TriangleMesh& mesh, double density_kg_m3) {
  const Vec3 origin = middle_of(mesh);
  const Moments m = moments_of(mesh, origin);
  const Vec3 centre = m.first / m.volume;
  const Mat3 second = m.second - m.volume * centre * centre.transpose();
  SpatialMass mass;
  mass.mass_kg = density_kg_m3 * m.volume;
  mass.centre_m = origin + centre;
  mass.inertia_kg_m2 = density_kg_m3 * (second.trace() * Mat3::Identity() - second);
  return mass;
}

}  // namespace freeplay::geometry

#include "freeplay/geometry/surfaces/patches/surface_patch.h"

#include <cmath>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry {

SurfacePlace place_of_jet(const SurfaceJet& jet, double side, double offset_m) {
  const Vec3 cross = jet.x_u.cross(jet.x_v);
  const double length = cross.norm();
  const Vec3 n = side / length * cross;
  const Vec3 cross_u = jet.x_uu.cross(jet.x_v) + jet.x_u.cross(jet.x_uv);
  const Vec3 cross_v = jet.x_uv.cross(jet.x_v) + jet.x_u.cross(jet.x_vv);
  const Vec3 n_u = side / length * cross_u - (side / length * n.dot(cross_u)) * n;
  const Vec3 n_v = side / length * cross_v - (side / length * n.dot(cross_v)) * n;
  return {jet.x + offset_m * n, n, jet.x_u + offset_m * n_u, jet.x_v + offset_m * n_v, n_u, n_v};
}

FundamentalForms fundamental_forms(const SurfacePlace& p) {
  return {p.x_u.dot(p.x_u),  p.x_u.dot(p.x_v),  p.x_v.dot(p.x_v),
          -p.n_u.dot(p.x_u), -p.n_u.dot(p.x_v), -p.n_v.dot(p.x_v)};
}

// Face: dn = S dx; S in an orthonormal basis of the tangent plane is N X^-1 and symmetric. Its eigenvalues are the
// principal curvatures.
Bend bend_of(const SurfacePlace& place, int dimension) {
  if (dimension == 0) return {kInfinity, kInfinity, tangent_to(place.n)};
  if (dimension == 1) {
    const double square = place.x_u.squaredNorm();
    return {place.x_u.dot(place.n_u) / square, kInfinity, place.x_u / std::sqrt(square)};
  }
  const Vec3 e1 = tangent_to(place.n), e2 = place.n.cross(e1);
  const double x11 = e1.dot(place.x_u), x12 = e1.dot(place.x_v), x21 = e2.dot(place.x_u), x22 = e2.dot(place.x_v);
  const double n11 = e1.dot(place.n_u), n12 = e1.dot(place.n_v), n21 = e2.dot(place.n_u), n22 = e2.dot(place.n_v);
  const double det = x11 * x22 - x12 * x21;
  const double a = (n11 * x22 - n12 * x21) / det, d = (n22 * x11 - n21 * x12) / det;
  const double b = (n12 * x11 - n11 * x12 + n21 * x22 - n22 * x21) / (2 * det);
  const double mean = (a + d) / 2, half = (a - d) / 2, spread = std::hypot(half, b);
  // Eigenvector of the smaller eigenvalue mean - spread.
  const double angle = 0.5 * std::atan2(-b, -half);
  return {mean - spread, mean + spread, std::cos(angle) * e1 + std::sin(angle) * e2};
}

}  // namespace freeplay::geometry

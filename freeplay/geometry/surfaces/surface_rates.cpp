#include "freeplay/geometry/surfaces/surface_rates.h"

#include <cmath>

namespace freeplay::geometry {

// tangent_to: with s the sign of n_z, a = -1/(s + n_z):  t = (1 + s a n_x^2, s a n_x n_y, -s n_x),  a' = a^2 n_z'.
Vec3 tangent_to_rate(const Vec3& n, const Vec3& r) {
  const double s = std::copysign(1.0, n.z()), a = -1 / (s + n.z()), a_rate = a * a * r.z();
  return {s * (a_rate * n.x() * n.x() + 2 * a * n.x() * r.x()),
          s * (a_rate * n.x() * n.y() + a * (r.x() * n.y() + n.x() * r.y())), -s * r.x()};
}

SurfaceRates surface_rates(const SurfaceContact& contact, const SpatialBodyMotion& a, const SpatialBodyMotion& b) {
  const Vec3 n = contact.normal, e1 = contact.tangent(), e2 = n.cross(e1);
  SpatialContactPoint point;
  point.gap = contact.gap;
  point.point_a = contact.point_a;
  point.point_b = contact.point_b;
  point.normal = n;
  point.tangent = e1;
  point.bend_a = contact.bend_a;
  point.bend_b = contact.bend_b;
  SurfaceRates rates{spatial_rates(point, a, b)};
  rates.tangent_rate = tangent_to_rate(n, rates.normal_rate);
  rates.second_tangent_rate = rates.normal_rate.cross(e1) + n.cross(rates.tangent_rate);
  rates.tangential_bias = Vec2(e1.dot(rates.velocity_bias) + rates.tangent_rate.dot(rates.velocity),
                               e2.dot(rates.velocity_bias) + rates.second_tangent_rate.dot(rates.velocity));
  return rates;
}

}  // namespace freeplay::geometry

#include "freeplay/geometry/pairs/planar_rates.h"

#include <cmath>

#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::geometry {

namespace {

// Below this the determinant is rounding: radii of 1 m and more count as 1, smaller ones as they are, in m.
constexpr double kLeastDeterminant = 1e-12;

// kappa = c/e.
struct Curvature {
  double c, e;

  explicit Curvature(double kappa)
      : c(std::abs(kappa) > 1 ? std::copysign(1.0, kappa) : kappa), e(std::abs(kappa) > 1 ? 1 / std::abs(kappa) : 1) {}
};

}  // namespace

// With l' = e p on both sides and Omega as the mean of its two expressions, which makes the equations those of both
// partners:
//   c_A p_A - c_B p_B = omega_B - omega_A,   (e_A + g c_A / 2) p_A + (e_B + g c_B / 2) p_B = -gamma_T - g omega_mean.
PlanarRates planar_rates(const PlanarContactPoint& contact, const PlanarBodyMotion& a, const PlanarBodyMotion& b) {
  const Vec2 n = contact.normal, t = tangent_of(n);
  const Vec2 v = a.velocity_at(contact.point_a) - b.velocity_at(contact.point_b);
  PlanarRates rates;
  rates.gap_rate = n.dot(v);
  const double sliding = t.dot(v), g = contact.gap, mean = (a.omega + b.omega) / 2;
  const Curvature of_a(contact.curvature_a), of_b(contact.curvature_b);
  const double m11 = of_a.c, m12 = -of_b.c, m21 = of_a.e + g * of_a.c / 2, m22 = of_b.e + g * of_b.c / 2;
  const double r1 = b.omega - a.omega, r2 = -sliding - g * mean;
  const double determinant = m11 * m22 - m12 * m21;
  rates.is_regular = std::abs(determinant) > kLeastDeterminant;
  double p_a = 0, p_b = 0;
  if (rates.is_regular) {
    p_a = (r1 * m22 - m12 * r2) / determinant;
    p_b = (m11 * r2 - r1 * m21) / determinant;
  } else {
    // A matrix of rank 1 has the pseudoinverse M^T / |M|^2.
    const double square = m11 * m11 + m12 * m12 + m21 * m21 + m22 * m22;
    p_a = (m11 * r1 + m21 * r2) / square;
    p_b = (m12 * r1 + m22 * r2) / square;
  }
  rates.travel_a = of_a.e * p_a;
  rates.travel_b = of_b.e * p_b;
  const double turn = mean + (of_a.c * p_a + of_b.c * p_b) / 2;
  rates.normal_turn = turn;
  // n' = -Omega t; the material points change as well, by l_A' t and -l_B' t. The tangent of a guide may point the
  // other way: its rate is Omega times itself, turned by 90 degrees.
  const Vec2 acceleration = a.acceleration_at(contact.point_a) - b.acceleration_at(contact.point_b);
  const Vec2& along = contact.tangent;
  rates.sliding = along.dot(v);
  rates.normal_bias = n.dot(acceleration) - turn * sliding + a.omega * rates.travel_a + b.omega * rates.travel_b;
  rates.tangential_bias = along.dot(acceleration) + turn * Vec2(-along.y(), along.x()).dot(v);
  return rates;
}

}  // namespace freeplay::geometry

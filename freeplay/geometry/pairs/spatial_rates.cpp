#include "freeplay/geometry/pairs/spatial_rates.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry {

namespace {

// Pivots below this are rounding: radii of 1 m and more count as 1, smaller ones as they are, in m.
constexpr double kLeastPivot = 1e-12;

// E and C in an orthonormal basis of the tangent plane, scaled so that no entry is above 1.
struct Forms {
  Mat2 E = Mat2::Zero(), C = Mat2::Zero();

  void add(double curvature, const Vec2& direction) {
    const bool is_sharp = std::abs(curvature) > 1;
    const Mat2 projector = direction * direction.transpose();
    E += (is_sharp ? 1 / std::abs(curvature) : 1) * projector;
    C += (is_sharp ? std::copysign(1.0, curvature) : curvature) * projector;
  }
};

Forms forms_of(const Bend& bend, const Vec3& e1, const Vec3& e2) {
  Forms forms;
  Vec2 first = Vec2::UnitX();
  if (bend.curvature_1 != bend.curvature_2)
    first = Vec2(e1.dot(bend.direction_1), e2.dot(bend.direction_1)).normalized();
  forms.add(bend.curvature_1, first);
  forms.add(bend.curvature_2, {-first.y(), first.x()});
  return forms;
}

}  // namespace

// n' is taken as the mean of what the two surfaces say, which makes the equations those of both partners:
//   | C_A                C_B               | |p_A|   | turn_A - turn_B                      |
//   | E_A + g C_A / 2   -(E_B + g C_B / 2) | |p_B| = | g (turn_A + turn_B) / 2 - (v_A - v_B) |,   turn = omega x n.
SpatialRates spatial_rates(const SpatialContactPoint& contact, const SpatialBodyMotion& a, const SpatialBodyMotion& b) {
  const Vec3 &n = contact.normal, &e1 = contact.tangent;
  const Vec3 e2 = contact.second_tangent();
  const auto tangential = [&](const Vec3& w) { return Vec2(e1.dot(w), e2.dot(w)); };
  const auto in_space = [&](const Vec2& w) { return Vec3(w[0] * e1 + w[1] * e2); };
  SpatialRates rates;
  rates.velocity = a.velocity_at(contact.point_a) - b.velocity_at(contact.point_b);
  rates.gap_rate = n.dot(rates.velocity);
  rates.sliding = tangential(rates.velocity);
  const Forms of_a = forms_of(contact.bend_a, e1, e2), of_b = forms_of(contact.bend_b, e1, e2);
  const Vec2 turn_a = tangential(a.omega.cross(n)), turn_b = tangential(b.omega.cross(n)), mean = (turn_a + turn_b) / 2;
  const double g = contact.gap;
  Eigen::Matrix4d J;
  J << of_a.C, of_b.C, of_a.E + g / 2 * of_a.C, -(of_b.E + g / 2 * of_b.C);
  Vec4 right;
  right << turn_a - turn_b, g * mean - rates.sliding;
  Eigen::FullPivLU<Eigen::Matrix4d> factors;
  factors.setThreshold(kLeastPivot);
  factors.compute(J);
  rates.is_regular = factors.isInvertible();
  Vec4 p;
  if (rates.is_regular) {
    p = factors.solve(right);
  } else {
    // An orthogonal decomposition would be cheaper, but Eigen's allocates.
    Eigen::JacobiSVD<Eigen::Matrix4d> least;
    least.setThreshold(kLeastPivot);
    p = least.compute(J, Eigen::ComputeFullU | Eigen::ComputeFullV).solve(right);
  }
  const Vec2 p_a = p.head<2>(), p_b = p.tail<2>();
  const Vec2 n_rate = mean + (of_b.C * p_b - of_a.C * p_a) / 2;
  rates.travel_a = in_space(of_a.E * p_a);
  rates.travel_b = in_space(of_b.E * p_b);
  rates.normal_rate = in_space(n_rate);
  // The material points change as well: v' has omega x (travel) on both sides.
  rates.velocity_bias = a.acceleration_at(contact.point_a) - b.acceleration_at(contact.point_b) +
                        a.omega.cross(rates.travel_a) - b.omega.cross(rates.travel_b);
  // t' = -(t . n') n.
  rates.normal_bias = n.dot(rates.velocity_bias) + rates.normal_rate.dot(rates.velocity);
  rates.tangential_bias = tangential(rates.velocity_bias) - rates.gap_rate * n_rate;
  return rates;
}

}  // namespace freeplay::geometry

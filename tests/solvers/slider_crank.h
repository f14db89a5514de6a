// The slider-crank of Flores, Leine, Glocker (2010), section 6, in the coordinates of the paper: its LCPs without a
// simulator around them.
#pragma once

#include <Eigen/LU>
#include <cmath>
#include <span>

#include "unit/complementarity/contact_problem.h"

namespace freeplay::test {

struct SliderCrank {
  // Table 1; d = 2 (b + c) is in no equation used here.
  double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025;
  double m1 = 0.038, m2 = 0.038, m3 = 0.076;
  double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, g = 9.81;

  // Eqs (90)-(94).
  Mat3 mass_matrix(const Vec3& q) const {
    const double M12 = (m2 / 2 + m3) * l1 * l2 * std::cos(q[1] - q[0]);
    Mat3 M = Mat3::Zero();
    M(0, 0) = J1 + (m1 / 4 + m2 + m3) * l1 * l1;
    M(0, 1) = M(1, 0) = M12;
    M(1, 1) = J2 + (m2 / 4 + m3) * l2 * l2;
    M(2, 2) = J3;
    return M;
  }

  // Eqs (95)-(97).
  Vec3 forces(const Vec3& q, const Vec3& u) const {
    const double coupling = (m2 / 2 + m3) * l1 * l2 * std::sin(q[1] - q[0]);
    return {coupling * u[1] * u[1] - (m1 / 2 + m2 + m3) * g * l1 * std::cos(q[0]),
            -coupling * u[0] * u[0] - (m2 / 2 + m3) * g * l2 * std::cos(q[1]), 0};
  }

  // Eqs (106)-(113); corner 1 = (-a, +b), 2 = (+a, +b) on the upper guide, 3 = (-a, -b), 4 = (+a, -b) on the lower.
  Vec3 w_N(int corner, const Vec3& q) const {
    const double side = corner <= 2 ? -1 : 1;
    const double along = corner == 1 || corner == 4 ? a : -a;
    return {side * l1 * std::cos(q[0]), side * l2 * std::cos(q[1]), along * std::cos(q[2]) + b * std::sin(q[2])};
  }
  Vec3 w_T(int corner, const Vec3& q) const {
    const double along = corner == 1 || corner == 3 ? a : -a;
    const double across = corner <= 2 ? -b : b;
    return {-l1 * std::sin(q[0]), -l2 * std::sin(q[1]), along * std::sin(q[2]) + across * std::cos(q[2])};
  }
};

// One Moreau step's contact problem at the midpoint configuration q, rows (N, T) per active corner.
struct SliderCrankStep {
  ContactProblem problem;
  Mat3 M_inverse;
  Eigen::Matrix<double, 3, Eigen::Dynamic> W;
  Vec3 u_free;

  Vec3 u_end(const VecX& Lambda) const { return u_free + M_inverse * (W * Lambda); }
};

inline SliderCrankStep make_step(std::span<const int> corners, const Vec3& q, const Vec3& u_A, double dt, double mu,
                                 double eps_N, double eps_T) {
  const SliderCrank crank;
  SliderCrankStep step;
  step.M_inverse = crank.mass_matrix(q).inverse();
  step.u_free = u_A + step.M_inverse * crank.forces(q, u_A) * dt;
  const int n = 2 * static_cast<int>(corners.size());
  step.W.resize(3, n);
  step.problem.c.resize(n);
  for (int k = 0; k < n / 2; ++k) {
    const Vec3 w_N = crank.w_N(corners[k], q), w_T = crank.w_T(corners[k], q);
    step.W.col(2 * k) = w_N;
    step.W.col(2 * k + 1) = w_T;
    step.problem.c[2 * k] = w_N.dot(step.u_free) + eps_N * w_N.dot(u_A);
    step.problem.c[2 * k + 1] = w_T.dot(step.u_free) + eps_T * w_T.dot(u_A);
    step.problem.contact(mu);
  }
  step.problem.G = step.W.transpose() * step.M_inverse * step.W;
  return step;
}

}  // namespace freeplay::test

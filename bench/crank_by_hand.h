// The slider-crank of examples/slider_crank.yaml written by hand for bench/batch.cpp: what code for this one mechanism
// can reach. Moreau's midpoint rule with forces at the midpoint, Newton's impacts, Coulomb's friction without e_T,
// every step certified. Coordinates are the angles of crank, rod and slider. Flores, Leine, Glocker (2010), section 6.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "freeplay/core/layers.h"

namespace freeplay::bench {

class CrankByHand {
 public:
  CrankByHand(double clearance_m, double slider_omega) : half_(kB + clearance_m) { u_[2] = slider_omega; }

  void run(int steps, double dt) {
    for (int k = 0; k < steps; ++k) step(dt);
  }
  double crank_omega() const { return u_[0]; }
  double rod_omega() const { return u_[1]; }
  long long uncertified() const { return uncertified_; }

 private:
  using Row = std::array<double, 3>;
  struct Corner {
    Row normal, tangent, B_N, B_T;
    double gamma_N = 0, nn = 0, nt = 0, tt = 0, N = 0, T = 0, c_N = 0, c_T = 0;
  };

  static constexpr double kL1 = 0.153, kL2 = 0.306, kA = 0.05, kB = 0.025, kM1 = 0.038, kM2 = 0.038, kM3 = 0.076;
  static constexpr double kJ1 = 7.4e-5, kJ2 = 5.9e-4, kJ3 = 2.7e-6, kGravity = 9.81, kRestitution = 0.4,
                          kFriction = 0.01;
  static constexpr double kCoupling = (0.5 * kM2 + kM3) * kL1 * kL2;
  static constexpr double kM11 = kJ1 + (0.25 * kM1 + kM2 + kM3) * kL1 * kL1;
  static constexpr double kM22 = kJ2 + (0.25 * kM2 + kM3) * kL2 * kL2;
  static constexpr double kWeight1 = (0.5 * kM1 + kM2 + kM3) * kGravity * kL1;
  static constexpr double kWeight2 = (0.5 * kM2 + kM3) * kGravity * kL2;
  static constexpr double kTolerance = 1e-9;

  static double product(const Row& a, const Row& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  Row inverse_mass(const Row& b) const {
    return {inverse_ * (kM22 * b[0] - m12_ * b[1]), inverse_ * (kM11 * b[1] - m12_ * b[0]), b[2] * (1 / kJ3)};
  }
  // u_A + dt M^-1 h(q_M, w).
  Row velocity_with(double w1, double w2, double dt) const {
    const double s = kCoupling * (s_[1] * c_[0] - c_[1] * s_[0]);
    const Row a = inverse_mass({s * w2 * w2 - kWeight1 * c_[0], -s * w1 * w1 - kWeight2 * c_[1], 0});
    return {u_[0] + dt * a[0], u_[1] + dt * a[1], u_[2]};
  }

  void step(double dt) {
    Row q;
    for (std::size_t i = 0; i < 3; ++i) {
      q[i] = q_[i] + 0.5 * dt * u_[i];
      s_[i] = std::sin(q[i]);
      c_[i] = std::cos(q[i]);
    }
    m12_ = kCoupling * (c_[0] * c_[1] + s_[0] * s_[1]);
    inverse_ = 1 / (kM11 * kM22 - m12_ * m12_);
    const Row free = velocity_with(u_[0], u_[1], dt);
    const double y = kL1 * s_[0] + kL2 * s_[1], base = half_ - kB * c_[2], lean = kA * s_[2];
    Row end;
    if (base - std::abs(y) - std::abs(lean) > 0) {
      end = velocity_with(0.5 * (u_[0] + free[0]), 0.5 * (u_[1] + free[1]), dt);
    } else {
      const std::array<double, 4> gaps = {base - y + lean, base - y - lean, base + y - lean, base + y + lean};
      end = contact_velocity(gaps, free, dt);
    }
    for (std::size_t i = 0; i < 3; ++i) q_[i] = q[i] + 0.5 * dt * end[i];
    u_ = end;
  }

  // Corners -+a, +b on the upper guide, -+a, -b on the lower one; eqs (106)-(113) of the paper.
  Corner corner(int i) const {
    const double side = i >= 2 ? 1 : -1, x = i % 2 == 0 ? -kA : kA, z = -side * kB;
    Corner at;
    at.normal = {side * kL1 * c_[0], side * kL2 * c_[1], side * (x * c_[2] - z * s_[2])};
    at.tangent = {-kL1 * s_[0], -kL2 * s_[1], -x * s_[2] - z * c_[2]};
    at.B_N = inverse_mass(at.normal);
    at.B_T = inverse_mass(at.tangent);
    at.gamma_N = product(at.normal, u_);
    at.nn = product(at.normal, at.B_N);
    at.nt = product(at.normal, at.B_T);
    at.tt = product(at.tangent, at.B_T);
    return at;
  }

  Row contact_velocity(const std::array<double, 4>& gaps, const Row& free, double dt) {
    int count = 0, first = 0, last = 0;
    for (int i = 0; i < 4; ++i) {
      if (gaps[static_cast<std::size_t>(i)] > 0) continue;
      if (count++ == 0) first = i;
      last = i;
    }
    Corner a = corner(first), b = corner(last);
    const Row trial = solve(a, b, count > 1, free);
    const Row start = velocity_with(0.5 * (u_[0] + trial[0]), 0.5 * (u_[1] + trial[1]), dt);
    const Row end = solve(a, b, count > 1, start);
    if (!is_solved_ || count > 2) ++uncertified_;
    return end;
  }

  // What is loaded slips as it would slip freely: a linear complementarity problem of two normal impulses.
  Row solve(Corner& a, Corner& b, bool two, const Row& start) {
    for (Corner* at : {&a, &b}) {
      at->c_N = product(at->normal, start) + kRestitution * at->gamma_N;
      at->c_T = product(at->tangent, start);
      at->N = at->T = 0;
    }
    const double s_a = a.c_T >= 0 ? -kFriction : kFriction, s_b = b.c_T >= 0 ? -kFriction : kFriction;
    const double nn = product(a.normal, b.B_N), nt = product(a.normal, b.B_T), tn = product(a.tangent, b.B_N),
                 tt = product(a.tangent, b.B_T);
    const double a11 = a.nn + s_a * a.nt, a22 = b.nn + s_b * b.nt, a12 = nn + s_b * nt, a21 = nn + s_a * tn;
    const double of_a = b.c_N * a12 - a.c_N * a22, of_b = a.c_N * a21 - b.c_N * a11;
    if (two && of_a > 0 && of_b > 0) {
      const double inverse = 1 / (a11 * a22 - a12 * a21);
      a.N = of_a * inverse;
      b.N = of_b * inverse;
    } else if (a.c_N < 0 && (!two || of_b <= 0)) {
      a.N = -a.c_N / a11;
    } else if (two && b.c_N < 0) {
      b.N = -b.c_N / a22;
    }
    a.T = s_a * a.N;
    b.T = s_b * b.N;
    is_solved_ = holds(a, nn * b.N + nt * b.T, tn * b.N + tt * b.T) &&
                 (!two || holds(b, nn * a.N + tn * a.T, nt * a.N + tt * a.T));
    Row u;
    for (std::size_t i = 0; i < 3; ++i)
      u[i] = start[i] + a.B_N[i] * a.N + a.B_T[i] * a.T + (two ? b.B_N[i] * b.N + b.B_T[i] * b.T : 0);
    return u;
  }

  // The natural residual of a corner; `other`: what the other one adds.
  static bool holds(const Corner& at, double other_N, double other_T) {
    const double norm = at.nn + at.tt, bound = norm * kFriction * std::max(0.0, at.N);
    const double e_N = std::min(norm * at.N, at.c_N + at.nn * at.N + at.nt * at.T + other_N);
    const double xi_T = at.c_T + at.nt * at.N + at.tt * at.T + other_T, T = norm * at.T;
    const double e_T = std::max(T - bound, std::min(T + bound, xi_T));
    return std::abs(e_N) <= kTolerance && std::abs(e_T) <= kTolerance;
  }

  Row q_{}, u_ = {150, -75, 0}, s_{}, c_{};
  double half_, m12_ = 0, inverse_ = 0;
  bool is_solved_ = true;
  long long uncertified_ = 0;
};

}  // namespace freeplay::bench

#include "freeplay/complementarity/iterative/one_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/math/types.h"

namespace freeplay::complementarity {
namespace {

constexpr double kTiny = 1e-14;  // against blocks of norm 1: a row that its own impulse does not move

// lo <= z <= hi with v = K z + b.
bool solve_row(double K, double b, double lo, double hi, double& z) {
  if (K > kTiny) {
    z = std::max(lo, std::min(-b / K, hi));
    return true;
  }
  if (b == 0) {
    z = std::max(lo, std::min(z, hi));
    return true;
  }
  z = b > 0 ? lo : hi;
  return std::isfinite(z) && std::abs(K) <= kTiny;
}

struct PlanarContact {
  const GroupedSet& friction;
  Eigen::Map<const Mat2> K;
  Eigen::Map<const Vec2> b;

  double lo(double N) const { return friction.lo0 + friction.lo1 * N; }
  double hi(double N) const { return friction.hi0 + friction.hi1 * N; }

  bool open(Vec2& z) const {
    z[0] = 0;
    return solve_row(K(1, 1), b[1], lo(0), hi(0), z[1]) && K(0, 1) * z[1] + b[0] >= 0;
  }
  bool stick(Vec2& z) const {
    const double determinant = K(0, 0) * K(1, 1) - K(0, 1) * K(1, 0);
    if (!(std::abs(determinant) > kTiny)) return false;
    z[0] = -(K(1, 1) * b[0] - K(0, 1) * b[1]) / determinant;
    z[1] = -(K(0, 0) * b[1] - K(1, 0) * b[0]) / determinant;
    return z[0] >= 0 && lo(z[0]) <= z[1] && z[1] <= hi(z[0]);
  }
  // At the lower bound the contact slides in positive direction, at the upper one in negative direction.
  bool slide(bool at_lower, Vec2& z) const {
    const double offset = at_lower ? friction.lo0 : friction.hi0, slope = at_lower ? friction.lo1 : friction.hi1;
    if (!std::isfinite(offset)) return false;
    const double A = K(0, 0) + K(0, 1) * slope;
    if (!(std::abs(A) > kTiny)) return false;
    z[0] = -(b[0] + K(0, 1) * offset) / A;
    z[1] = offset + slope * z[0];
    const double v = K(1, 0) * z[0] + K(1, 1) * z[1] + b[1];
    return z[0] >= 0 && (at_lower ? v >= 0 : v <= 0);
  }
};

struct SpatialContact {
  const GroupedSet& friction;
  Eigen::Map<const Mat3> K;
  Eigen::Map<const Vec3> b;

  bool open(Vec3& z) const {
    z.setZero();
    return friction.r0 == 0 && b[0] >= 0;
  }
  bool stick(Vec3& z) const {
    const double determinant = K.determinant();
    if (!(std::abs(determinant) > kTiny)) return false;
    z = K.inverse() * -b;
    return z[0] >= 0 && z.tail<2>().norm() <= friction.r0 + friction.mu * z[0];
  }

  // z for sliding along t, and the numerator of  t x v_T:  multiplied by K_NN - mu K_NT t, so that it has no poles.
  double sliding_equation(double angle, Vec3& z, Vec2& t) const {
    t = Vec2(std::cos(angle), std::sin(angle));
    const double K_t = K(0, 1) * t[0] + K(0, 2) * t[1];
    const double numerator = friction.r0 * K_t - b[0], denominator = K(0, 0) - friction.mu * K_t;
    z[0] = numerator / denominator;
    const double radius = friction.r0 * denominator + friction.mu * numerator;  // times denominator
    const Vec2 z_T = -radius * t;
    z.tail<2>() = z_T / denominator;
    const Vec2 v_T = K.block<2, 1>(1, 0) * numerator + K.block<2, 2>(1, 1) * z_T + b.tail<2>() * denominator;
    return t[0] * v_T[1] - t[1] * v_T[0];
  }
  bool is_sliding(const Vec3& z, const Vec2& t) const {
    if (!z.allFinite() || z[0] < 0 || friction.r0 + friction.mu * z[0] < 0) return false;
    const Vec2 v_T = K.bottomRows<2>() * z + b.tail<2>();
    return v_T.dot(t) >= 0;
  }
  // The equation has at most six zeros; a second, finer look finds those that lie close together.
  bool slide(Vec3& z) const {
    const Vec2 present(-z[1], -z[2]);
    const double start = present.norm() > 0 ? std::atan2(present[1], present[0]) : std::atan2(b[2], b[1]);
    return slide_within(24, start, z) || slide_within(720, start, z);
  }

 private:
  // Looks at `sectors` around the circle, the one of the start first and then alternating to both sides.
  bool slide_within(int sectors, double start, Vec3& z) const {
    const double width = 2 * std::numbers::pi / sectors;
    Vec2 t;
    for (int k = 0; k < sectors; ++k) {
      const int sector = k % 2 == 0 ? k / 2 : -(k + 1) / 2;
      const double left = start + (sector - 0.5) * width, right = left + width;
      const double f_left = sliding_equation(left, z, t);
      const double f_right = sliding_equation(right, z, t);
      if ((f_left > 0) == (f_right > 0) && f_left != 0) continue;
      refine(left, right, f_left, f_right, z, t);
      if (is_sliding(z, t)) return true;
    }
    return false;
  }

  // Regula falsi with bisection where it does not at least halve the interval; ends at neighbouring numbers.
  void refine(double left, double right, double f_left, double f_right, Vec3& z, Vec2& t) const {
    for (int k = 0; k < 100; ++k) {
      double middle = left - f_left * (right - left) / (f_right - f_left);
      const double bisected = 0.5 * (left + right);
      if (k % 3 == 2 || !(middle > left && middle < right)) middle = bisected;
      const double f = sliding_equation(middle, z, t);
      if (f == 0 || !(middle > left && middle < right)) return;
      if ((f > 0) == (f_left > 0)) {
        left = middle;
        f_left = f;
      } else {
        right = middle;
        f_right = f;
      }
      if (right - left <= 1e-15 * std::max(1.0, std::abs(left))) return;
    }
  }
};

bool solve_planar(std::span<const GroupedSet> sets, const double* K, const double* b, double* z) {
  const PlanarContact contact{sets[1], Eigen::Map<const Mat2>(K), Eigen::Map<const Vec2>(b)};
  Vec2 x(z[0], z[1]);
  if (contact.open(x) || contact.stick(x) || contact.slide(true, x) || contact.slide(false, x)) {
    z[0] = x[0], z[1] = x[1];
    return true;
  }
  return false;
}

bool solve_spatial(std::span<const GroupedSet> sets, const double* K, const double* b, double* z) {
  const SpatialContact contact{sets[1], Eigen::Map<const Mat3>(K), Eigen::Map<const Vec3>(b)};
  Vec3 x;
  if (!contact.open(x) && !contact.stick(x)) {
    x = Vec3(z[0], z[1], z[2]);
    if (!contact.slide(x)) return false;
  }
  for (int k = 0; k < 3; ++k) z[k] = x[k];
  return true;
}

}  // namespace

bool solve_one_contact(std::span<const GroupedSet> sets, int size, const double* K, const double* b, double* z) {
  const GroupedSet& first = sets[0];
  bool is_solved = false;
  if (sets.size() == 1 && size == 1) {
    const bool is_free = first.set == ImpulseSet::kFree, is_normal = first.set == ImpulseSet::kNonNegative;
    const double lo = is_free     ? -kInfinity
                      : is_normal ? 0
                                  : first.lo0,
                 hi = is_free || is_normal ? kInfinity : first.hi0;
    double x = z[0];
    is_solved = solve_row(K[0], b[0], lo, hi, x);
    if (is_solved) z[0] = x;
  } else if (sets.size() == 2 && sets[1].set == ImpulseSet::kInterval) {
    is_solved = solve_planar(sets, K, b, z);
  } else if (sets.size() == 2 && sets[1].set == ImpulseSet::kDisc && !sets[1].is_cut()) {
    is_solved = solve_spatial(sets, K, b, z);
  }
  if (is_solved) return true;
  double y[GroupedProblem::kMaxContactRows];
  for (int i = 0; i < size; ++i) {
    double v = b[i];
    for (int j = 0; j < size; ++j) v += K[i + j * size] * z[j];
    y[i] = z[i] - v;
  }
  project_contact(sets, y[0], y, z);
  return false;
}

}  // namespace freeplay::complementarity

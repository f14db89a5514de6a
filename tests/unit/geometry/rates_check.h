// Second order of gap functions, PlanarGap::rates and SpatialGap::rates, against differences of sixth order along the
// motion of both bodies at constant velocities, and under exchange of the partners.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "freeplay/geometry/shapes/spatial_solids.h"
#include "unit/geometry/planar/planar_gap_cases.h"
#include "unit/geometry/spatial/spatial_gap_cases.h"

namespace freeplay::test {

struct RatesCount {
  int compared = 0, left_out = 0, negative = 0;
  int deep = 0;  // of meshes: a body that is all inside of another one has the depth along a ray instead of a gap
};

// Values at -3 h, ..., 3 h.
class Differences {
 public:
  Differences(const std::array<double, 7>& f, double h)
      : fourth_((8 * (f[4] - f[2]) - (f[5] - f[1])) / (12 * h)),
        sixth_((45 * (f[4] - f[2]) - 9 * (f[5] - f[1]) + (f[6] - f[0])) / (60 * h)) {}

  double slope() const { return sixth_; }
  // Where a feature changes within the stencil the two orders differ by about as much as both err.
  bool are_smooth() const { return std::abs(sixth_ - fourth_) < 2e-8 * (1 + std::abs(sixth_)); }

 private:
  double fourth_, sixth_;
};

// The points of a pair at seven times; those of a pair that follows contacts have the contacts of the middle one.
template <class Point, class Gap, class Motion>
std::array<std::vector<Point>, 7> points_around(const Gap& gap, const Motion& a, const Motion& b, double h) {
  const std::size_t count = static_cast<std::size_t>(gap.point_count());
  std::vector<std::uint64_t> before(count, 0), middle(count, 0), now(count, 0);
  std::array<std::vector<Point>, 7> points;
  for (const int k : {3, 0, 1, 2, 4, 5, 6}) {
    const double s = (k - 3) * h;
    points[static_cast<std::size_t>(k)].resize(count);
    gap.follow(a.at(s), b.at(s), k == 3 ? before : middle, points[static_cast<std::size_t>(k)], k == 3 ? middle : now);
  }
  return points;
}

inline PlanarBodyMotion motion_at(const Motion& m, double s) {
  return {{m.x + s * m.vx, m.y + s * m.vy}, {m.vx, m.vy}, m.omega, Vec2::Zero(), 0};
}
inline SpatialBodyMotion motion_of(const SpatialMotion& m, double s) {
  return {m.start.p + s * m.v, m.v, m.omega, Vec3::Zero(), Vec3::Zero()};
}

inline PlanarContactPoint exchanged(const PlanarContactPoint& p) {
  return {p.gap, p.point_b, p.point_a, -p.normal, -p.tangent, p.curvature_b, p.curvature_a, p.is_centred};
}

constexpr double kShorter = 8;

inline bool are_near(double value, double expected) {
  return std::abs(value - expected) < 1e-7 * (1 + std::abs(expected));
}

inline void expect_near_relative(double value, double expected, double tolerance, const std::string& name) {
  EXPECT_NEAR(value, expected, tolerance * (1 + std::abs(expected))) << name;
}

// Of one point around the middle of its times: of the gap, of gamma_N and of gamma_T.
struct PlanarSlopes {
  bool are_smooth = true;
  double gap = 0, normal = 0, tangential = 0;
};

inline PlanarSlopes slopes_of(const std::array<std::vector<PlanarContactPoint>, 7>& points, std::size_t i,
                              const Motion& a, const Motion& b, double h) {
  std::array<double, 7> gaps{}, gamma_N{}, gamma_T{};
  PlanarSlopes slopes;
  for (std::size_t k = 0; k < 7; ++k) {
    const PlanarContactPoint& p = points[k][i];
    const double s = (static_cast<double>(k) - 3) * h;
    const Vec2 v = motion_at(a, s).velocity_at(p.point_a) - motion_at(b, s).velocity_at(p.point_b);
    gaps[k] = p.gap;
    gamma_N[k] = p.normal.dot(v);
    gamma_T[k] = p.tangent.dot(v);
    slopes.are_smooth = slopes.are_smooth && std::isfinite(p.gap) && !p.is_centred;
  }
  const Differences gap(gaps, h), normal(gamma_N, h), tangential(gamma_T, h);
  slopes.are_smooth = slopes.are_smooth && normal.are_smooth() && tangential.are_smooth();
  slopes.gap = gap.slope();
  slopes.normal = normal.slope();
  slopes.tangential = tangential.slope();
  return slopes;
}

inline void check_rates(const PlanarGap& gap, const Motion& a, const Motion& b, double h, const std::string& name,
                        RatesCount& count) {
  const auto points = points_around<PlanarContactPoint>(gap, a, b, h);
  for (std::size_t i = 0; i < points[3].size(); ++i) {
    const PlanarContactPoint& now = points[3][i];
    if (std::isinf(now.gap)) continue;
    PlanarSlopes slopes = slopes_of(points, i, a, b, h);
    const PlanarBodyMotion move_a = motion_at(a, 0), move_b = motion_at(b, 0);
    const PlanarRates rates = gap.rates(a.at(0), b.at(0), now, move_a, move_b);
    // Knots of a spline may lie within the stencil and be missed: a shorter one decides.
    const bool is_near =
        are_near(rates.normal_bias, slopes.normal) && are_near(rates.tangential_bias, slopes.tangential);
    if (slopes.are_smooth && !is_near) {
      const double shorter = h / kShorter;
      slopes = slopes_of(points_around<PlanarContactPoint>(gap, a, b, shorter), i, a, b, shorter);
    }
    if (!slopes.are_smooth) {
      ++count.left_out;
      continue;
    }
    const Vec2 v = move_a.velocity_at(now.point_a) - move_b.velocity_at(now.point_b);
    expect_near_relative(rates.gap_rate, slopes.gap, 1e-7, name);
    expect_near_relative(rates.gap_rate, now.normal.dot(v), 1e-14, name);
    expect_near_relative(rates.sliding, now.tangent.dot(v), 1e-14, name);
    expect_near_relative(rates.normal_bias, slopes.normal, 1e-7, name);
    expect_near_relative(rates.tangential_bias, slopes.tangential, 1e-7, name);
    // A cam by its lift has a rule of its own, and no curvatures.
    if (now.curvature_a != 0 || now.curvature_b != 0) {
      const PlanarRates back = planar_rates(exchanged(now), move_b, move_a);
      expect_near_relative(back.normal_bias, rates.normal_bias, 1e-12, name);
      expect_near_relative(back.tangential_bias, rates.tangential_bias, 1e-12, name);
    }
    ++count.compared;
    if (now.gap < 0) ++count.negative;
  }
}

// A tangent that follows the normal from n to m without turning about it.
inline Vec3 carried(const Vec3& t, const Vec3& n, const Vec3& m) {
  return t - (t.dot(m) / (1 + n.dot(m))) * (n + m);
}

// The same contact as the other body has it: n and t turn around, n x t does not.
inline void check_exchange(const SpatialContactPoint& now, const SpatialBodyMotion& a, const SpatialBodyMotion& b,
                           const std::string& name) {
  SpatialContactPoint back = now;
  solid::swap_sides(back);
  const SpatialRates one = spatial_rates(now, a, b), other = spatial_rates(back, b, a);
  expect_near_relative(other.normal_bias, one.normal_bias, 1e-12, name);
  expect_near_relative(other.tangential_bias[0], one.tangential_bias[0], 1e-12, name);
  expect_near_relative(other.tangential_bias[1], -one.tangential_bias[1], 1e-12, name);
}

// Of one point around the middle of its times: of the gap, of gamma_N and of both gamma_T with tangents carried along.
struct SpatialSlopes {
  bool are_smooth = true;
  double gap = 0, normal = 0;
  Vec2 tangential = Vec2::Zero();
};

inline SpatialSlopes slopes_of(const std::array<std::vector<SpatialContactPoint>, 7>& points, std::size_t i,
                               const SpatialMotion& a, const SpatialMotion& b, double h) {
  const SpatialContactPoint& now = points[3][i];
  std::array<double, 7> gaps{}, gamma[3] = {};
  SpatialSlopes slopes;
  for (std::size_t k = 0; k < 7; ++k) {
    const SpatialContactPoint& p = points[k][i];
    const double s = (static_cast<double>(k) - 3) * h;
    const Vec3 v = motion_of(a, s).velocity_at(p.point_a) - motion_of(b, s).velocity_at(p.point_b);
    gaps[k] = p.gap;
    gamma[0][k] = p.normal.dot(v);
    gamma[1][k] = carried(now.tangent, now.normal, p.normal).dot(v);
    gamma[2][k] = carried(now.second_tangent(), now.normal, p.normal).dot(v);
    slopes.are_smooth =
        slopes.are_smooth && std::isfinite(p.gap) && p.normal_is == SpatialContactPoint::Normal::kDefined;
  }
  const Differences normal(gamma[0], h), first(gamma[1], h), second(gamma[2], h);
  slopes.are_smooth = slopes.are_smooth && normal.are_smooth() && first.are_smooth() && second.are_smooth();
  slopes.gap = Differences(gaps, h).slope();
  slopes.normal = normal.slope();
  slopes.tangential = {first.slope(), second.slope()};
  return slopes;
}

inline void check_rates(const SpatialGap& gap, const SpatialMotion& a, const SpatialMotion& b, double h,
                        const std::string& name, RatesCount& count, bool may_be_deep = false) {
  const auto points = points_around<SpatialContactPoint>(gap, a, b, h);
  for (std::size_t i = 0; i < points[3].size(); ++i) {
    const SpatialContactPoint& now = points[3][i];
    if (std::isinf(now.gap)) continue;
    SpatialSlopes slopes = slopes_of(points, i, a, b, h);
    const SpatialBodyMotion move_a = motion_of(a, 0), move_b = motion_of(b, 0);
    const SpatialRates rates = gap.rates(a.at(0), b.at(0), now, move_a, move_b);
    // Knots of a spline may lie within the stencil and be missed: a shorter one decides.
    const bool is_near = are_near(rates.normal_bias, slopes.normal) &&
                         are_near(rates.tangential_bias[0], slopes.tangential[0]) &&
                         are_near(rates.tangential_bias[1], slopes.tangential[1]);
    if (slopes.are_smooth && !is_near) {
      const double shorter = h / kShorter;
      slopes = slopes_of(points_around<SpatialContactPoint>(gap, a, b, shorter), i, a, b, shorter);
    }
    if (!slopes.are_smooth) {
      ++count.left_out;
      continue;
    }
    if (may_be_deep && std::abs(slopes.gap - rates.gap_rate) > 1e-5) {
      ++count.deep;
      continue;
    }
    const std::string point = name + ", point " + std::to_string(i) + ", gap " + std::to_string(now.gap);
    const Vec3 v = move_a.velocity_at(now.point_a) - move_b.velocity_at(now.point_b);
    expect_near_relative(rates.gap_rate, slopes.gap, 1e-7, point);
    expect_near_relative(rates.gap_rate, now.normal.dot(v), 1e-14, point);
    expect_near_relative(rates.sliding[0], now.tangent.dot(v), 1e-14, point);
    expect_near_relative(rates.sliding[1], now.second_tangent().dot(v), 1e-14, point);
    expect_near_relative(rates.normal_bias, slopes.normal, 1e-7, point);
    expect_near_relative(rates.tangential_bias[0], slopes.tangential[0], 1e-7, point);
    expect_near_relative(rates.tangential_bias[1], slopes.tangential[1], 1e-7, point);
    check_exchange(now, move_a, move_b, point);
    ++count.compared;
    if (now.gap < 0) ++count.negative;
  }
}

}  // namespace freeplay::test

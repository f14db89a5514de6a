#include "freeplay/geometry/surfaces/convex_body.h"

#include <Eigen/LU>
#include <cmath>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry {

namespace {

constexpr int kMostIterations = 100;
constexpr double kEnough = 1e-15;       // of both sizes: x_A - x_B across the normal
constexpr double kNewtonRegion = 1e-3;  // rad: steps that need no line search, whose differences would be rounding
constexpr double kDistinct = 1e-9;      // depths that differ by less, relatively, are ties: the first start wins

struct Sides {
  Vec3 e1, e2;
  ConvexBody::Support a, b;
  Vec2 across;  // T^T (x_A - x_B), the gradient of h on the sphere
  double h = 0;
};

Sides sides_at(const ConvexBody& a, const ConvexBody& b, const Vec3& n) {
  Sides s;
  s.e1 = tangent_to(n);
  s.e2 = n.cross(s.e1);
  s.a = a.support(n, s.e1, s.e2);  // centrally symmetric: x_A(-n) = -x_A(n)
  s.b = b.support(n, s.e1, s.e2);
  const Vec3 D = a.centre - b.centre;
  const Vec3 apart = D - s.a.x - s.b.x;
  s.across = {s.e1.dot(apart), s.e2.dot(apart)};
  s.h = n.dot(D) - s.a.reach_m - s.b.reach_m;
  return s;
}

double height(const ConvexBody& a, const ConvexBody& b, const Vec3& n) {
  return n.dot(a.centre - b.centre) - a.reach_m(n) - b.reach_m(n);
}

// -Hessian of h on the sphere = radii_A + radii_B + h; shifted until it is positive definite.
Vec2 ascent_step(const Sides& s) {
  Mat2 H = s.a.radii + s.b.radii + s.h * Mat2::Identity();
  const double mean = (H(0, 0) + H(1, 1)) / 2, spread = std::hypot((H(0, 0) - H(1, 1)) / 2, H(0, 1));
  const double least = mean - spread, scale = s.a.radii.trace() + s.b.radii.trace() + std::abs(s.h);
  if (least < 1e-8 * scale) H += (0.05 * scale - least) * Mat2::Identity();
  const double det = H(0, 0) * H(1, 1) - H(0, 1) * H(1, 0);
  return Vec2(H(1, 1) * s.across[0] - H(0, 1) * s.across[1], H(0, 0) * s.across[1] - H(1, 0) * s.across[0]) / det;
}

double climb(const ConvexBody& a, const ConvexBody& b, Vec3& n) {
  const double enough = kEnough * ((a.centre - b.centre).norm() + a.reach_m(n) + b.reach_m(n));
  Sides s = sides_at(a, b, n);
  for (int i = 0; i < kMostIterations; ++i) {
    const double miss = s.across.norm();
    if (miss <= enough) break;
    Vec2 step = ascent_step(s);
    const double length = step.norm();
    if (length > 0.7) step *= 0.7 / length;
    if (length < kNewtonRegion) {
      const Vec3 next = (n + step[0] * s.e1 + step[1] * s.e2).normalized();
      const Sides there = sides_at(a, b, next);
      if (!(there.across.norm() < miss)) break;  // rounding
      n = next;
      s = there;
      continue;
    }
    const double slope = step.dot(s.across);
    double share = 1;
    Vec3 next = (n + step[0] * s.e1 + step[1] * s.e2).normalized();
    while (height(a, b, next) < s.h + 1e-4 * share * slope && share > 1e-10) {
      share /= 2;
      next = (n + share * (step[0] * s.e1 + step[1] * s.e2)).normalized();
    }
    n = next;
    s = sides_at(a, b, n);
  }
  return s.h;
}

}  // namespace

ConvexBody ConvexBody::ball(const Vec3& centre, double radius_m) {
  ConvexBody body;
  body.centre = centre;
  body.radius_m = body.least_radius_m = radius_m;
  return body;
}

ConvexBody ConvexBody::ellipsoid(const Vec3& centre, const Vec3& semi_axes_m, const Mat3& rotation) {
  ConvexBody body;
  body.is_ball = false;
  body.centre = centre;
  body.Q = rotation * semi_axes_m.cwiseAbs2().asDiagonal() * rotation.transpose();
  body.least_radius_m = semi_axes_m.minCoeff() * semi_axes_m.minCoeff() / semi_axes_m.maxCoeff();
  return body;
}

Vec3 ConvexBody::point(const Vec3& n) const {
  if (is_ball) return centre + radius_m * n;
  const Vec3 w = Q * n;
  return centre + w / std::sqrt(n.dot(w));
}

double ConvexBody::reach_m(const Vec3& n) const {
  return is_ball ? radius_m : std::sqrt(n.dot(Q * n));
}

ConvexBody::Support ConvexBody::support(const Vec3& n, const Vec3& e1, const Vec3& e2) const {
  if (is_ball) return {radius_m, radius_m * n, radius_m * Mat2::Identity()};
  const Vec3 w = Q * n, q1 = Q * e1, q2 = Q * e2;
  const double s = std::sqrt(n.dot(w));
  const double w1 = w.dot(e1) / s, w2 = w.dot(e2) / s;
  Mat2 radii;
  radii(0, 0) = (e1.dot(q1) - w1 * w1) / s;
  radii(0, 1) = radii(1, 0) = (e1.dot(q2) - w1 * w2) / s;
  radii(1, 1) = (e2.dot(q2) - w2 * w2) / s;
  return {s, w / s, radii};
}

Bend ConvexBody::bend(const Vec3& n) const {
  const Vec3 e1 = tangent_to(n), e2 = n.cross(e1);
  if (is_ball) return {1 / radius_m, 1 / radius_m, e1};
  const Support at = support(n, e1, e2);
  const Mat2& R = at.radii;
  const double mean = (R(0, 0) + R(1, 1)) / 2, half = (R(0, 0) - R(1, 1)) / 2, spread = std::hypot(half, R(0, 1));
  // The largest radius has the smallest curvature; the product of the radii, (a b c)^2 / s^4, gives the other one
  // without cancellation.
  const double angle = 0.5 * std::atan2(R(0, 1), half), largest = mean + spread;
  const double determinant = Q.determinant() / (at.reach_m * at.reach_m * at.reach_m * at.reach_m);
  return {1 / largest, largest / determinant, std::cos(angle) * e1 + std::sin(angle) * e2};
}

ConvexBody ConvexBody::seen_from(const Mat3& R, const Vec3& origin) const {
  ConvexBody seen = *this;
  seen.centre = origin + R * centre;
  if (!is_ball) seen.Q = R * Q * R.transpose();
  return seen;
}

double convex_gap(const ConvexBody& a, const ConvexBody& b, const Vec3& start, Vec3& n) {
  const Vec3 D = a.centre - b.centre;
  const double distance = D.norm();
  const double enough = a.least_radius_m + b.least_radius_m;
  n = start.squaredNorm() > 0 ? start.normalized() : distance > 0 ? Vec3(D / distance) : Vec3(Vec3::UnitZ());
  if (a.is_ball && b.is_ball) {
    if (distance > 0) n = D / distance;
    return distance - a.radius_m - b.radius_m;
  }
  double gap = climb(a, b, n);
  if (gap >= -enough) return gap;
  // A warm start is followed below the depth where it is the only maximum; without one, the least depth counts.
  if (start.squaredNorm() > 0) return gap;
  for (const ConvexBody* body : {&a, &b}) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {1.0, -1.0}) {
        Vec3 other = Vec3::Unit(axis) * sign + 0.1 * (distance > 0 ? Vec3(D / distance) : Vec3(Vec3::Ones()));
        if (!body->is_ball) other = body->Q * other;
        other.normalize();
        const double found = climb(a, b, other);
        if (found > gap + kDistinct * std::abs(gap)) {
          gap = found;
          n = other;
        }
      }
    }
  }
  return gap;
}

}  // namespace freeplay::geometry

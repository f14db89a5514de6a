#include "freeplay/geometry/contours/plane_curve.h"

#include <cmath>
#include <numbers>

#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {}  // namespace

CubicCurve::CubicCurve(const PeriodicSpline::BezierPiece& control)
    : c0_(control[0]),
      c1_(3 * (control[1] - control[0])),
      c2_(3 * (control[2] - 2 * control[1] + control[0])),
      c3_(control[3] - control[0] + 3 * (control[1] - control[2])) {}

CurvePoint CubicCurve::at(double s) const {
  return {c0_ + s * (c1_ + s * (c2_ + s * c3_)), c1_ + s * (2 * c2_ + (3 * s) * c3_), 2 * c2_ + (6 * s) * c3_};
}

// As PeriodicSpline::find_second_derivatives, with zero second derivatives at both ends: tridiagonal.
std::vector<PeriodicSpline::BezierPiece> natural_spline(const std::vector<Vec3>& points_m) {
  const std::size_t n = points_m.size();
  std::vector<Vec2> x, second(n, Vec2::Zero());
  std::vector<double> h, diagonal(n, 1.0);
  for (const Vec3& point : points_m) x.push_back(in_plane(point));
  for (std::size_t i = 0; i + 1 < n; ++i) h.push_back((x[i + 1] - x[i]).norm());
  for (std::size_t i = 1; i + 1 < n; ++i) {
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    second[i] = 6 * ((x[i + 1] - x[i]) / h[i] - (x[i] - x[i - 1]) / h[i - 1]);
    if (i == 1) continue;
    const double factor = h[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * h[i - 1];
    second[i] -= factor * second[i - 1];
  }
  for (std::size_t i = n - 1; i-- > 1;) second[i] = (second[i] - h[i] * second[i + 1]) / diagonal[i];
  std::vector<PeriodicSpline::BezierPiece> pieces;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Vec2 chord = (x[i + 1] - x[i]) / 3;
    const double q = h[i] * h[i] / 18;
    pieces.push_back({x[i], x[i] + chord - q * (2 * second[i] + second[i + 1]),
                      x[i + 1] - chord - q * (second[i] + 2 * second[i + 1]), x[i + 1]});
  }
  return pieces;
}

EllipseCurve::EllipseCurve(const EllipseShape& shape)
    : centre_(in_plane(shape.at_m)),
      axis_x_(shape.semi_axis_x_m * unit_vector(shape.angle)),
      axis_y_(shape.semi_axis_y_m * Vec2(-std::sin(shape.angle), std::cos(shape.angle))) {}

CurvePoint EllipseCurve::at(double s) const {
  const double c = std::cos(s), d = std::sin(s);
  const Vec2 arm = c * axis_x_ + d * axis_y_;
  return {centre_ + arm, c * axis_y_ - d * axis_x_, -arm};
}

// x'(s) . n = 0: tan s = (axis_y . n) / (axis_x . n).
bool EllipseCurve::parameter_of_normal(const Vec2& normal, double near, double& s) const {
  constexpr double kTurn = 2 * std::numbers::pi;
  s = std::atan2(axis_y_.dot(normal), axis_x_.dot(normal));
  s += kTurn * std::round((near - s) / kTurn);
  return true;
}

SuperellipseCurve::SuperellipseCurve(const SuperellipseShape& shape)
    : centre_(in_plane(shape.at_m)),
      axis_x_(shape.semi_axis_x_m * unit_vector(shape.angle)),
      axis_y_(shape.semi_axis_y_m * Vec2(-std::sin(shape.angle), std::cos(shape.angle))),
      exponent_(shape.exponent) {}

// r = m^(-1/p) with m = |c|^p + |d|^p, c = cos s, d = sin s;
//   m' = p c d (|d|^(p-2) - |c|^(p-2)),   m'' = p [(p-1)(|d|^(p-2) c^2 + |c|^(p-2) d^2) - |c|^p - |d|^p].
CurvePoint SuperellipseCurve::at(double s) const {
  const double c = std::cos(s), d = std::sin(s), p = exponent_;
  const double cp = std::pow(std::abs(c), p - 2), dp = std::pow(std::abs(d), p - 2);
  const double m = cp * c * c + dp * d * d;
  const double dm = p * c * d * (dp - cp);
  const double ddm = p * ((p - 1) * (dp * c * c + cp * d * d) - m);
  const double r = std::pow(m, -1 / p);
  const double dr = -r * dm / (p * m);
  const double ddr = -(dr * dm + r * ddm - r * dm * dm / m) / (p * m);
  const Vec2 e = c * axis_x_ + d * axis_y_, across = c * axis_y_ - d * axis_x_;
  return {centre_ + r * e, dr * e + r * across, (ddr - r) * e + (2 * dr) * across};
}

CurvePoint ExpressionCurve::at(double s) const {
  const TimeJet x = x_.evaluate_jet({&s, 1}), y = y_.evaluate_jet({&s, 1});
  return {{x.value, y.value}, {x.rate, y.rate}, {x.acceleration, y.acceleration}};
}

CamCurve::CamCurve(const CamShape& cam, double turn)
    : centre_(in_plane(cam.at_m)),
      follower_(in_plane(cam.follower)),
      base_(cam.lift_m ? cam.base_radius_m : 0),
      turn_(turn),
      law_(cam.lift_m ? *cam.lift_m : *cam.radius_m) {}

CurvePoint CamCurve::at(double s) const {
  const double phi = -s;
  const TimeJet r = law_.evaluate_jet({&phi, 1});  // derivatives in phi = -s
  const double radius = base_ + r.value, c = std::cos(s + turn_), d = std::sin(s + turn_);
  const Vec2 e(c * follower_.x() - d * follower_.y(), d * follower_.x() + c * follower_.y());
  const Vec2 across(-e.y(), e.x());
  return {centre_ + radius * e, radius * across - r.rate * e, (r.acceleration - radius) * e - (2 * r.rate) * across};
}

InvoluteCurve::InvoluteCurve(const Vec2& centre, double base_radius, double start_angle, bool left)
    : centre_(centre), base_radius_(base_radius), start_angle_(start_angle), left_(left) {}

// x = r_b (e(a) - u across(a)) with a = start + u; x' = r_b u e(a), x'' = r_b (e(a) + u across(a)). The left flank has
// the mirror image of that as its start: a = start - u.
CurvePoint InvoluteCurve::at(double s) const {
  const double u = left_ ? -s : s, side = left_ ? -1 : 1;
  const Vec2 e = unit_vector(start_angle_ + side * u), across(-e.y(), e.x());
  const double r = base_radius_;
  return {centre_ + r * (e - (side * u) * across), (side * r * u) * e, r * (e + (side * u) * across)};
}

}  // namespace freeplay::geometry

#include "freeplay/geometry/curves/closed_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "freeplay/core/error.h"
#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr int kNodesPerPiece = 8;   // of a spline
constexpr int kNodesPerTurn = 720;  // of a polar radius, at least
constexpr int kNodesPerLobe = 60;   // of a polar radius, at least

}  // namespace

double wrapped_angle(double phi, double period) {
  double wrapped = std::fmod(phi, period);
  if (wrapped < 0) wrapped += period;
  // An angle comes out of a pose, that is out of an arc tangent: it has the rounding of a whole turn.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(phi), 2 * std::numbers::pi);
  return period - wrapped > rounding ? wrapped : 0;
}

std::shared_ptr<const ClosedCurve> curve_of(const CamShape& cam) {
  FREEPLAY_ASSERT(!cam.lift_m);
  if (cam.radius_m) return std::make_shared<PolarCurve>(cam);
  return std::make_shared<PeriodicSpline>(cam.points_m);
}

std::shared_ptr<const ClosedCurve> curve_of(const SplineShape& spline) {
  FREEPLAY_ASSERT(spline.closed);
  return std::make_shared<PeriodicSpline>(spline.points_m);
}

PeriodicSpline::PeriodicSpline(const std::vector<Vec3>& points_m) {
  FREEPLAY_ASSERT(points_m.size() >= 3);
  knots_.push_back(0);
  for (std::size_t i = 0; i < points_m.size(); ++i) {
    points_.push_back(in_plane(points_m[i]));
    knots_.push_back(knots_.back() + (points_m[(i + 1) % points_m.size()] - points_m[i]).head<2>().norm());
  }
  find_second_derivatives();
}

// Continuity of x' at every point gives, with the lengths h and the second derivatives M,
//   h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 ((x_{i+1} - x_i)/h_i - (x_i - x_{i-1})/h_{i-1}),
// indices modulo n. Without its two corners the matrix is tridiagonal; they are a matrix of rank one, put back by the
// formula of Sherman and Morrison. The diagonal dominates, so no pivoting is needed.
void PeriodicSpline::find_second_derivatives() {
  const std::size_t n = points_.size();
  const auto h = [&](std::size_t i) { return knots_[i + 1] - knots_[i]; };
  const double corner = h(n - 1), gamma = -2 * (h(n - 1) + h(0));
  std::vector<double> diagonal(n), z(n, 0.0);
  second_.assign(n, Vec2::Zero());
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
    diagonal[i] = 2 * (h(before) + h(i));
    second_[i] = 6 * ((points_[after] - points_[i]) / h(i) - (points_[i] - points_[before]) / h(before));
  }
  diagonal[0] -= gamma;
  diagonal[n - 1] -= corner * corner / gamma;
  z[0] = gamma;
  z[n - 1] = corner;
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = h(i - 1) / diagonal[i - 1];
    diagonal[i] -= factor * h(i - 1);
    second_[i] -= factor * second_[i - 1];
    z[i] -= factor * z[i - 1];
  }
  second_[n - 1] /= diagonal[n - 1];
  z[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) {
    second_[i] = (second_[i] - h(i) * second_[i + 1]) / diagonal[i];
    z[i] = (z[i] - h(i) * z[i + 1]) / diagonal[i];
  }
  const Vec2 numerator = second_[0] + (corner / gamma) * second_[n - 1];
  const Vec2 share = numerator / (1 + z[0] + (corner / gamma) * z[n - 1]);
  for (std::size_t i = 0; i < n; ++i) second_[i] -= z[i] * share;
}

CurvePoint PeriodicSpline::on_piece(std::size_t piece, double from_start) const {
  const std::size_t next = (piece + 1) % points_.size();
  const double h = knots_[piece + 1] - knots_[piece];
  const double b = from_start / h, a = 1 - b;
  CurvePoint point;
  point.x = a * points_[piece] + b * points_[next] +
            ((a * a * a - a) * second_[piece] + (b * b * b - b) * second_[next]) * (h * h / 6);
  point.dx = (points_[next] - points_[piece]) / h +
             ((3 * b * b - 1) * second_[next] - (3 * a * a - 1) * second_[piece]) * (h / 6);
  point.ddx = a * second_[piece] + b * second_[next];
  return point;
}

CurvePoint PeriodicSpline::at(double s) const {
  const double wrapped = wrapped_angle(s, period());
  const auto after = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, wrapped);
  const std::size_t piece = static_cast<std::size_t>(after - knots_.begin()) - 1;
  return on_piece(piece, wrapped - knots_[piece]);
}

std::vector<double> PeriodicSpline::nodes() const {
  std::vector<double> nodes;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double h = knots_[i + 1] - knots_[i];
    for (int k = 0; k < kNodesPerPiece; ++k) nodes.push_back(knots_[i] + h * k / kNodesPerPiece);
  }
  nodes.push_back(period());
  return nodes;
}

// On a piece, with t from 0 to 1 and D the difference of the second derivatives at its ends,
//   d/dt (x' cross x'') = x' cross D,
// which is linear in t since D cross D = 0. So the smallest value is at an end or at the root of that: exact.
double PeriodicSpline::least_convex_place() const {
  double place = 0, least = std::numeric_limits<double>::infinity();
  const auto look_at = [&](std::size_t piece, double from_start) {
    const CurvePoint point = on_piece(piece, from_start);
    const double value = cross(point.dx, point.ddx);
    if (value >= least) return;
    least = value;
    place = knots_[piece] + from_start;
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double h = knots_[i + 1] - knots_[i];
    const Vec2 D = second_[(i + 1) % points_.size()] - second_[i];
    const double root = -cross(on_piece(i, 0).dx, D) / (h * cross(second_[i], D));
    look_at(i, 0);
    if (root > 0 && root < 1) look_at(i, root * h);
  }
  return place;
}

std::vector<PeriodicSpline::BezierPiece> PeriodicSpline::bezier_pieces() const {
  std::vector<BezierPiece> pieces;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double h = knots_[i + 1] - knots_[i];
    const CurvePoint from = on_piece(i, 0), to = on_piece(i, h);
    pieces.push_back({from.x, from.x + from.dx * (h / 3), to.x - to.dx * (h / 3), to.x});
  }
  return pieces;
}

PolarCurve::PolarCurve(const CamShape& cam)
    : centre_(in_plane(cam.at_m)),
      follower_(in_plane(cam.follower)),
      radius_(*cam.radius_m),
      lift_period_(cam.period) {}

double PolarCurve::period() const {
  return 2 * std::numbers::pi;
}

CurvePoint PolarCurve::at(double s) const {
  const double phi = wrapped_angle(-s, lift_period_);
  const TimeJet r = radius_.evaluate_jet({&phi, 1});  // derivatives in phi = -s
  const double c = std::cos(s), d = std::sin(s);
  const Vec2 e(c * follower_.x() - d * follower_.y(), d * follower_.x() + c * follower_.y());
  const Vec2 across(-e.y(), e.x());
  return {centre_ + r.value * e, r.value * across - r.rate * e, (r.acceleration - r.value) * e - 2 * r.rate * across};
}

std::vector<double> PolarCurve::nodes() const {
  const int lobes = static_cast<int>(std::lround(period() / lift_period_));
  const int count = std::max(kNodesPerTurn, kNodesPerLobe * lobes);
  std::vector<double> nodes;
  for (int k = 0; k <= count; ++k) nodes.push_back(period() * k / count);
  return nodes;
}

// An expression can only be sampled.
double PolarCurve::least_convex_place() const {
  constexpr int kRefined = 8;
  double place = 0, least = std::numeric_limits<double>::infinity();
  const std::vector<double> coarse = nodes();
  for (std::size_t i = 0; i + 1 < coarse.size(); ++i) {
    for (int k = 0; k < kRefined; ++k) {
      const double s = coarse[i] + (coarse[i + 1] - coarse[i]) * k / kRefined;
      const CurvePoint point = at(s);
      const double value = cross(point.dx, point.ddx);
      if (value >= least) continue;
      least = value;
      place = s;
    }
  }
  return place;
}

}  // namespace freeplay::geometry

#include "freeplay/geometry/curves/contour.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace freeplay::geometry {

namespace {

// Newton's method takes about five; halving a bracket down to neighbouring numbers takes 60.
constexpr int kMaxIterations = 100;
// A piece between nodes is nearly straight. This bound on its length only decides which pieces are looked at.
constexpr double kLengthPerChord = 2;

Vec2 outward(const Vec2& tangent) {
  return tangent_of(tangent).normalized();
}

// Of a curve with matter to its left: positive where it is convex.
double curvature_at(const CurvePoint& c) {
  const double square = c.dx.squaredNorm();
  return cross(c.dx, c.ddx) / (square * std::sqrt(square));
}

}  // namespace

Contour::Contour(std::shared_ptr<const ClosedCurve> curve) : curve_(std::move(curve)) {
  for (const double s : curve_->nodes()) {
    const CurvePoint point = curve_->at(s);
    nodes_.push_back({s, point.x, point.dx, point.ddx});
  }
  for (std::size_t i = 0; i + 1 < nodes_.size(); ++i)
    longest_piece_m_ = std::max(longest_piece_m_, kLengthPerChord * (nodes_[i + 1].x - nodes_[i].x).norm());
}

template <class Function>
double Contour::rising_root(double low, double high, Function evaluate) {
  double s = (low + high) / 2;
  for (int i = 0; i < kMaxIterations; ++i) {
    const auto [value, slope] = evaluate(s);
    (value < 0 ? low : high) = s;
    if (value == 0) break;
    double next = s - value / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (next == s || next == low || next == high) break;  // the numbers are used up
    s = next;
  }
  return s;
}

// d/ds |x(s) - p|^2 / 2 = (x - p) . x' rises through zero at every local minimum. The nearest point is the best of
// them.
SignedDistance Contour::distance(const Vec2& point) const {
  double nearest_squared = std::numeric_limits<double>::infinity();
  const Node* nearest = &nodes_.front();  // stays so where squares of distances overflow, or the point is no number
  for (const Node& node : nodes_) {
    const double squared = (node.x - point).squaredNorm();
    if (squared >= nearest_squared) continue;
    nearest_squared = squared;
    nearest = &node;
  }
  const double reach = std::sqrt(nearest_squared) + longest_piece_m_;  // farther nodes cannot lead to a nearer point
  CurvePoint foot{nearest->x, nearest->dx, nearest->ddx};
  for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
    const Node &from = nodes_[i], &to = nodes_[i + 1];
    const Vec2 arm = from.x - point;
    if (arm.squaredNorm() > reach * reach || arm.dot(from.dx) > 0 || (to.x - point).dot(to.dx) < 0) continue;
    const double s = rising_root(from.s, to.s, [&](double at) {
      const CurvePoint c = curve_->at(at);
      const Vec2 e = c.x - point;
      return std::pair(e.dot(c.dx), c.dx.squaredNorm() + e.dot(c.ddx));
    });
    const CurvePoint found = curve_->at(s);
    const double squared = (found.x - point).squaredNorm();
    if (squared > nearest_squared) continue;
    nearest_squared = squared;
    foot = found;
  }
  // Not from the difference of the points, whose direction is lost where they touch.
  const Vec2 normal = outward(foot.dx);
  return {normal.dot(point - foot.x), foot.x, normal, curvature_at(foot)};
}

Contour::Lowest Contour::lowest(const Vec2& direction) const {
  std::size_t i = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k + 1 < nodes_.size(); ++k) {
    const double height = direction.dot(nodes_[k].x);
    if (height >= least) continue;
    least = height;
    i = k;
  }
  // The lowest point lies before the node if the curve rises there already.
  const bool before = direction.dot(nodes_[i].dx) > 0;
  const std::size_t last = nodes_.size() - 2;
  const std::size_t from = before ? (i == 0 ? last : i - 1) : i;
  const double s = rising_root(nodes_[from].s, nodes_[from + 1].s, [&](double at) {
    const CurvePoint c = curve_->at(at);
    return std::pair(direction.dot(c.dx), direction.dot(c.ddx));
  });
  const CurvePoint found = curve_->at(s);
  return {found.x, curvature_at(found)};
}

}  // namespace freeplay::geometry

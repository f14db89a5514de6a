// A closed curve as the outline of a body: its signed distance to a point, and its lowest point in a direction.
// Part of the implementation of planar_gap.h.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/geometry/curves/closed_curve.h"
#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

// Both searches look at all nodes of the curve first and refine the best of them by Newton's method inside of a
// bracket. They know nothing of earlier calls: the same question gets the same answer, whatever was asked before.
class Contour {
 public:
  explicit Contour(std::shared_ptr<const ClosedCurve> curve);

  // To the nearest of all points of the curve. At the centre of a bend, where many are as near, any one of them.
  SignedDistance distance(const Vec2& point) const;
  // The point of a convex curve whose component along `direction` is smallest.
  struct Lowest {
    Vec2 x;
    double curvature;
  };
  Lowest lowest(const Vec2& direction) const;

 private:
  struct Node {
    double s = 0;
    Vec2 x, dx, ddx;
  };
  // f(s) = 0 between two nodes, f rising; `evaluate` gives f and its derivative.
  template <class Function>
  static double rising_root(double low, double high, Function evaluate);

  std::shared_ptr<const ClosedCurve> curve_;
  std::vector<Node> nodes_;     // the first one once more at the end of the period
  double longest_piece_m_ = 0;  // no piece between two nodes is longer
};

}  // namespace freeplay::geometry

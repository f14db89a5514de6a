// Smooth closed curves in the plane: x(s) with two derivatives, periodic in s. Matter lies to the left of x'(s), so the
// outward normal is x' turned by -90 degrees. Part of the implementation of planar_gap.h.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

struct CurvePoint {
  Vec2 x = Vec2::Zero(), dx = Vec2::Zero(), ddx = Vec2::Zero();
};

class ClosedCurve {
 public:
  virtual ~ClosedCurve() = default;
  virtual CurvePoint at(double s) const = 0;  // any s; allocates nothing
  virtual double period() const = 0;
  // Values of s, ascending from 0, the end of the period included: between two of them the curve bends so little that a
  // search may take it for nearly straight.
  virtual std::vector<double> nodes() const = 0;
  // Where x' cross x'' is smallest: the curve is convex if it is not negative there.
  virtual double least_convex_place() const = 0;
};

// The cubic spline with continuous second derivatives through points, the last one joined with the first. The parameter
// is the length of the polygon through them: with equal steps instead, unequal distances would make it swing.
class PeriodicSpline final : public ClosedCurve {
 public:
  explicit PeriodicSpline(const std::vector<Vec3>& points_m);  // at least three, neighbours different
  CurvePoint at(double s) const override;
  double period() const override { return knots_.back(); }
  std::vector<double> nodes() const override;
  double least_convex_place() const override;
  // The pieces between the points by their control points: each piece lies in the convex hull of its four.
  using BezierPiece = std::array<Vec2, 4>;
  std::vector<BezierPiece> bezier_pieces() const;

 private:
  void find_second_derivatives();
  CurvePoint on_piece(std::size_t piece, double from_start) const;

  std::vector<double> knots_;  // one more than points: the last is the period
  std::vector<Vec2> points_, second_;
};

// A contour by its radius as a function of phi (CamShape). s = -phi: it runs counter-clockwise.
class PolarCurve final : public ClosedCurve {
 public:
  explicit PolarCurve(const CamShape& cam);  // with radius_m
  CurvePoint at(double s) const override;
  double period() const override;  // a full turn
  std::vector<double> nodes() const override;
  double least_convex_place() const override;

 private:
  Vec2 centre_, follower_;
  Expression radius_;
  double lift_period_;
};

// The contour of a shape. `cam` without a lift law, `spline` closed.
std::shared_ptr<const ClosedCurve> curve_of(const CamShape& cam);
std::shared_ptr<const ClosedCurve> curve_of(const SplineShape& spline);

// phi in [0, period). What falls short of a whole number of periods by no more than rounding is 0: that is where a law
// starts anew.
double wrapped_angle(double phi, double period);

}  // namespace freeplay::geometry

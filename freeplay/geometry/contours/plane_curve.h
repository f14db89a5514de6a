// Smooth curves in the plane by a parameter, open or closed: what the curved elements of a contour lie on.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "freeplay/geometry/contours/contour_shapes.h"
#include "freeplay/geometry/curves/closed_curve.h"

namespace freeplay::geometry {

inline Vec2 unit_vector(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

class PlaneCurve {
 public:
  virtual ~PlaneCurve() = default;
  virtual CurvePoint at(double s) const = 0;  // allocates nothing
  // Where the normal (x' turned by -90 degrees) has the given direction, near a value of s, if there is a closed form.
  virtual bool parameter_of_normal(const Vec2& /*normal*/, double /*near*/, double& /*s*/) const { return false; }
};

// One piece of a cubic spline, by its Bezier points; s from 0 to 1.
class CubicCurve final : public PlaneCurve {
 public:
  explicit CubicCurve(const PeriodicSpline::BezierPiece& control);
  CurvePoint at(double s) const override;

 private:
  Vec2 c0_, c1_, c2_, c3_;
};

// The cubic spline through points with ends that do not bend (natural): its pieces.
std::vector<PeriodicSpline::BezierPiece> natural_spline(const std::vector<Vec3>& points_m);

// s: the angle of (x/a, y/b).
class EllipseCurve final : public PlaneCurve {
 public:
  explicit EllipseCurve(const EllipseShape& shape);
  CurvePoint at(double s) const override;
  bool parameter_of_normal(const Vec2& normal, double near, double& s) const override;

 private:
  Vec2 centre_, axis_x_, axis_y_;
};

// s: the angle of (x/a, y/b). By the polar form the curve is twice differentiable on the axes as well; the usual
// x = a cos^(2/p) s is not.
class SuperellipseCurve final : public PlaneCurve {
 public:
  explicit SuperellipseCurve(const SuperellipseShape& shape);
  CurvePoint at(double s) const override;

 private:
  Vec2 centre_, axis_x_, axis_y_;
  double exponent_;
};

class ExpressionCurve final : public PlaneCurve {
 public:
  ExpressionCurve(const Expression& x, const Expression& y) : x_(x), y_(y) {}
  CurvePoint at(double s) const override;

 private:
  Expression x_, y_;
};

// The contour of a cam by its law, radius = base + law(phi): phi runs clockwise from `follower`, s = -phi. The law is
// not wrapped: s may only run over one period, [-period, 0], plus `turn`, by which the copy of that period is turned.
class CamCurve final : public PlaneCurve {
 public:
  CamCurve(const CamShape& cam, double turn);
  CurvePoint at(double s) const override;

 private:
  Vec2 centre_, follower_;
  double base_, turn_;
  Expression law_;
};

// The involute of a circle: right flanks of teeth run outwards with s = u > 0, left ones inwards with s = -u, where u
// is the angle of roll. The radius of curvature is base_radius * u.
class InvoluteCurve final : public PlaneCurve {
 public:
  InvoluteCurve(const Vec2& centre, double base_radius, double start_angle, bool left);
  CurvePoint at(double s) const override;

 private:
  Vec2 centre_;
  double base_radius_, start_angle_;
  bool left_;
};

}  // namespace freeplay::geometry

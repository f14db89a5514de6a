// Planar shapes that only the contour kernel knows, as plain data in SI units and body axes, in the manner of
// shapes/shape_spec.h. Matter lies to the left of the direction of travel.
//
// An open contour (edge, arc, open spline, outline or curve) is the front of a wall: there is matter behind it down to
// `depth_m`, and the wall has two end faces and a back (docs/theory/contours.md). Depth 0 asks for the default,
// default_wall_depth in contour_builder.h.
#pragma once

#include <vector>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/types.h"

namespace freeplay::geometry {

// A straight face with two ends.
struct EdgeShape {
  Vec3 from_m = Vec3::Zero(), to_m = Vec3::Zero();
  double depth_m = 0;
};

// Edges and arcs as a drawing has them. A corner may be rounded; the side that leaves it may be an arc.
struct OutlineShape {
  struct Corner {
    Vec3 at_m = Vec3::Zero();
    double radius_m = 0;  // of the rounding; only between straight sides
    double bulge = 0;     // of the side to the next corner: tan(angle of the arc / 4), positive if it turns left
  };
  std::vector<Corner> corners;
  bool closed = true;
  double depth_m = 0;  // of an open outline
};

// |x/a|^p + |y/b|^p = 1. Below p = 2 the curvature is infinite on the axes.
struct SuperellipseShape {
  Vec3 at_m = Vec3::Zero();
  double semi_axis_x_m = 0, semi_axis_y_m = 0;
  double exponent = 4;
  double angle = 0;  // rad, of the first semi-axis against the body's x axis
};

// x(s), y(s) from s = from to s = to; the parameter is variable 0 of both expressions.
struct ParametricShape {
  Expression x_m, y_m;
  double from = 0, to = 1;
  bool closed = false;
  double depth_m = 0;  // of an open curve
};

// A gear with involute flanks, or one of its teeth (centred about `angle`). Lengths of the tooth in modules.
struct InvoluteShape {
  Vec3 at_m = Vec3::Zero();
  double module_m = 0;
  int teeth = 0;
  double pressure_angle = 20 * 3.14159265358979323846 / 180;
  double addendum = 1, dedendum = 1.25;
  double profile_shift = 0;
  double thinning_m = 0;  // how much thinner a tooth is at the pitch circle than half the pitch: backlash
  double angle = 0;       // rad, of the middle of the first tooth
  bool single_tooth = false;
};

}  // namespace freeplay::geometry

// Spatial shapes that only the surface kernel knows, as plain data in SI units and body axes, in the manner of
// shapes/shape_spec.h. Ellipsoids, spheres and planes are there already.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/types.h"

namespace freeplay::geometry {

class PlanarContour;  // contours/planar_contour.h

struct TorusShape {
  Vec3 at_m = Vec3::Zero();   // of its centre
  Vec3 axis = Vec3::UnitZ();  // unit length
  double radius_m = 0;        // from the axis to the middle of the tube
  double tube_radius_m = 0;   // smaller than radius_m
};

// A circular disc and the tip above it.
struct ConeShape {
  Vec3 at_m = Vec3::Zero();   // of the centre of its base
  Vec3 axis = Vec3::UnitZ();  // unit length, from the base to the tip
  double radius_m = 0, height_m = 0;
};

// height = h (r / radius)^2 above the vertex, filled up to a flat lid.
struct ParaboloidShape {
  Vec3 at_m = Vec3::Zero();   // of its vertex
  Vec3 axis = Vec3::UnitZ();  // unit length, from the vertex into the matter
  double radius_m = 0, height_m = 0;
};

// A closed contour, turned about its y axis; it lies where x >= 0. An edge along the axis bounds nothing.
struct RevolutionShape {
  Vec3 at_m = Vec3::Zero();   // of the contour's origin
  Vec3 axis = Vec3::UnitZ();  // unit length: the contour's y direction
  std::shared_ptr<const PlanarContour> profile;
};

// x(u, v), y(u, v), z(u, v); u is variable 0 of the expressions, v is variable 1. Closed in both directions it bounds
// matter, which lies against the direction of x_u x x_v. Otherwise it is the middle of a sheet with round borders.
struct ParametricSurfaceShape {
  Expression x_m, y_m, z_m;
  double u_from = 0, u_to = 1, v_from = 0, v_to = 1;
  bool closed_u = false, closed_v = false;
  double thickness_m = 0;  // of a sheet; 0: the default, default_sheet_thickness in shape_surface.h
};

// The bicubic spline, twice continuously differentiable, through a grid of points; closed or a sheet, as above.
struct SplinePatchShape {
  std::vector<std::vector<Vec3>> points_m;  // [u][v], at least 4 x 4, rows of equal length
  bool closed_u = false, closed_v = false;
  double thickness_m = 0;
};

}  // namespace freeplay::geometry

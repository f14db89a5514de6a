// The contour of every planar shape, or what is wrong with the shape.
#pragma once

#include "freeplay/geometry/contours/contour_shapes.h"
#include "freeplay/geometry/contours/planar_contour.h"
#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

struct ContourResult {
  PlanarContour contour;  // only if there is no problem
  ShapeProblem problem;
};

ContourResult make_contour(const PointShape& shape);
ContourResult make_contour(const LineShape& shape);
// A circle of radius 0 is a point.
ContourResult make_contour(const CircleShape& shape);
// A solid arc is a sector of its disc, with two radial faces that meet in the centre; a hollow one is the front of a
// wall of the default depth.
ContourResult make_contour(const ArcShape& shape);
ContourResult make_contour(const PolygonShape& shape);  // convex or not; clockwise: a hole
ContourResult make_contour(const EllipseShape& shape);
ContourResult make_contour(const SplineShape& shape);
// A cam by its lift is the contour that a point follower needs; a drop is a radial face, so the cam may turn both ways.
ContourResult make_contour(const CamShape& shape);
ContourResult make_contour(const EdgeShape& shape);
ContourResult make_contour(const OutlineShape& shape);
ContourResult make_contour(const SuperellipseShape& shape);
ContourResult make_contour(const ParametricShape& shape);
ContourResult make_contour(const InvoluteShape& shape);

// Of a planar shape; a spatial one is a problem.
ContourResult make_contour(const ShapeGeometry& geometry);

// Points of the contour for a picture, in order around it; none where there is a problem, or no end.
std::vector<Vec2> contour_outline(const ShapeGeometry& geometry);

}  // namespace freeplay::geometry

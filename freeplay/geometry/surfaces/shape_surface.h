// The surface of every smooth spatial shape, or what is wrong with the shape.
#pragma once

#include <array>
#include <vector>

#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/geometry/surfaces/spatial_surface.h"
#include "freeplay/geometry/surfaces/surface_shapes.h"

namespace freeplay::geometry {

struct SurfaceResult {
  SpatialSurface surface;  // only if there is no problem
  ShapeProblem problem;
};

// Whether a surface by two parameters crosses itself takes by far the most time to find out: once is enough.
enum class SurfaceChecks { kAll, kAllButCrossings };

SurfaceResult make_surface(const SphereShape& shape);  // radius 0: a point
SurfaceResult make_surface(const PlaneShape& shape);
SurfaceResult make_surface(const EllipsoidShape& shape);
SurfaceResult make_surface(const TorusShape& shape);
SurfaceResult make_surface(const ConeShape& shape);
SurfaceResult make_surface(const ParaboloidShape& shape);
SurfaceResult make_surface(const RevolutionShape& shape);
SurfaceResult make_surface(const ParametricSurfaceShape& shape, SurfaceChecks checks = SurfaceChecks::kAll);
SurfaceResult make_surface(const SplinePatchShape& shape, SurfaceChecks checks = SurfaceChecks::kAll);

SurfaceResult make_surface(const BoxShape& shape);
SurfaceResult make_surface(const CylinderShape& shape);
SurfaceResult make_surface(const CapsuleShape& shape);

// Of a spatial shape; a planar one is a problem.
SurfaceResult make_surface(const ShapeGeometry& geometry, SurfaceChecks checks = SurfaceChecks::kAll);

// Triangles that show the surface of a shape, counter-clockwise seen from outside; none where there is a problem, or no
// end.
struct SurfacePicture {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};
SurfacePicture surface_picture(const ShapeGeometry& geometry);

// A twentieth of its size, but no more than half of the smallest radius of curvature.
double default_sheet_thickness(double size_m, double least_radius_m);

}  // namespace freeplay::geometry

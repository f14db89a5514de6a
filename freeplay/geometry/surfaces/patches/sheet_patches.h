// Surfaces by two free parameters: closed ones, and sheets with round borders. Part of the implementation of
// shape_surface.h.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/geometry/surfaces/patches/surface_patch.h"
#include "freeplay/geometry/surfaces/surface_shapes.h"

namespace freeplay::geometry {

// A parametrisation with its ends.
class SurfaceChart {
 public:
  virtual ~SurfaceChart() = default;
  virtual SurfaceJet at(double u, double v) const = 0;  // allocates nothing

  double u_from = 0, u_to = 1, v_from = 0, v_to = 1;
  bool closed_u = false, closed_v = false;
  int panels_u = 32, panels_v = 32;  // for integrals over it; of a spline one between each two knots
};

std::shared_ptr<const SurfaceChart> expression_chart(const ParametricSurfaceShape& shape);
std::shared_ptr<const SurfaceChart> spline_chart(const SplinePatchShape& shape);

// Closed in both directions: the surface itself. Otherwise all places within `half_thickness_m` of it: two parallel
// faces, half tubes along the borders and parts of spheres at the corners, which continue each other smoothly.
std::vector<std::shared_ptr<const SurfacePatch>> patches_of(const std::shared_ptr<const SurfaceChart>& chart,
                                                            double half_thickness_m);

}  // namespace freeplay::geometry

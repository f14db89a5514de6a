// Patches of a contour turned about an axis. Part of the implementation of shape_surface.h.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/geometry/contours/planar_contour.h"
#include "freeplay/geometry/surfaces/patches/surface_patch.h"

namespace freeplay::geometry {

// Where the turned contour stands: r e(phi) + z axis from `at`, e(0) = across.
struct RevolutionAxes {
  Vec3 at, axis, across, third;

  RevolutionAxes(const Vec3& at_m, const Vec3& along);
};

// The patches keep what they need of the contour alive. Elements on the axis and reflex corners give none. Lengths
// below tiny_m count as zero.
std::vector<std::shared_ptr<const SurfacePatch>> revolve(const std::shared_ptr<const PlanarContour>& profile,
                                                         const RevolutionAxes& axes, double tiny_m);

}  // namespace freeplay::geometry

// Newton's method on the contact-point equations of patches, and what makes a solution a minimum. Part of the
// implementation of surface_pair.h.
#pragma once

#include <cstdint>

#include "freeplay/geometry/surfaces/spatial_surface.h"
#include "freeplay/math/frame.h"

namespace freeplay::geometry {

// A place of a patch that Newton's method moves.
struct PatchPoint {
  const SurfacePatch* patch = nullptr;
  double u = 0, v = 0;
  SurfacePlace at;

  void set(const SurfacePatch& on, double to_u, double to_v);
  bool is_inside() const;  // of its patch, but for rounding
};

// Each starts from where the points are and returns false if it does not converge to a place near the patches.
// `size_m`: lengths below its rounding are zero. `limits` are the longest first steps, per parameter (of A, then of B):
// if the first one is longer, there is no solution near the start.
enum class MeetingOutcome : std::uint8_t { kFound, kFar, kLost };

// The place whose normal is -m.
MeetingOutcome meet_plane(const Vec3& m, const Vec2& limits, PatchPoint& point);
// A place on whose normal the centre of a ball lies.
MeetingOutcome meet_centre(const Vec3& centre, double size_m, const Vec2& limits, PatchPoint& point);
// A place on whose normal a point of a straight line lies, across that line: the nearest to an edge.
MeetingOutcome meet_line(const Vec3& at, const Vec3& along, double size_m, const Vec2& limits, PatchPoint& point);
// Places with opposite normals along the line between them. `view` takes the axes of A to those of B.
MeetingOutcome meet_patches(const Frame& view, double size_m, const Vec4& limits, PatchPoint& a, PatchPoint& b);

// Whether two surfaces at opposite places have a minimum of the distance there, as opposed to a saddle or a maximum.
// For g > 0, B is replaced by its parallel surface at the distance g, which touches A. For g < 0 both are made smaller
// by depths that add up to -g, `depth_a` and `depth_b`. Bends in common axes, n the normal.
bool is_minimum(const Bend& a, const Bend& b, double gap, double depth_a, double depth_b, const Vec3& n);

}  // namespace freeplay::geometry

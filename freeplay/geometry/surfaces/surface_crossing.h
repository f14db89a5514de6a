// Whether a surface by two parameters meets itself at another place of its own.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/geometry/shapes/cam_checks.h"
#include "freeplay/geometry/surfaces/patches/sheet_patches.h"
#include "freeplay/geometry/surfaces/patches/surface_patch.h"

namespace freeplay::geometry {

struct SurfaceCrossing {
  Vec3 x = Vec3::Zero();
  Vec2 one = Vec2::Zero(), other = Vec2::Zero();  // parameters of the two places
};

// Of a closed surface, or of the two faces of a sheet that is so thick. Each is laid out in cells of two
// triangles, and where triangles of cells that are no neighbours cut each other, Newton's method confirms that the
// faces themselves do: chords may cut where curves only come near. Crossings that lie within one cell, a 48th of the
// range of a parameter or less, are not seen, and after 500 pairs that are not confirmed the rest is taken to come near
// only. `size_m` is that of the surface.
// Time is bounded: of a surface whose triangles have more than four million pairs of boxes that meet, the others are
// not looked at.
std::optional<SurfaceCrossing> find_crossing(std::span<const std::shared_ptr<const SurfacePatch>> faces, int cells_u,
                                             int cells_v, double thickness_m, double size_m);

// How many times a closed surface is run through while a parameter goes round once; 1 for a sound one.
int times_covered(const SurfacePatch& face, bool in_u, double size_m);

// In words, with the key of the model file. `patches`: of a closed surface, or of a sheet, whose first two are its
// sides.
ShapeProblem crossing_problem(const SurfaceChart& chart,
                              const std::vector<std::shared_ptr<const SurfacePatch>>& patches, double size_m,
                              double thickness_m, const std::string& key);

}  // namespace freeplay::geometry

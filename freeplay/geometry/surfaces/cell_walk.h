// Newton's method over one leaf of a surface's tree: from its middle and, where that gets lost, from the middles of
// halves of it. Part of the implementation of surface_search.h and of meshes/mesh_surface.h.
#pragma once

#include <array>

#include "freeplay/geometry/surfaces/patches/patch_meeting.h"

namespace freeplay::geometry {

inline constexpr int kMostCellHalvings = 8;  // of a leaf, or of a pair of leaves

// Over a leaf the equations are nearly linear (its normals spread little): a first step that leads further away than
// this share of half a cell leads out of it.
inline Vec2 first_steps(const SurfaceCell& cell) {
  constexpr double kFarthest = 3;
  return kFarthest / 2 * Vec2(cell.u_to - cell.u_from, cell.v_to - cell.v_from);
}

// Where a cell is the longest, in points and normals together.
struct CellExtent {
  double u, v;
};
inline CellExtent extent_of(const SurfaceCell& cell, double size_m) {
  return {(cell.x_u / size_m + cell.n_u) * (cell.u_to - cell.u_from),
          (cell.x_v / size_m + cell.n_v) * (cell.v_to - cell.v_from)};
}
inline void halve(const SurfaceCell& cell, bool across_u, SurfaceCell& one, SurfaceCell& two) {
  one = two = cell;
  if (across_u)
    one.u_to = two.u_from = (cell.u_from + cell.u_to) / 2;
  else
    one.v_to = two.v_from = (cell.v_from + cell.v_to) / 2;
}

inline PatchPoint middle_of(const SpatialSurface& surface, const SurfaceCell& cell) {
  PatchPoint p;
  p.set(surface.patch(cell.patch), (cell.u_from + cell.u_to) / 2, (cell.v_from + cell.v_to) / 2);
  return p;
}

// Most leaves are left out after the first step: their middles are known.
inline PatchPoint middle_of(const SpatialSurface& surface, const SurfaceNode& leaf) {
  const SurfaceCell& cell = leaf.cell;
  return {&surface.patch(cell.patch), (cell.u_from + cell.u_to) / 2, (cell.v_from + cell.v_to) / 2, leaf.middle};
}

inline bool is_flat(const SurfaceCell& cell) {
  return cell.n_u * (cell.u_to - cell.u_from) + cell.n_v * (cell.v_to - cell.v_from) < 1e-9;
}

// meet(patch, limits, point): tries from a point, and says what came of it. may_meet(bound): false where nothing can be
// found in a half of the leaf.
template <class MayMeet, class Meet>
void walk_cells(const SpatialSurface& surface, const SurfaceNode& leaf, double size_m, MayMeet may_meet, Meet meet) {
  struct Task {
    SurfaceCell cell;
    int halvings;
  };
  std::array<Task, kMostCellHalvings + 2> stack;
  int top = 0;
  stack[0] = {leaf.cell, 0};
  while (top >= 0) {
    const Task task = stack[static_cast<std::size_t>(top--)];
    if (task.halvings > 0 && !may_meet(bound_of_cell(surface, task.cell))) continue;
    PatchPoint point = task.halvings == 0 ? middle_of(surface, leaf) : middle_of(surface, task.cell);
    if (meet(task.cell.patch, first_steps(task.cell), point) != MeetingOutcome::kLost) continue;
    if (task.halvings == kMostCellHalvings || is_flat(task.cell)) continue;
    const CellExtent extent = extent_of(task.cell, size_m);
    Task one{{}, task.halvings + 1}, two = one;
    halve(task.cell, extent.u >= extent.v, one.cell, two.cell);
    stack[static_cast<std::size_t>(++top)] = two;
    stack[static_cast<std::size_t>(++top)] = one;
  }
}

}  // namespace freeplay::geometry

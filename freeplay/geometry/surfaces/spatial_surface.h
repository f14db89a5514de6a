// The boundary of a spatial body as a frozen list of patches, in body axes: faces, edges and tips, with a tree of
// bounds over them. Planes, balls and ellipsoids are known as such as well, since they have closed forms.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "freeplay/geometry/surfaces/convex_body.h"
#include "freeplay/geometry/surfaces/patches/surface_patch.h"

namespace freeplay::geometry {

// A part of a surface with bounds: every point is within radius_m of the centre, every normal within half_angle of the
// axis.
struct SurfaceBound {
  Vec3 centre = Vec3::Zero();
  double radius_m = 0;
  Vec3 axis = Vec3::UnitZ();
  double half_angle = 0;  // at least pi: any direction
};

// A rectangle of parameters of one patch, with bounds of the derivatives on it.
struct SurfaceCell {
  std::int32_t patch = -1;
  double u_from = 0, u_to = 0, v_from = 0, v_to = 0;
  double x_u = 0, x_v = 0, n_u = 0, n_v = 0;
};

// Of a binary tree: a leaf is a cell.
struct SurfaceNode {
  SurfaceBound bound;
  SurfaceCell cell;
  SurfacePlace middle;                 // of a leaf
  std::int32_t left = -1, right = -1;  // -1: a leaf
};

class SpatialSurface {
 public:
  enum class Kind : std::uint8_t { kPlane, kBall, kEllipsoid, kPatches };

  static SpatialSurface plane(const Vec3& at, const Vec3& normal);
  static SpatialSurface ball(const Vec3& centre, double radius_m);
  static SpatialSurface ellipsoid(const Vec3& centre, const Vec3& semi_axes_m, const Mat3& rotation);
  static SpatialSurface of_patches(std::vector<std::shared_ptr<const SurfacePatch>> patches);

  Kind kind() const { return kind_; }
  const ConvexBody& convex() const { return convex_; }           // ball, ellipsoid
  const Vec3& plane_at() const { return convex_.centre; }        // plane
  const Vec3& plane_normal() const { return normal_; }           // plane
  double size_m() const { return size_m_; }                      // radius of a ball around it; of a plane infinite
  const Vec3& centre() const { return centre_; }                 // of that ball
  std::span<const SurfaceNode> nodes() const { return nodes_; }  // the first is the root; none: a plane or a ball
  const SurfacePatch& patch(int i) const { return *patches_[static_cast<std::size_t>(i)]; }
  int patch_count() const { return static_cast<int>(patches_.size()); }
  std::span<const SurfaceFoot> feet() const { return feet_; }

  // The radius of the largest ball in the matter that touches the boundary at x, with outward normal n, found by points
  // of the surface, so that it is never too small; at most `limit_m`.
  double inner_radius(const Vec3& x, const Vec3& n, double limit_m) const;
  // No ball in the matter that touches the boundary is larger.
  double thickest_m() const { return thickest_m_; }

  // Points with normals over all patches, no further apart than `spacing_m` and at least one on each leaf; for
  // pictures, checks and tests.
  std::vector<SurfacePlace> samples(double spacing_m) const;

 private:
  void freeze();
  void add_samples(const SurfaceCell& cell, double spacing_m, std::vector<SurfacePlace>& places) const;
  int add_patch_tree(int i, double u_from, double u_to, double v_from, double v_to, int depth);
  int join(std::vector<std::int32_t>& roots, std::size_t first, std::size_t count);

  Kind kind_ = Kind::kPatches;
  ConvexBody convex_;
  Vec3 normal_ = Vec3::UnitZ(), centre_ = Vec3::Zero();
  double size_m_ = 0, thickest_m_ = kInfinity;
  std::vector<std::shared_ptr<const SurfacePatch>> patches_;
  std::vector<SurfaceNode> nodes_;
  std::vector<SurfaceFoot> feet_;
  std::vector<Vec3> points_;               // for inner_radius
  std::vector<std::int32_t> first_point_;  // of each node, and the end; only leaves have some
};

// Both bounds in one.
SurfaceBound join_bounds(const SurfaceBound& one, const SurfaceBound& two);
// Of a cell by its middle and its derivatives.
SurfaceBound bound_of_cell(const SpatialSurface& surface, const SurfaceCell& cell);

}  // namespace freeplay::geometry

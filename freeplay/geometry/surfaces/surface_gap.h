// Two surfaces as a gap function: every contact of the pair in a point of its own, as contours/contour_gap.h in the
// plane. Which contact a point has is told by its feature, which is part of the state (SpatialGap::follow). A point
// without contact has an infinite gap; so have all where two surfaces of patches are far apart (a sixteenth of both
// sizes).
#pragma once

#include "freeplay/geometry/pairs/spatial_gap.h"
#include "freeplay/geometry/surfaces/surface_pair.h"

namespace freeplay::geometry {

inline constexpr int kMostSurfacePoints = 32;

class SurfaceGap final : public SpatialGap {
 public:
  // `points` = 0: default_points().
  SurfaceGap(SpatialSurface a, SpatialSurface b, int points = 0);
  SurfaceGap(const SurfaceGap&) = delete;
  SurfaceGap& operator=(const SurfaceGap&) = delete;

  // How many contacts two surfaces can have near each other: 1 of ellipsoids and balls; 6 against those (a ball in a
  // groove) or a plane (a face with its corners); 8 otherwise.
  static int default_points(const SpatialSurface& a, const SpatialSurface& b);

  int point_count() const override { return point_count_; }
  void evaluate(const Frame& a, const Frame& b, std::span<SpatialContactPoint> points) const override;
  bool follows_contacts() const override { return true; }
  double reach_m() const override { return reach_m_; }
  bool follow(const Frame& a, const Frame& b, std::span<const std::uint64_t> before,
              std::span<SpatialContactPoint> points, std::span<std::uint64_t> now) const override;

 private:
  std::uint64_t feature_of(const SurfaceContact& contact) const;

  SpatialSurface a_, b_;
  SurfacePair pair_;
  int point_count_;
  double reach_m_;
};

}  // namespace freeplay::geometry

// Two contours as a gap function: every contact of the pair in a point of its own.
//
// The pair has a fixed number of points. A point keeps its contact for as long as that exists: which contact it has is
// told by a number, the contact's feature, which is part of the state (PlanarGap::follow). A point without contact has
// an infinite gap.
#pragma once

#include <memory>

#include "freeplay/geometry/contours/contour_pair.h"
#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::geometry {

inline constexpr int kMostContourPoints = 32;

class ContourGap final : public PlanarGap {
 public:
  // `points` = 0: default_points().
  ContourGap(PlanarContour a, PlanarContour b, int points = 0);
  ContourGap(const ContourGap&) = delete;
  ContourGap& operator=(const ContourGap&) = delete;

  // How many contacts two contours can have near each other: 1 if both are convex and one of them is smooth; 2 if both
  // are convex (an edge that lies on an edge); 4 if one of them is convex and smooth, or a point, and the other is not
  // convex (a ball in a groove); 6 otherwise.
  static int default_points(const PlanarContour& a, const PlanarContour& b);

  int point_count() const override { return point_count_; }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override;
  bool follows_contacts() const override { return true; }
  double reach_m() const override { return reach_m_; }
  bool follow(const PlanarPlacement& a, const PlanarPlacement& b, std::span<const std::uint64_t> before,
              std::span<PlanarContactPoint> points, std::span<std::uint64_t> now) const override;

 private:
  std::uint64_t feature_of(const ContourContact& contact) const;
  double apart_m(std::uint64_t one, std::uint64_t two) const;
  bool is_continued(std::uint64_t one, std::uint64_t two) const;

  PlanarContour a_, b_;
  ContourPair pair_;
  int point_count_;
  double reach_m_;
};

}  // namespace freeplay::geometry

// The gap functions of spatial joints with play (Chaturvedi, Sandu, Sandu 2024, section 3). A is the child, B the
// parent. Frames are those of the joint: the axis of a cylindrical or revolute joint is z, that of a prismatic one x.
//
// The child carries points on its own axis (the ends of a sleeve, the corners of a prism), the parent a line, planes or
// a point, without ends. A radius does not enter the normal direction, since the force passes through both centres; it
// says where friction acts.
#pragma once

#include <cstddef>
#include <vector>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::contact {

// The child is a sleeve, the parent its rod. Two ends of the sleeve around the rod's axis: g = c - |d|, d from the axis
// to the end, perpendicular to it. Points: 1 at -length/2, 2 at +length/2 along the child's axis; with axial play also
// 3, the first end against the collar at -(length/2 + axial play), and 4, the second end against the other one.
class SleevePlay final : public SpatialGap {
 public:
  struct Size {
    double length_m = 0, clearance_m = 0;
    double rod_radius_m = 0;  // where friction acts; 0: at the centres
    bool has_collars = false;
    double axial_clearance_m = 0;
  };
  SleevePlay(const Frame& on_child, const Frame& on_parent, const Size& size);
  int point_count() const override { return size_.has_collars ? 4 : 2; }
  Round round(int point) const override;
  void evaluate(const Frame& child, const Frame& parent, std::span<SpatialContactPoint> points) const override;

 private:
  Size size_;
  Vec3 ends_[2];  // in the child's axes
  Vec3 at_parent_, axis_;
};

// A ball in a socket: g = c - |d|, d from the socket's centre to the ball's.
class SphericalPlay final : public SpatialGap {
 public:
  SphericalPlay(const Vec3& at_child, const Vec3& at_parent, double clearance_m, double ball_radius_m);
  int point_count() const override { return 1; }
  Round round(int) const override { return {clearance_, ball_radius_, true}; }
  void evaluate(const Frame& child, const Frame& parent, std::span<SpatialContactPoint> points) const override;

 private:
  Vec3 at_child_, at_parent_;
  double clearance_, ball_radius_;
};

// A prism with a convex section in a channel of the same section, all walls moved outwards by the clearance. Every
// corner of both ends against every wall. Walls count in the order of the corners that they join: 1-2, 1-n, 2-3, 3-4,
// ... Order of the points: the corners of the end at +length/2, each against the walls of its own two edges, then those
// of the end at -length/2, then the corners against the walls that are farther away.
class ChannelPlay final : public SpatialGap {
 public:
  // section: corners in the joint's y and z axes, in turn one way or the other, convex.
  ChannelPlay(const Frame& on_child, const Frame& on_parent, const std::vector<Vec2>& section, double length_m,
              double clearance_m);
  int point_count() const override { return static_cast<int>(pairs_.size()); }
  void evaluate(const Frame& child, const Frame& parent, std::span<SpatialContactPoint> points) const override;

 private:
  struct Wall {
    Vec3 inward, along;  // in the parent's axes
    double offset = 0;   // inward . x >= offset inside
    std::size_t corners[2];
  };
  struct Pair {
    int corner = 0, wall = 0;
  };
  std::vector<Vec3> corners_;  // in the child's axes
  std::vector<Wall> walls_;
  std::vector<Pair> pairs_;
};

}  // namespace freeplay::contact

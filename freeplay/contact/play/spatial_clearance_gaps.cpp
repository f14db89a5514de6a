#include "freeplay/contact/play/spatial_clearance_gaps.h"

namespace freeplay::contact {

namespace {

using Normal = SpatialContactPoint::Normal;

// So close to concentric that the direction is that of rounding; the gap is the whole clearance all the same.
constexpr double kConcentricInSpace = 1e-9;  // of the clearance

Bend hollow_ball(double radius_m) {
  return {-1 / radius_m, -1 / radius_m, Vec3::UnitX()};
}

}  // namespace

SleevePlay::SleevePlay(const Frame& on_child, const Frame& on_parent, const Size& size)
    : size_(size), at_parent_(on_parent.p), axis_(on_parent.R.col(2)) {
  ends_[0] = on_child.point({0, 0, -size.length_m / 2});
  ends_[1] = on_child.point({0, 0, size.length_m / 2});
}

void SleevePlay::evaluate(const Frame& child, const Frame& parent, std::span<SpatialContactPoint> points) const {
  const Vec3 origin = parent.point(at_parent_);
  const Vec3 axis = parent.R * axis_;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 end = child.point(ends_[i]);
    const Vec3 w = end - origin;
    const double along = axis.dot(w);
    const Vec3 d = w - along * axis;
    const double eccentricity = d.norm();
    SpatialContactPoint& radial = points[i];
    const bool is_centred = eccentricity <= kConcentricInSpace * size_.clearance_m;
    radial.normal_is = is_centred ? Normal::kAboutTangent : Normal::kDefined;
    radial.tangent = axis;
    // The sleeve hangs on the rod: they touch on the side from which it has moved away (eq. 37 with R + c).
    radial.gap = size_.clearance_m - eccentricity;
    radial.normal = is_centred ? tangent_to(axis) : Vec3(d / -eccentricity);
    radial.point_b = end - d + size_.rod_radius_m * radial.normal;
    radial.point_a = radial.point_b + radial.gap * radial.normal;
    // The end of the sleeve is a ring around the rod, which is as wide in every direction: a hollow ball.
    radial.bend_a = hollow_ball(size_.rod_radius_m + size_.clearance_m);
    radial.bend_b = Bend::cylinder(size_.rod_radius_m, axis);
    if (!size_.has_collars) continue;
    // Against the collar the whole end face would touch; its centre stands for it (section 3.3 of the paper).
    const double side = i == 0 ? 1 : -1;
    SpatialContactPoint& axial = points[2 + i];
    axial.gap = size_.length_m / 2 + size_.axial_clearance_m + side * along;
    axial.normal = side * axis;
    axial.tangent = tangent_to(axial.normal);
    axial.point_a = end;
    axial.bend_a = Bend::tip();
    axial.bend_b = Bend::flat();
    axial.point_b = end - axial.gap * axial.normal;
  }
}

SpatialGap::Round SleevePlay::round(int point) const {
  if (point >= 2) return {};
  return {size_.clearance_m, -(size_.rod_radius_m + size_.clearance_m), false};
}

SphericalPlay::SphericalPlay(const Vec3& at_child, const Vec3& at_parent, double clearance_m, double ball_radius_m)
    : at_child_(at_child), at_parent_(at_parent), clearance_(clearance_m), ball_radius_(ball_radius_m) {}

void SphericalPlay::evaluate(const Frame& child, const Frame& parent, std::span<SpatialContactPoint> points) const {
  const Vec3 ball = child.point(at_child_);
  const Vec3 d = ball - parent.point(at_parent_);
  const double eccentricity = d.norm();
  const bool is_centred = eccentricity <= kConcentricInSpace * clearance_;
  points[0].normal_is = is_centred ? Normal::kAny : Normal::kDefined;
  SpatialContactPoint& point = points[0];
  point.gap = clearance_ - eccentricity;
  point.normal = is_centred ? Vec3(Vec3::UnitX()) : Vec3(d / -eccentricity);
  point.tangent = tangent_to(point.normal);
  point.bend_a = Bend::ball(ball_radius_);
  point.bend_b = hollow_ball(ball_radius_ + clearance_);
  point.point_a = ball - ball_radius_ * point.normal;
  point.point_b = point.point_a - point.gap * point.normal;
}

ChannelPlay::ChannelPlay(const Frame& on_child, const Frame& on_parent, const std::vector<Vec2>& section,
                         double length_m, double clearance_m) {
  const std::size_t n = section.size();
  for (const double x : {length_m / 2, -length_m / 2}) {
    for (const Vec2& corner : section) corners_.push_back(on_child.point({x, corner.x(), corner.y()}));
  }
  Vec2 middle = Vec2::Zero();
  for (const Vec2& corner : section) middle += corner / static_cast<double>(n);
  const auto add_wall = [&](std::size_t from, std::size_t to) {
    const Vec2 edge = (section[to] - section[from]).normalized();
    Vec2 inward(-edge.y(), edge.x());
    if (inward.dot(middle - section[from]) < 0) inward = -inward;
    Wall wall;
    wall.inward = on_parent.R * Vec3(0, inward.x(), inward.y());
    wall.along = on_parent.R.col(0);
    wall.offset = wall.inward.dot(on_parent.point({0, section[from].x(), section[from].y()})) - clearance_m;
    wall.corners[0] = from;
    wall.corners[1] = to;
    walls_.push_back(wall);
  };
  add_wall(0, 1);
  add_wall(0, n - 1);
  for (std::size_t k = 1; k + 1 < n; ++k) add_wall(k, k + 1);

  for (const bool is_near : {true, false}) {
    for (std::size_t corner = 0; corner < corners_.size(); ++corner) {
      for (std::size_t wall = 0; wall < n; ++wall) {
        const std::size_t* ends = walls_[wall].corners;
        const bool is_its_own = ends[0] == corner % n || ends[1] == corner % n;
        if (is_its_own == is_near) pairs_.push_back({static_cast<int>(corner), static_cast<int>(wall)});
      }
    }
  }
}

void ChannelPlay::evaluate(const Frame& child, const Frame& parent, std::span<SpatialContactPoint> points) const {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Wall& wall = walls_[static_cast<std::size_t>(pairs_[i].wall)];
    SpatialContactPoint& point = points[i];
    point.point_a = child.point(corners_[static_cast<std::size_t>(pairs_[i].corner)]);
    point.normal = parent.R * wall.inward;
    point.tangent = parent.R * wall.along;
    point.bend_a = Bend::tip();
    point.bend_b = Bend::flat();
    point.gap = point.normal.dot(point.point_a - parent.p) - wall.offset;
    point.point_b = point.point_a - point.gap * point.normal;
  }
}

}  // namespace freeplay::contact

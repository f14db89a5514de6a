#include "freeplay/contact/play/slot_play.h"

#include <cmath>

#include "freeplay/geometry/shapes/spatial_solids.h"

namespace freeplay::contact {

namespace {

// So close to the end of the way that a direction is that of rounding; the whole play is left there.
constexpr double kOnTheWay = 1e-9;  // of the clearance

// A wall along the pin that is hollow towards it; `along`: the direction in which it bends.
Bend hollow_wall(double radius_m, const Vec3& along) {
  return {-1 / radius_m, 0, along};
}

}  // namespace

SlotPlay::SlotPlay(const Frame& on_child, const Frame& on_parent, const Size& size)
    : size_(size), wall_count_((size.slot.has_left ? 1 : 0) + (size.slot.has_right ? 1 : 0)), on_parent_(on_parent) {
  for (int i = 0; i < 2; ++i) {
    const double side = i == 0 ? -1 : 1, half = size.width_m / 2;
    pin_ends_[i] = on_child.point({0, 0, side * half});
    for (const Vec2& at : size.heads_m)
      head_points_[i].push_back(on_child.point({at.x(), at.y(), side * (half + size.axial_clearance_m)}));
  }
}

// side: 1 for the left wall, -1 for the right one.
void SlotPlay::touch_wall(const Mat3& axes, const Vec3& p, const Vec3& pin_end, double side,
                          SpatialContactPoint& point) const {
  const double radius = size_.slot.radius_m, reach = size_.slot.reach_m;
  Vec3 left = axes.col(1);
  double to_the_left = p.y();
  point.bend_b = Bend::flat();
  if (radius > 0) {  // to the left lies the centre of the arc, with the wall that is convex
    const Vec2 from_centre(p.x(), p.y() - radius);
    const double distance = from_centre.norm();
    // In the very centre no wall is nearer than the other ones, and all are far.
    if (distance > 0) left = axes.leftCols<2>() * from_centre / -distance;
    to_the_left = radius - distance;
    point.bend_b =
        side > 0 ? Bend::cylinder(radius - reach, axes.col(2)) : hollow_wall(radius + reach, left.cross(axes.col(2)));
  }
  point.gap = size_.clearance_m - side * to_the_left;
  point.normal = -side * left;
  point.tangent = left.cross(axes.col(2));
  point.bend_a = Bend::ball(size_.pin_radius_m);
  point.point_a = pin_end - size_.pin_radius_m * point.normal;
  point.point_b = point.point_a - point.gap * point.normal;
  point.normal_is = SpatialContactPoint::Normal::kDefined;
}

// The half circle about the end of the way that is nearer. Short of it the slot goes on, and the walls alone hold the
// pin.
void SlotPlay::touch_end(const Mat3& axes, const Vec3& p, const Vec3& pin_end, SpatialContactPoint& point) const {
  const double radius = size_.slot.radius_m, side = p.x() < 0 ? -1 : 1, half = side * size_.slot.length_m / 2;
  Vec2 end_of_way(half, 0), onward(side, 0);
  if (radius > 0) {
    const double turn = half / radius;
    end_of_way = radius * Vec2(std::sin(turn), 1 - std::cos(turn));
    onward = side * Vec2(std::cos(turn), std::sin(turn));
  }
  const Vec2 beyond = p.head<2>() - end_of_way;
  const double distance = beyond.norm();
  if (!(beyond.dot(onward) > 0) || distance <= kOnTheWay * size_.clearance_m) {
    geometry::solid::set_unused(point);
    return;
  }
  point.gap = size_.clearance_m - distance;
  point.normal = axes.leftCols<2>() * beyond / -distance;
  point.tangent = axes.col(2);
  point.bend_a = Bend::ball(size_.pin_radius_m);
  point.bend_b = hollow_wall(size_.slot.reach_m, point.normal.cross(axes.col(2)));
  point.point_a = pin_end - size_.pin_radius_m * point.normal;
  point.point_b = point.point_a - point.gap * point.normal;
  point.normal_is = SpatialContactPoint::Normal::kDefined;
}

void SlotPlay::evaluate(const Frame& child, const Frame& parent, std::span<SpatialContactPoint> points) const {
  const Vec3 origin = parent.point(on_parent_.p);
  const Mat3 axes = parent.R * on_parent_.R;
  const std::size_t walls = static_cast<std::size_t>(wall_count_);
  std::size_t next = 2 * (walls + (has_ends() ? 1 : 0));
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 pin_end = child.point(pin_ends_[i]);
    const Vec3 p = axes.transpose() * (pin_end - origin);
    if (size_.slot.has_left) touch_wall(axes, p, pin_end, 1, points[i * walls]);
    if (size_.slot.has_right) touch_wall(axes, p, pin_end, -1, points[(i + 1) * walls - 1]);
    if (has_ends()) touch_end(axes, p, pin_end, points[2 * walls + i]);
    const Vec3 outward = (i == 0 ? -1 : 1) * axes.col(2);
    for (const Vec3& at_child : head_points_[i]) {
      SpatialContactPoint& point = points[next++];
      point.point_a = child.point(at_child);
      point.gap = outward.dot(point.point_a - origin) - size_.width_m / 2;
      point.normal = outward;
      point.tangent = axes.col(0);
      point.bend_a = Bend::tip();
      point.bend_b = Bend::flat();
      point.point_b = point.point_a - point.gap * point.normal;
      point.normal_is = SpatialContactPoint::Normal::kDefined;
    }
  }
}

}  // namespace freeplay::contact

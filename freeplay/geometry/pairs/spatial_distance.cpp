#include "freeplay/geometry/pairs/spatial_distance.h"

#include <algorithm>

namespace freeplay::geometry::solid {

namespace {

using Normal = SpatialContactPoint::Normal;

SignedDistance with_normal(double gap, const Vec3& foot, const Vec3& normal, const Bend& bend) {
  return {gap, foot, normal, tangent_to(normal), bend, Normal::kDefined};
}

// Outside of a box, beyond one, two or three of its faces; e: from the nearest point, in the axes of the box.
Bend bend_of(const Box& box, const Vec3& e) {
  int level = 0, level_axis = 0;
  for (int i = 0; i < 3; ++i) {
    if (e[i] != 0) continue;
    ++level;
    level_axis = i;
  }
  return level == 2 ? Bend::flat() : level == 1 ? Bend::edge(box.axes.col(level_axis)) : Bend::tip();
}

}  // namespace

SignedDistance distance(const Ball& ball, const Vec3& point) {
  const Vec3 e = point - ball.centre;
  const double length = e.norm();
  if (length > 0) {
    const Vec3 n = e / length;
    return with_normal(length - ball.radius, ball.centre + ball.radius * n, n, Bend::ball(ball.radius));
  }
  return {
      -ball.radius, ball.centre + ball.radius * Vec3::UnitZ(), Vec3::UnitZ(), Vec3::UnitX(), Bend::ball(ball.radius),
      Normal::kAny};
}

SignedDistance distance(const HalfSpace& space, const Vec3& point) {
  const double height = space.normal.dot(point - space.at);
  return with_normal(height, point - height * space.normal, space.normal, Bend::flat());
}

SignedDistance distance(const Box& box, const Vec3& point) {
  const Vec3 p = box.axes.transpose() * (point - box.centre);
  const Vec3 nearest = p.cwiseMax(-box.half).cwiseMin(box.half);
  const Vec3 e = p - nearest;
  const double length = e.norm();
  if (length > 0) return with_normal(length, box.centre + box.axes * nearest, box.axes * (e / length), bend_of(box, e));
  int face = 0;
  const double height = (p.cwiseAbs() - box.half).maxCoeff(&face);
  const Vec3 n = std::copysign(1.0, p[face]) * box.axes.col(face);
  return with_normal(height, point - height * n, n, Bend::flat());
}

RadialPlace seen_from(const Cylinder& cylinder, const Vec3& point) {
  const Vec3 e = point - cylinder.centre, second = cylinder.axis.cross(cylinder.mark);
  const double x = cylinder.mark.dot(e), y = second.dot(e), radius = std::hypot(x, y);
  const Vec3 out = radius > 0 ? Vec3((x / radius) * cylinder.mark + (y / radius) * second) : cylinder.mark;
  return {cylinder.axis.dot(e), radius, out};
}

SignedDistance distance(const Cylinder& cylinder, const Vec3& point) {
  const RadialPlace p = seen_from(cylinder, point);
  const double beside = p.radius - cylinder.radius, beyond = std::abs(p.height) - cylinder.half_length;
  const Vec3 up = std::copysign(1.0, p.height) * cylinder.axis;
  if (beside > 0 && beyond > 0) {
    const double length = std::hypot(beside, beyond);
    const Vec3 rim = cylinder.centre + cylinder.half_length * up + cylinder.radius * p.out;
    return with_normal(length, rim, (beside / length) * p.out + (beyond / length) * up,
                       Bend::rim(cylinder.radius, beside / length, cylinder.axis.cross(p.out)));
  }
  if (beyond > beside) return with_normal(beyond, point - beyond * up, up, Bend::flat());
  const Vec3 foot = cylinder.centre + p.height * cylinder.axis + cylinder.radius * p.out;
  if (p.radius > 0) return with_normal(beside, foot, p.out, side_of(cylinder));
  return {beside, foot, p.out, cylinder.axis, side_of(cylinder), Normal::kAboutTangent};
}

SignedDistance distance(const Capsule& capsule, const Vec3& point) {
  const Segment axis = axis_of(capsule);
  const double nearest = axis.nearest(point);
  SignedDistance s = distance(Ball{axis.at(nearest), capsule.radius}, point);
  if (std::abs(nearest) < axis.half) s.bend = side_of(capsule);
  if (s.normal_is == Normal::kDefined || capsule.half_length == 0) return s;
  const Vec3 n = tangent_to(capsule.axis);
  return {s.gap, point + capsule.radius * n, n, capsule.axis, s.bend, Normal::kAboutTangent};
}

Crossing crossing(const Segment& a, const Segment& b) {
  const Vec3 w = a.along.cross(b.along), d = a.middle - b.middle;
  const double squared = w.squaredNorm();
  if (!(squared > 0)) return {};  // parallel: the ends say everything
  // d + s a - t b is parallel to w. Written with w instead of 1 - (a . b)^2, which loses the small angles.
  const double s = -d.cross(b.along).dot(w) / squared;
  if (!(std::abs(s) < a.half)) return {};
  const Vec3 on_a = a.at(s);
  // From the point on a instead of from w: however uncertain s is, the distance at it is then nearly the least one.
  const double t = b.along.dot(on_a - b.middle);
  if (!(std::abs(t) < b.half)) return {};
  const double sine = std::sqrt(squared);
  return {true, sine, on_a, b.at(t), w / sine};
}

}  // namespace freeplay::geometry::solid

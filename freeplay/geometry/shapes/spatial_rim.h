// The rim of a cylinder, and where something else is nearest to it. Part of the implementation of spatial_gap.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/geometry/pairs/spatial_distance.h"

namespace freeplay::geometry::solid {

struct Rim {
  Vec3 centre;
  Vec3 up;    // unit, out of the end
  Vec3 x, y;  // unit, in the plane of the rim
  double radius;

  Vec3 out(double cos, double sin) const { return cos * x + sin * y; }
  Vec3 out(double angle) const { return out(std::cos(angle), std::sin(angle)); }
  Vec3 along(double angle) const { return out(-std::sin(angle), std::cos(angle)); }
  Vec3 at(double angle) const { return centre + radius * out(angle); }
  // The direction in the plane of the rim that v has; of a v without one, x turned by half a turn.
  Vec3 direction_of(const Vec3& v) const {
    // By components, so that it stays in the plane where v is across it up to rounding.
    const double a = x.dot(v), b = y.dot(v), length = std::hypot(a, b);
    return length > 0 ? Vec3((a / length) * x + (b / length) * y) : Vec3(-x);
  }
  Vec3 nearest(const Vec3& p) const { return centre + radius * direction_of(p - centre); }
  // The point that is lowest against n. Of a level rim all are; the one opposite to x is the farthest from all that are
  // fixed.
  Vec3 lowest(const Vec3& n) const { return centre + radius * direction_of(-n); }
  // How it bends at a point, `out` from the centre, against a normal that points out of the solid.
  Bend bend(const Vec3& out, const Vec3& outward) const { return Bend::rim(radius, outward.dot(out), up.cross(out)); }
  // Three points that are fixed in the body. They hold a cylinder that stands and take no part in one that rolls on its
  // side, which its lowest points carry: more than 30 degrees from level they are left out.
  bool fixed_count(const Vec3& n) const { return up.cross(n).squaredNorm() <= 0.25; }
  Vec3 fixed(int third) const {
    const double sine = third == 0 ? 0 : (third == 1 ? 1 : -1) * std::numbers::sqrt3 / 2;
    return centre + radius * ((third == 0 ? 1 : -0.5) * x + sine * y);
  }
};

inline Rim rim_of(const Cylinder& cylinder, int end) {
  const Vec3 up = end == 0 ? Vec3(-cylinder.axis) : cylinder.axis;
  return {cylinder.end(end), up, cylinder.mark, cylinder.axis.cross(cylinder.mark), cylinder.radius};
}

// A root between low and high, where the values have different signs, up to rounding: the Illinois variant of regula
// falsi, in which the end that stays counts half.
template <class Function>
double root_between(Function f, double low, double at_low, double high, double at_high) {
  double root = high;
  for (int k = 0; k < 60 && at_high != 0; ++k) {
    root = low + (high - low) * (at_low / (at_low - at_high));
    if (!(root > low && root < high)) break;
    const double at_root = f(root);
    if ((at_root < 0) == (at_low < 0)) {
      low = root;
      at_low = at_root;
      at_high /= 2;
    } else {
      high = root;
      at_high = at_root;
      at_low /= 2;
    }
  }
  return root;
}

// Calls use(angle, foot) for the points of the rim that are nearer to another curve than their neighbours; foot(p) is
// the point of that curve nearest to p. The squared distance has the derivative 2 (a - foot(a)) . a' whatever the curve
// is, because the foot moves at right angles. Between `samples` steps around the rim a change of sign is a minimum; two
// extremes within one step are missed, but between such two the distance is nearly constant, and on the way to the
// farther side it falls below both: the least distance is always found.
template <class Foot, class Use>
void for_nearest_on_rim(const Rim& rim, int samples, Foot foot, Use use) {
  const auto slope = [&](double cos, double sin) {
    const Vec3 p = rim.centre + rim.radius * rim.out(cos, sin);
    return (p - foot(p)).dot(rim.out(-sin, cos));
  };
  const double step = 2 * std::numbers::pi / samples, cos_step = std::cos(step), sin_step = std::sin(step);
  double cos = 1, sin = 0, before = slope(cos, sin);
  for (int i = 1; i <= samples; ++i) {
    const double next = cos * cos_step - sin * sin_step;
    sin = sin * cos_step + cos * sin_step;
    cos = next;
    const double after = slope(cos, sin);
    if (before < 0 && after >= 0) {
      const double root = root_between([&](double angle) { return slope(std::cos(angle), std::sin(angle)); },
                                       (i - 1) * step, before, i * step, after);
      use(root, foot(rim.at(root)));
    }
    before = after;
  }
}

}  // namespace freeplay::geometry::solid

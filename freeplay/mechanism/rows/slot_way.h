// The way of a pin in a curved slot, in the axes of the joint's frame on the parent. The way is an arc of the radius R
// that begins along x and turns left: its centre is c = (0, R). With p the pin and d = |p - c|,
//
//   s = R atan2(p_x, R - p_y)   how far along the way,        ds/dt = (R/d) t . p',   t along the way
//   v = R - d                   how far to its left,          dv/dt = n . p',         n = (c - p)/d, to the left
//
// and, with tau = t . p' and nu = n . p',  s'' = (R/d) t . p'' + 2 R tau nu/d^2,  v'' = n . p'' - tau^2/d.
#pragma once

#include <algorithm>
#include <cmath>

#include "freeplay/math/types.h"

namespace freeplay::mechanism {

struct SlotWay {
  // In the very centre of the arc no direction is that of the way; it keeps numbers finite there.
  static constexpr double kCentre = 1e-9;  // of R

  SlotWay(double radius_m, const Vec3& p) : radius(radius_m), from_centre(p.x(), p.y() - radius_m) {
    distance = std::max(from_centre.norm(), kCentre * radius);
    n = Vec3(-from_centre.x() / distance, -from_centre.y() / distance, 0);
    t = Vec3(n.y(), -n.x(), 0);
  }

  double along() const { return radius * std::atan2(from_centre.x(), -from_centre.y()); }
  double to_the_left() const { return radius - distance; }
  // The gradient of s; that of v is n.
  Vec3 gradient_along() const { return radius / distance * t; }
  // What s'' and v'' have where p'' = 0.
  double bias_along(const Vec3& p_rate) const {
    return 2 * radius * t.dot(p_rate) * n.dot(p_rate) / (distance * distance);
  }
  double bias_to_the_left(const Vec3& p_rate) const {
    const double tau = t.dot(p_rate);
    return -tau * tau / distance;
  }

  double radius;
  Vec2 from_centre;
  double distance = 0;
  Vec3 n, t;
};

}  // namespace freeplay::mechanism

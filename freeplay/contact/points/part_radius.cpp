#include "freeplay/contact/points/part_radius.h"

#include <algorithm>
#include <cmath>

namespace freeplay::contact {

namespace {

// 0 for a point, and for what has no radius.
double own_radius_m(const Bound& bound) {
  const bool has_radius = bound.kind == Bound::Kind::kBall || bound.kind == Bound::Kind::kBore;
  return has_radius && std::isfinite(bound.ball.radius_m) ? bound.ball.radius_m : 0;
}

}  // namespace

double reach_from_centre_m(const Bound& bound) {
  return bound.kind == Bound::Kind::kBall ? bound.ball.centre_m.norm() + own_radius_m(bound) : 0;
}

PartRadii::PartRadii(const std::vector<MechanismContacts::Surface>& surfaces,
                     const std::map<BodyIndex, double>& of_body_m) {
  for (const MechanismContacts::Surface& surface : surfaces) {
    const double own_m = own_radius_m(surface.bound);
    const bool is_point = own_m == 0 && surface.bound.kind == Bound::Kind::kBall;
    radius_m_.push_back(is_point ? of_body_m.at(surface.body) : own_m);
  }
}

double PartRadii::smallest(std::span<const int> surfaces) const {
  double smallest_m = 0;
  for (const int surface : surfaces) {
    const double radius_m = radius_m_[static_cast<std::size_t>(surface)];
    if (radius_m > 0 && (smallest_m == 0 || radius_m < smallest_m)) smallest_m = radius_m;
  }
  return smallest_m;
}

}  // namespace freeplay::contact

#include "freeplay/contact/carried/part_radius.h"

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

void set_part_radii(std::vector<MechanismContacts::Surface>& surfaces, const std::map<BodyIndex, double>& of_body_m) {
  for (MechanismContacts::Surface& surface : surfaces) {
    const double own_m = own_radius_m(surface.bound);
    const bool is_point = own_m == 0 && surface.bound.kind == Bound::Kind::kBall;
    surface.part_radius_m = is_point ? of_body_m.at(surface.body) : own_m;
  }
}

double smaller_radius(double a_m, double b_m) {
  return a_m > 0 && b_m > 0 ? std::min(a_m, b_m) : std::max(a_m, b_m);
}

}  // namespace freeplay::contact

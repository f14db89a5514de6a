#include "freeplay/contact/points/point_size.h"

#include <algorithm>
#include <cmath>

#include "freeplay/contact/points/mechanism_contacts.h"

namespace freeplay::contact {

namespace {

double diameter_of(const Bound& bound) {
  return bound.kind == Bound::Kind::kBall && std::isfinite(bound.ball.radius_m) ? 2 * bound.ball.radius_m : 0;
}

double size_of(const MechanismContacts& contacts, int index) {
  const MechanismContacts::Surface& surface = contacts.surfaces[static_cast<std::size_t>(index)];
  const double own_m = diameter_of(surface.bound);
  if (own_m > 0 || surface.bound.kind != Bound::Kind::kBall) return own_m;
  double size_m = 0;
  for (const MechanismContacts::Surface& other : contacts.surfaces) {
    if (other.body != surface.body || other.bound.kind != Bound::Kind::kBall) continue;
    size_m = std::max(size_m, 2 * other.bound.ball.centre_m.norm() + diameter_of(other.bound));
  }
  return size_m;
}

double radius_of(const Bound& bound) {
  const bool has_radius = bound.kind == Bound::Kind::kBall || bound.kind == Bound::Kind::kBore;
  return has_radius && bound.ball.radius_m > 0 ? bound.ball.radius_m : kInfinity;
}

}  // namespace

double smaller_part_m(const ContactModel& contacts, ContactKey key) {
  const auto* of_mechanism = dynamic_cast<const MechanismContacts*>(&contacts);
  if (of_mechanism == nullptr) return 0;
  if (key.is_named() && key.pair >= static_cast<std::uint64_t>(of_mechanism->pair_count())) return 0;  // a stop
  const auto [a, b] = key.is_named() ? of_mechanism->surfaces_of(static_cast<int>(key.pair))
                                     : MechanismContacts::surfaces_of_key(key.pair);
  if (a < 0 || b < 0) return 0;
  const double size_a = size_of(*of_mechanism, a), size_b = size_of(*of_mechanism, b);
  return size_a > 0 && size_b > 0 ? std::min(size_a, size_b) : std::max(size_a, size_b);
}

double smaller_size_m(const Bound& a, const Bound& b) {
  const double smaller = std::min(radius_of(a), radius_of(b));
  return std::isfinite(smaller) ? smaller : 1;
}

}  // namespace freeplay::contact

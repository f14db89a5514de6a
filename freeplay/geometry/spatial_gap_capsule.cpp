// Capsules. Their ends are balls and always count; between the ends an axis is a line that passes others at one place.
#include "freeplay/geometry/spatial_distance.h"
#include "freeplay/geometry/spatial_gap_families.h"

namespace freeplay::solid {

void find_contacts(const Capsule& a, const Capsule& b, Contacts points) {
  for (int end = 0; end < 2; ++end) {
    const auto i = static_cast<std::size_t>(end);
    set_ball_contact(points[i], a.end(end), a.radius, distance(b, a.end(end)));
    set_ball_contact(points[2 + i], b.end(end), b.radius, distance(a, b.end(end)));
    swap_sides(points[2 + i]);
  }
  const Crossing c = crossing(axis_of(a), axis_of(b));
  if (!c.exists) return set_unused(points[4]);
  const Vec3 e = c.on_a - c.on_b;
  const double length = e.norm();
  const Vec3 n = length > 0 ? Vec3(e / length) : c.across;
  set_contact(points[4], length - a.radius - b.radius, c.on_a - a.radius * n, c.on_b + b.radius * n, n);
}

}  // namespace freeplay::solid

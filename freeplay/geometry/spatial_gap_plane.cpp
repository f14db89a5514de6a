// Solids on a half-space touch it with points that are fixed in them, each with a smooth gap of its own, so that a box
// or an upright cylinder stands and does not jump from one deepest point to another. A rim also has its lowest point,
// which travels along it when a coin rolls: its gap is that of the rim itself, and because the rim is level there the
// rate is that of the material point that is lowest just now.
#include <array>
#include <numbers>

#include "freeplay/geometry/spatial_box.h"
#include "freeplay/geometry/spatial_gap_families.h"

namespace freeplay::solid {

namespace {

void set_point_contact(SpatialContactPoint& contact, const Vec3& point, const HalfSpace& space) {
  set_ball_contact(contact, point, 0, distance(space, point));
}

}  // namespace

void find_contacts(const Box& a, const HalfSpace& b, Contacts points) {
  for (unsigned i = 0; i < 8; ++i) set_point_contact(points[i], corner_of(a, i), b);
}

void find_contacts(const Capsule& a, const HalfSpace& b, Contacts points) {
  for (int end = 0; end < 2; ++end) {
    const Vec3 centre = a.end(end);
    set_ball_contact(points[static_cast<std::size_t>(end)], centre, a.radius, distance(b, centre));
  }
}

void find_contacts(const Cylinder& a, const HalfSpace& b, Contacts points) {
  const Vec3 second = a.axis.cross(a.mark);
  const double sin_third = std::numbers::sqrt3 / 2;
  const std::array<Vec3, 3> fixed = {a.mark, -0.5 * a.mark + sin_third * second, -0.5 * a.mark - sin_third * second};
  const Vec3 down = a.axis.dot(b.normal) * a.axis - b.normal;
  const double slope = down.norm();
  // Exactly upright every point of a rim is lowest; the one opposite to a fixed point is the farthest from all three.
  const Vec3 lowest = slope > 0 ? Vec3(down / slope) : -a.mark;
  for (int end = 0; end < 2; ++end) {
    const Vec3 centre = a.end(end);
    SpatialContactPoint* contact = &points[static_cast<std::size_t>(4 * end)];
    set_point_contact(*contact++, centre + a.radius * lowest, b);
    for (const Vec3& direction : fixed) set_point_contact(*contact++, centre + a.radius * direction, b);
  }
}

}  // namespace freeplay::solid

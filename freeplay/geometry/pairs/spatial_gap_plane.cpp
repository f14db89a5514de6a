// Solids on a half-space touch it with points that are fixed in them, each with a smooth gap of its own, so that a box
// or an upright cylinder stands and does not jump from one deepest point to another. A rim also has its lowest point,
// which travels along it when a coin rolls: its gap is that of the rim itself, and because the rim is level there the
// rate is that of the material point that is lowest just now.
#include "freeplay/geometry/pairs/spatial_gap_families.h"
#include "freeplay/geometry/shapes/spatial_box.h"
#include "freeplay/geometry/shapes/spatial_rim.h"

namespace freeplay::geometry::solid {

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
  for (int end = 0; end < 2; ++end) {
    const Rim rim = rim_of(a, end);
    SpatialContactPoint* contact = &points[static_cast<std::size_t>(4 * end)];
    const Vec3 out = rim.direction_of(-b.normal);
    set_point_contact(*contact, rim.centre + rim.radius * out, b);  // rim.lowest()
    contact++->bend_a = rim.bend(out, -b.normal);
    for (int third = 0; third < 3; ++third, ++contact) {
      if (rim.fixed_count(b.normal))
        set_point_contact(*contact, rim.fixed(third), b);
      else
        set_unused(*contact);
    }
  }
}

}  // namespace freeplay::geometry::solid

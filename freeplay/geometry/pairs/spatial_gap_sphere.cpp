// A sphere against anything is the signed distance of its centre minus its radius.
#include "freeplay/geometry/pairs/spatial_distance.h"
#include "freeplay/geometry/pairs/spatial_gap_families.h"

namespace freeplay::geometry::solid {

void find_contacts(const Ball& a, const HalfSpace& b, Contacts points) {
  set_ball_contact(points[0], a.centre, a.radius, distance(b, a.centre));
}

void find_contacts(const Ball& a, const Ball& b, Contacts points) {
  set_ball_contact(points[0], a.centre, a.radius, distance(b, a.centre));
}

void find_contacts(const Ball& a, const Box& b, Contacts points) {
  set_ball_contact(points[0], a.centre, a.radius, distance(b, a.centre));
}

void find_contacts(const Ball& a, const Cylinder& b, Contacts points) {
  set_ball_contact(points[0], a.centre, a.radius, distance(b, a.centre));
}

void find_contacts(const Ball& a, const Capsule& b, Contacts points) {
  set_ball_contact(points[0], a.centre, a.radius, distance(b, a.centre));
}

}  // namespace freeplay::geometry::solid

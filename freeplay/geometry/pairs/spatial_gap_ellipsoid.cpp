// Ellipsoids against planes, spheres and each other: by support functions (surfaces/convex_body.h).
#include "freeplay/geometry/pairs/spatial_gap_families.h"

namespace freeplay::geometry::solid {

namespace {

// Bends of ellipsoids: bend_ellipsoid().
void set_convex_contact(SpatialContactPoint& contact, const ConvexBody& a, const ConvexBody& b) {
  Vec3 n;
  const double gap = convex_gap(a, b, Vec3::Zero(), n);
  set_contact(contact, gap, a.point(-n), b.point(n), n, {});
}

}  // namespace

void find_contacts(const Ellipsoid& a, const HalfSpace& b, Contacts points) {
  const Vec3 x = a.body.point(-b.normal);
  const double gap = b.normal.dot(x - b.at);
  set_contact(points[0], gap, x, x - gap * b.normal, b.normal, {});
}

void find_contacts(const Ball& a, const Ellipsoid& b, Contacts points) {
  set_convex_contact(points[0], ConvexBody::ball(a.centre, a.radius), b.body);
  points[0].bend_a = Bend::ball(a.radius);
}

void find_contacts(const Ellipsoid& a, const Ellipsoid& b, Contacts points) {
  set_convex_contact(points[0], a.body, b.body);
}

}  // namespace freeplay::geometry::solid

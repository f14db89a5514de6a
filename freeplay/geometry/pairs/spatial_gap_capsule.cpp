// Capsules. Their ends are balls and always count; between the ends an axis is a line that passes others at one place.
#include "freeplay/geometry/pairs/spatial_distance.h"
#include "freeplay/geometry/pairs/spatial_gap_families.h"
#include "freeplay/geometry/shapes/spatial_rim.h"

namespace freeplay::geometry::solid {

namespace {

// Two rods of which the axes pass each other between their ends.
void set_crossing_contact(SpatialContactPoint& contact, const Rod& a, const Rod& b) {
  const Crossing c = crossing(axis_of(a), axis_of(b));
  if (!c.exists) return set_unused(contact);
  const Vec3 e = c.on_a - c.on_b;
  const double length = e.norm();
  const Vec3 n = length > 0 ? Vec3(e / length) : c.across;
  set_contact(contact, length - a.radius - b.radius, c.on_a - a.radius * n, c.on_b + b.radius * n, n,
              {side_of(a), side_of(b)});
}

// A capsule whose axis goes in through an end of the cylinder leaves it over that end with its lowest point at last:
// far, but a way out that always exists.
void set_way_out_over_ends(SpatialContactPoint* over_ends[2], const Capsule& a, const Cylinder& b) {
  double best = -kNoGap;
  SpatialContactPoint way_out;
  SpatialContactPoint* place = nullptr;
  for (int end = 0; end < 2; ++end) {
    const Rim rim = rim_of(b, end);
    const double first = rim.up.dot(a.end(0) - rim.centre), second = rim.up.dot(a.end(1) - rim.centre);
    if ((first < 0) == (second < 0)) continue;
    const Vec3 through = a.end(0) + (first / (first - second)) * (a.end(1) - a.end(0));
    const double lowest = std::min(first, second);
    if ((through - rim.centre).norm() > b.radius || lowest <= best) continue;
    best = lowest;
    const Vec3 centre = a.end(first < second ? 0 : 1);
    set_contact(way_out, lowest - a.radius, centre - a.radius * rim.up, centre - lowest * rim.up, rim.up,
                {Bend::ball(a.radius), Bend::flat()});
    place = over_ends[end];
  }
  if (place != nullptr) *place = way_out;
}

}  // namespace

void find_contacts(const Capsule& a, const Capsule& b, Contacts points) {
  for (int end = 0; end < 2; ++end) {
    const auto i = static_cast<std::size_t>(end);
    set_ball_contact(points[i], a.end(end), a.radius, distance(b, a.end(end)));
    set_ball_contact(points[2 + i], b.end(end), b.radius, distance(a, b.end(end)));
    swap_sides(points[2 + i]);
  }
  set_crossing_contact(points[4], a, b);
}

// The axis of the capsule passes a rim at up to two places: of a capsule that lies across an end, where it comes over
// the end and where it leaves it. They count while the axis is outside, with the normal within the rim's right angle;
// an axis that lies in a face of the cylinder is on the border of that angle, hence the margin.
//
// An axis that goes in through an end and out again through the side or the other end is deeper than all of this sees:
// its own ends are outside, and the axes may pass each other beyond the cylinder. Then the nearest rim that it passes
// on the inside is the way out. Where anything else touches, that is nearer than such a rim.
void find_contacts(const Capsule& a, const Cylinder& b, Contacts points) {
  constexpr double kLargestLean = 0.1;
  constexpr int kSamples = 16;
  for (int end = 0; end < 2; ++end) {
    set_ball_contact(points[static_cast<std::size_t>(end)], a.end(end), a.radius, distance(b, a.end(end)));
  }
  set_crossing_contact(points[2], a, b);
  const double rounding = rounding_of(a.half_length + a.radius + b.half_length + b.radius);
  const Segment axis = axis_of(a);
  SpatialContactPoint way_out;
  SpatialContactPoint* place_of_way_out = nullptr;
  for (int end = 0; end < 2; ++end) {
    const Rim rim = rim_of(b, end);
    SpatialContactPoint* pair = &points[static_cast<std::size_t>(3 + 2 * end)];
    set_unused(pair[0]);
    set_unused(pair[1]);
    for_nearest_on_rim(
        rim, kSamples, [&](const Vec3& p) { return axis.at(axis.along.dot(p - axis.middle)); },
        [&](double angle, const Vec3& foot) {
          const Vec3 on_rim = rim.at(angle), e = foot - on_rim;
          const double length = e.norm();
          if (!(std::abs(axis.along.dot(foot - axis.middle)) < axis.half) || !(length > 0)) return;
          const Vec3 n = e / length;
          SpatialContactPoint& contact = pair[axis.along.dot(rim.out(angle)) < 0 ? 0 : 1];
          const double inside = -length - a.radius;
          if (distance(b, foot).gap <= rounding && (place_of_way_out == nullptr || inside > way_out.gap)) {
            set_contact(way_out, inside, foot + a.radius * n, on_rim, -n, {side_of(a), rim.bend(rim.out(angle), -n)});
            place_of_way_out = &contact;
          }
          if (n.dot(rim.up) < -kLargestLean || n.dot(rim.out(angle)) < -kLargestLean) return;
          if (length - a.radius < contact.gap) {
            set_contact(contact, length - a.radius, foot - a.radius * n, on_rim, n,
                        {side_of(a), rim.bend(rim.out(angle), n)});
          }
        });
  }
  if (has_gap_up_to(points, 0)) return;
  if (place_of_way_out != nullptr) {
    *place_of_way_out = way_out;
  } else {
    SpatialContactPoint* over_ends[] = {&points[3], &points[5]};
    set_way_out_over_ends(over_ends, a, b);
  }
}

}  // namespace freeplay::geometry::solid

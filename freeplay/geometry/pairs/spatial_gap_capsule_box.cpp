// A capsule and a box, in the manner of two boxes (spatial_gap_box.cpp) with a face that is only a line. The ends are
// balls and always count, and so do the corners of the box that the axis passes beside: a capsule that rolls over an
// edge needs two of them. Where the axis comes over the edges of the face that it faces, the lines have their distance.
#include <algorithm>

#include "freeplay/geometry/pairs/spatial_gap_families.h"
#include "freeplay/geometry/shapes/spatial_box.h"

namespace freeplay::geometry::solid {

namespace {

constexpr double kLeastSine = 0.01, kLargestLean = 0.1;  // as of two boxes
constexpr std::size_t kFirstCorner = 2, kFirstCrossing = 10, kLast = 12;

struct Separation {
  double gap = -kNoGap;
  Vec3 normal = Vec3::UnitZ();  // from the box to the axis
};

Separation separation_along(const Segment& axis, const Box& box, const Vec3& direction) {
  const double between = direction.dot(axis.middle - box.centre);
  return {std::abs(between) - axis.half * std::abs(direction.dot(axis.along)) -
              box.half.dot((box.axes.transpose() * direction).cwiseAbs()),
          std::copysign(1.0, between) * direction};
}

// The best of the box's faces, and the best of the common normals of the axis and an edge.
Separation best_face(const Segment& axis, const Box& box) {
  Separation best;
  for (int i = 0; i < 3; ++i) {
    const Separation s = separation_along(axis, box, box.axes.col(i));
    if (s.gap > best.gap) best = s;
  }
  return best;
}

struct EdgeSeparation : Separation {
  int edge = -1;  // -1: the axis is parallel to all
};

EdgeSeparation best_edge(const Segment& axis, const Box& box) {
  EdgeSeparation best;
  for (int i = 0; i < 3; ++i) {
    const Vec3 w = axis.along.cross(box.axes.col(i));
    const double sine = w.norm();
    if (!(sine > 0)) continue;
    const Separation s = separation_along(axis, box, w / sine);
    if (s.gap > best.gap) best = {s, edge_towards(box, i, s.normal)};
  }
  return best;
}

// The edge that is nearest to an axis outside of the box, if the axis passes one at all.
struct Nearest {
  double length = kNoGap;
  int edge = -1;
  Vec3 on_axis = Vec3::Zero(), on_box = Vec3::Zero();
};

Nearest nearest_edge(const Segment& axis, const Box& box) {
  Nearest nearest;
  for (int i = 0; i < 12; ++i) {
    const Crossing c = crossing(axis, edge_of(box, i));
    if (!c.exists) continue;
    const double length = (c.on_a - c.on_b).norm();
    if (length < nearest.length) nearest = {length, i, c.on_a, c.on_b};
  }
  return nearest;
}

// The point of the axis is at `height` from the box along n; `bend`: of the box there.
void set_axis_contact(SpatialContactPoint& contact, const Vec3& on_axis, double height, const Vec3& n, double radius,
                      const Vec3& axis, const Bend& bend) {
  set_contact(contact, height - radius, on_axis - radius * n, on_axis - height * n, n,
              {Bend::cylinder(radius, axis), bend});
}

void set_corner_contact(SpatialContactPoint& contact, const Segment& axis, const Vec3& corner, const Box& box,
                        double radius) {
  const double s = axis.along.dot(corner - axis.middle);
  if (!(std::abs(s) < axis.half)) return set_unused(contact);  // nearest to an end
  const Vec3 foot = axis.at(s), e = foot - corner;
  const double length = e.norm();
  // The axis is beyond the faces of the corner, not within the box or in front of one face only. An axis along an edge
  // is on the border of that: a small lean counts as beyond.
  const Vec3 local = box.axes.transpose() * e, out = box.axes.transpose() * (corner - box.centre);
  const bool outside = (local.array() * out.array() >= -0.01 * length * box.half.array()).all();
  if (!outside || !(length > 0)) return set_unused(contact);
  set_axis_contact(contact, foot, length, e / length, radius, axis.along, Bend::tip());
}

// Where the axis passes the edges of the face, but for edges that it passes lower than `least_height`: an axis outside
// of the box goes below none, one inside is no deeper than twice the shortest way out (spatial_features.h). Returns
// whether the edge of the box is among the crossings.
bool find_crossings(const Capsule& a, const Box& b, const Vec3& n, int edge, double least_height, Contacts points) {
  bool has_edge = false;
  const Face face = face_towards(b, n);
  for (int i = 0; i < 4; ++i) {
    const FaceEdge of_face = edge_of(b, face, i);
    const Crossing c = crossing(axis_of(a), of_face.line);
    if (!c.exists || c.sine < kLeastSine) continue;
    const Vec3 w = std::copysign(1.0, n.dot(c.across)) * c.across;
    if (w.dot(of_face.out) < -kLargestLean) continue;
    const double height = w.dot(c.on_a - c.on_b);
    if (height < least_height) continue;
    SpatialContactPoint& contact = points[kFirstCrossing + (a.axis.dot(of_face.out) < 0 ? 0u : 1u)];
    if (height - a.radius < contact.gap)
      set_axis_contact(contact, c.on_a, height, w, a.radius, a.axis, Bend::edge(of_face.line.along));
    has_edge = has_edge || of_face.edge == edge;
  }
  return has_edge;
}

}  // namespace

void find_contacts(const Capsule& a, const Box& b, Contacts points) {
  for (int end = 0; end < 2; ++end) {
    set_ball_contact(points[static_cast<std::size_t>(end)], a.end(end), a.radius, distance(b, a.end(end)));
  }
  const Segment axis = axis_of(a);
  for (unsigned i = 0; i < 8; ++i) set_corner_contact(points[kFirstCorner + i], axis, corner_of(b, i), b, a.radius);
  for (std::size_t i = kFirstCrossing; i <= kLast; ++i) set_unused(points[i]);
  const double rounding = rounding_of(a.half_length + b.half.norm());
  const Separation face = best_face(axis, b);
  const EdgeSeparation edge = best_edge(axis, b);
  if (std::max(face.gap, edge.gap) > 0) {
    const Nearest nearest = nearest_edge(axis, b);
    find_crossings(a, b, face.normal, -1, -rounding, points);
    if (nearest.edge < 0 || !(nearest.length > 0) || has_gap_up_to(points, nearest.length - a.radius + rounding))
      return;
    set_axis_contact(points[kLast], nearest.on_axis, nearest.length,
                     (nearest.on_axis - nearest.on_box) / nearest.length, a.radius, a.axis,
                     Bend::edge(edge_of(b, nearest.edge).along));
    return;
  }
  // The axis itself is inside: deeper than the radius.
  const double deepest = 2 * std::max(face.gap, edge.gap) - rounding;
  const bool has_edge = find_crossings(a, b, face.normal, edge.edge, deepest, points);
  if (edge.gap > face.gap + rounding) {
    const Segment line = edge_of(b, edge.edge);
    const Crossing c = crossing(axis, line);
    if (c.exists && !has_edge)
      set_axis_contact(points[kLast], c.on_a, edge.normal.dot(c.on_a - c.on_b), edge.normal, a.radius, a.axis,
                       Bend::edge(line.along));
  } else if (!has_gap_up_to(points, rounding - a.radius)) {
    const double lower = axis.along.dot(face.normal) > 0 ? -axis.half : axis.half;
    set_axis_contact(points[kLast], axis.at(lower), face.gap, face.normal, a.radius, a.axis, Bend::flat());
    points[kLast].bend_a = Bend::ball(a.radius);
  }
}

}  // namespace freeplay::geometry::solid

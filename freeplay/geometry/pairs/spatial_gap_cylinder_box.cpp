// A cylinder and a box, in the manner of two boxes (spatial_gap_box.cpp). The rims have points that are fixed in them
// and a lowest one, as on a plane, while these are over the face of the box that the cylinder faces. The corners of the
// box have their distance to the cylinder. Over the edges of that face pass the lowest line of a lying cylinder and the
// rim of a standing one.
#include "freeplay/geometry/pairs/spatial_gap_families.h"
#include "freeplay/geometry/shapes/spatial_box.h"
#include "freeplay/geometry/shapes/spatial_features.h"
#include "freeplay/geometry/shapes/spatial_rim.h"

namespace freeplay::geometry::solid {

namespace {

constexpr double kLeastSine = 0.01, kLargestLean = 0.1;  // as of two boxes
constexpr std::size_t kFirstCorner = 8, kFirstSide = 16, kFirstRim = 18, kLast = 26;
constexpr int kSamples = 16, kFineSamples = 64;  // steps around a rim; the fine ones where solids overlap
constexpr int kWedgeSteps = 12;                  // steps through the normals of an edge
constexpr double kLevel = 1e-9;                  // of the radius: a slope that is a root and no jump

// The direction of the box's best face, from B to A.
Vec3 facing_normal(const Cylinder& a, const Box& b) {
  double best = -kNoGap;
  Vec3 normal = Vec3::UnitZ();
  for (int i = 0; i < 3; ++i) {
    const double between = b.axes.col(i).dot(a.centre - b.centre);
    const Vec3 n = std::copysign(1.0, between) * b.axes.col(i);
    const double gap = std::abs(between) - reach(a, n) - b.half[i];
    if (gap > best) {
      best = gap;
      normal = n;
    }
  }
  return normal;
}

// A corner that has entered is pushed back through the end or the side, whichever separates the solids better. Through
// which of them it came is not said by the nearer one: of a box that stands on an end with a corner at the rim, the
// side is as near.
void set_corner_contact(SpatialContactPoint& contact, const Cylinder& a, const Box& b, const Vec3& corner) {
  const SignedDistance s = distance(a, corner);
  set_contact(contact, s.gap, s.foot, corner, -s.normal, {s.bend, Bend::tip()});
  if (s.gap > 0) return;
  const RadialPlace p = seen_from(a, corner);
  const double beyond = std::abs(p.height) - a.half_length, beside = p.radius - a.radius;
  const Vec3 up = std::copysign(1.0, p.height) * a.axis;
  if (separation_along(a, b, -up) >= separation_along(a, b, -p.out))
    set_contact(contact, beyond, corner - beyond * up, corner, -up, {Bend::flat(), Bend::tip()});
  else
    set_contact(contact, beside, corner - beside * p.out, corner, -p.out, {side_of(a), Bend::tip()});
}

// Where the lowest line of A's side comes over the face and where it leaves it.
void find_side_crossings(const Cylinder& a, const Box& b, const Face& face, double rounding, Contacts points) {
  const Vec3 n = face.normal(b);
  for (int i = 0; i < 4; ++i) {
    const FaceEdge edge = edge_of(b, face, i);
    const Crossing c = crossing(axis_of(a), edge.line);
    if (!c.exists || c.sine < kLeastSine) continue;
    const Vec3 w = std::copysign(1.0, c.across.dot(n + edge.out)) * c.across;
    if (w.dot(edge.out) < -kLargestLean || w.dot(n) < -kLargestLean) continue;
    const double gap = w.dot(c.on_a - c.on_b) - a.radius;
    if (gap < 0 && !overlap_there(c.on_a - a.radius * w, c.on_b, gap, a, b, rounding)) continue;
    SpatialContactPoint& contact = points[kFirstSide + (a.axis.dot(edge.out) < 0 ? 0u : 1u)];
    if (gap < contact.gap) {
      set_contact(contact, gap, c.on_a - a.radius * w, c.on_a - (a.radius + gap) * w, w,
                  {side_of(a), Bend::edge(edge.line.along)});
    }
  }
}

// Calls use(point of the rim, foot on the edge, common perpendicular, sine, angle on the rim).
template <class Use>
void for_rim_crossings(const Rim& rim, const Segment& edge, int samples, Use use) {
  for_nearest_on_rim(
      rim, samples, [&](const Vec3& p) { return edge.at(edge.along.dot(p - edge.middle)); },
      [&](double angle, const Vec3& foot) {
        if (!(std::abs(edge.along.dot(foot - edge.middle)) < edge.half)) return;
        const Vec3 across = rim.along(angle).cross(edge.along);
        use(rim.at(angle), foot, across, across.norm(), angle);
      });
}

// A rim over the edges of the face. The end of a standing cylinder has two places per edge: where the edge comes under
// it and where it leaves it. A lying cylinder has one per edge and end: on an edge along its axis it rolls with both
// rims.
void find_rim_crossings(const Cylinder& a, int end, bool stands, const Box& b, const Face& face, double rounding,
                        Contacts points) {
  const Rim rim = rim_of(a, end);
  const Vec3 n = face.normal(b);
  for (int i = 0; i < 4; ++i) {
    const FaceEdge edge = edge_of(b, face, i);
    SpatialContactPoint* pair = &points[kFirstRim + 2 * static_cast<std::size_t>(i)];
    for_rim_crossings(rim, edge.line, kSamples,
                      [&](const Vec3& on_rim, const Vec3& foot, const Vec3& across, double sine, double angle) {
                        if (sine < kLeastSine) return;
                        const Vec3 w = (std::copysign(1.0, across.dot(n + edge.out)) / sine) * across,
                                   out = rim.out(angle);
                        if (w.dot(edge.out) < -kLargestLean || w.dot(n) < -kLargestLean) return;
                        if (w.dot(out) > kLargestLean || w.dot(rim.up) > kLargestLean) return;
                        const double gap = w.dot(on_rim - foot);
                        if (gap < 0 && !overlap_there(on_rim, foot, gap, a, b, rounding)) return;
                        const int place = stands ? (edge.line.along.dot(out) < 0 ? 0 : 1) : end;
                        if (gap < pair[place].gap) {
                          set_contact(pair[place], gap, on_rim, on_rim - gap * w, w,
                                      {rim.bend(out, -w), Bend::edge(edge.line.along)});
                        }
                      });
  }
}

// The rim of A that reaches farthest against a normal of an edge of B, where that separates the solids best. Places at
// which rim and edge are nearest to each other do not tell: a rim that dips over an edge by d, nearly along it, meets
// it twice, and between these two, sqrt(2 d / radius) from each, is the place at which they touch once they are drawn
// apart. Among the normals of the edge, which turn from one of its faces to the other, that place is the one where the
// separation  n . (x_A(n) - edge)  is largest; its derivative is  n' . (x_A(n) - edge), for x_A(n) is the lowest point.
void look_at_wedge(const Cylinder& a, const Rim* rims, const Segment& edge, const Vec3& from, const Vec3& to,
                   SeparatingFeatures<Cylinder, Box>& features) {
  const auto normal = [&](double angle) -> Vec3 { return std::cos(angle) * from + std::sin(angle) * to; };
  const auto rim_below = [&](const Vec3& n) -> const Rim& { return rims[a.axis.dot(n) > 0 ? 0 : 1]; };
  const auto slope = [&](double angle) {
    const Vec3 n = normal(angle);
    return (std::cos(angle) * to - std::sin(angle) * from).dot(rim_below(n).lowest(n) - edge.middle);
  };
  const auto look_at = [&](const Rim& rim, const Vec3& n) {
    const Vec3 out = rim.direction_of(-n), on_rim = rim.centre + rim.radius * out;
    const double along = edge.along.dot(on_rim - edge.middle);
    if (!(std::abs(along) < edge.half)) return;
    features.look_at(on_rim, edge.at(along), n, [&](const Vec3&) {
      return Bends{rim.bend(out, -n), Bend::edge(edge.along)};
    });
  };
  const double step = std::numbers::pi / (2 * kWedgeSteps);
  double before = slope(0);
  for (int i = 1; i <= kWedgeSteps; ++i) {
    const double after = slope(i * step);
    if (before > 0 && after <= 0) {
      const double root = root_between(slope, (i - 1) * step, before, i * step, after);
      const Vec3 n = normal(root);
      // Across the axis the lowest point changes from one rim to the other: there the slope jumps, and the side
      // touches.
      if (std::abs(slope(root)) <= kLevel * a.radius) look_at(rim_below(n), n);
    }
    before = after;
  }
}

SpatialContactPoint best_features(const Cylinder& a, const Box& b, double rounding) {
  SeparatingFeatures features(a, b, rounding);
  const Rim rims[] = {rim_of(a, 0), rim_of(a, 1)};
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool positive : {false, true}) {
      const Vec3 n = Face{axis, positive}.normal(b);
      const Rim& rim = rims[a.axis.dot(n) > 0 ? 0 : 1];
      const Vec3 lowest = rim.lowest(n);
      features.look_at(lowest, lowest - (n.dot(lowest - b.centre) - b.half[axis]) * n, n, [&](const Vec3&) {
        return Bends{rim.bend(rim.direction_of(-n), -n), Bend::flat()};
      });
    }
  }
  for (unsigned i = 0; i < 8; ++i) {
    const Vec3 corner = corner_of(b, i);
    for (const Rim& rim : rims) {
      features.look_at(corner - rim.up.dot(corner - rim.centre) * rim.up, corner, -rim.up, [](const Vec3&) {
        return Bends{Bend::flat(), Bend::tip()};
      });
    }
    const SignedDistance s = distance(a, corner);
    features.look_at(s.foot, corner, -s.normal, [&](const Vec3&) { return Bends{s.bend, Bend::tip()}; });
    // Of a corner inside that is told the nearest way out only, which may be through an end.
    const RadialPlace p = seen_from(a, corner);
    features.look_at(corner - (p.radius - a.radius) * p.out, corner, -p.out, [&](const Vec3&) {
      return Bends{side_of(a), Bend::tip()};
    });
  }
  for (int i = 0; i < 12; ++i) {
    const Segment edge = edge_of(b, i);
    const Vec3 outward = edge.middle - b.centre;
    const Vec3 sides = b.axes.transpose() * outward, e_local = b.axes.transpose() * (a.centre - edge.middle);
    const int u = (i / 4 + 1) % 3, v = (i / 4 + 2) % 3;
    if (!features.may_gain(std::copysign(1.0, sides[u]) * e_local[u], std::copysign(1.0, sides[v]) * e_local[v],
                           least_reach(a)))
      continue;
    const Crossing c = crossing(axis_of(a), edge);
    const Vec3 e = c.on_a - c.on_b;
    const double length = e.norm();
    if (c.exists && length > 0) {
      features.look_at(c.on_a - (a.radius / length) * e, c.on_b, e / length, [&](const Vec3&) {
        return Bends{side_of(a), Bend::edge(edge.along)};
      });
    }
    look_at_wedge(a, rims, edge, std::copysign(1.0, sides[u]) * b.axes.col(u),
                  std::copysign(1.0, sides[v]) * b.axes.col(v), features);
    for (const Rim& rim : rims) {
      for_rim_crossings(rim, edge, features.best().gap < 0 ? kFineSamples : kSamples,
                        [&](const Vec3& on_rim, const Vec3& foot, const Vec3& across, double sine, double angle) {
                          features.look_at_lines(on_rim, foot, across, sine, outward, [&](const Vec3& n) {
                            return Bends{rim.bend(rim.out(angle), -n), Bend::edge(edge.along)};
                          });
                        });
    }
  }
  return features.best();
}

}  // namespace

void find_contacts(const Cylinder& a, const Box& b, Contacts points) {
  const double rounding = rounding_of(a.half_length + a.radius + b.half.norm());
  const Vec3 n = facing_normal(a, b);
  const Face face = face_towards(b, n);
  for (SpatialContactPoint& contact : points) set_unused(contact);
  for (int end = 0; end < 2; ++end) {
    const Rim rim = rim_of(a, end);
    SpatialContactPoint* contact = &points[static_cast<std::size_t>(4 * end)];
    const Vec3 out = rim.direction_of(-n);
    set_height_contact(*contact, rim.centre + rim.radius * out, b, face, rounding);  // rim.lowest()
    contact++->bend_a = rim.bend(out, -n);
    if (!rim.fixed_count(n)) continue;
    for (int third = 0; third < 3; ++third) set_height_contact(*contact++, rim.fixed(third), b, face, rounding);
  }
  for (unsigned i = 0; i < 8; ++i) set_corner_contact(points[kFirstCorner + i], a, b, corner_of(b, i));
  find_side_crossings(a, b, face, rounding, points);
  const double upright = a.axis.dot(n);
  const bool stands = std::abs(upright) > std::numbers::sqrt2 / 2;
  for (int end = 0; end < 2; ++end) {
    if (!stands || (end == 0) == (upright > 0)) find_rim_crossings(a, end, stands, b, face, rounding, points);
  }
  const SpatialContactPoint best = best_features(a, b, rounding);
  drop_wrong_ways(a, b, best.gap, best.normal, rounding, points);
  drop_too_near(best.gap, 2 * rounding, points);
  if (!has_gap_up_to(points, best.gap + rounding)) points[kLast] = best;
}

}  // namespace freeplay::geometry::solid

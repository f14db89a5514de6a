// Two cylinders. They may stand on each other with their ends, lie on each other with their sides, or lean. Each end
// that looks towards the other cylinder has the points of a rim on a plane (spatial_gap_plane.cpp) while they are over
// the other's end; where two such rims cross they bound the region of contact. Sides that lie along each other touch at
// the rims, sides that cross at one point. Each of these has the gap and the normal of its own features, as of two
// boxes.
#include "freeplay/geometry/pairs/spatial_gap_families.h"
#include "freeplay/geometry/shapes/spatial_features.h"
#include "freeplay/geometry/shapes/spatial_rim.h"

namespace freeplay::geometry::solid {

namespace {

constexpr double kLeastSine = 0.01, kLargestLean = 0.1;  // as of two boxes
constexpr std::size_t kAxes = 8, kFirstRimOnSide = 9, kFirstRims = 13, kLast = 15;
// Steps around a rim against a line and against a rim; as many times more where solids overlap, or seem to because two
// minima lie within one step.
constexpr int kLineSamples = 16, kRimSamples = 32, kFiner = 4;

// The end of a cylinder that looks most into a direction.
int end_towards(const Cylinder& cylinder, const Vec3& direction) {
  return cylinder.axis.dot(direction) >= 0 ? 1 : 0;
}

// A point of A over an end of B. Unused beside the end, up to rounding, and behind the cylinder. `bend`: of A there.
void set_height_contact(SpatialContactPoint& contact, const Vec3& point, const Bend& bend, const Cylinder& b,
                        const Rim& end, double rounding) {
  const Vec3 e = point - end.centre;
  const double height = end.up.dot(e);
  if ((e - height * end.up).norm() > b.radius + rounding || height < -2 * b.half_length - rounding) return;
  set_contact(contact, height, point, point - height * end.up, end.up, {bend, Bend::flat()});
}

void find_heights(const Cylinder& a, const Cylinder& b, const Rim& end, double rounding, Contacts points) {
  const Rim rim = rim_of(a, end_towards(a, -end.up));
  const Vec3 out = rim.direction_of(-end.up);
  set_height_contact(points[0], rim.centre + rim.radius * out, rim.bend(out, -end.up), b, end, rounding);
  if (!rim.fixed_count(end.up)) return;
  for (int third = 0; third < 3; ++third)
    set_height_contact(points[1 + static_cast<std::size_t>(third)], rim.fixed(third), Bend::tip(), b, end, rounding);
}

// Calls use(angle on the rim, foot on the axis) where the rim is nearest to an axis, between its ends.
template <class Use>
void for_rim_on_axis(const Rim& rim, const Segment& axis, double margin, int finer, Use use) {
  for_nearest_on_rim(
      rim, finer * kLineSamples, [&](const Vec3& p) { return axis.at(axis.along.dot(p - axis.middle)); },
      [&](double angle, const Vec3& foot) {
        if (std::abs(axis.along.dot(foot - axis.middle)) <= axis.half + margin) use(angle, foot);
      });
}

// A rim of A on the side of B.
void find_rim_on_side(const Rim& rim, const Cylinder& b, double rounding, SpatialContactPoint& contact) {
  for_rim_on_axis(rim, axis_of(b), rounding, 1, [&](double angle, const Vec3& foot) {
    const Vec3 on_rim = rim.at(angle), e = on_rim - foot;
    const double length = e.norm(), gap = length - b.radius;
    if (!(length > 0) || !(gap < contact.gap)) return;
    const Vec3 n = e / length;
    if (n.dot(rim.up) > kLargestLean || n.dot(rim.out(angle)) > kLargestLean) return;
    set_contact(contact, gap, on_rim, foot + b.radius * n, n, {rim.bend(rim.out(angle), -n), side_of(b)});
  });
}

struct RimCrossing {
  Vec3 on_a, on_b, out_a, out_b;
  Vec3 across;  // perpendicular to both rims, as long as `sine`
  double sine;
};

// Calls use(crossing) where two rims are nearest to each other.
template <class Use>
void for_rim_crossings(const Rim& a, const Rim& b, int finer, Use use) {
  for_nearest_on_rim(
      a, finer * kRimSamples, [&](const Vec3& p) { return b.nearest(p); },
      [&](double angle, const Vec3& foot) {
        const Vec3 out_b = (foot - b.centre) / b.radius;
        const Vec3 across = a.along(angle).cross(b.up.cross(out_b));
        use(RimCrossing{a.at(angle), foot, a.out(angle), out_b, across, across.norm()});
      });
}

void find_rim_crossings(const Cylinder& a, const Rim& rim_a, const Cylinder& b, const Rim& rim_b, double rounding,
                        Contacts points) {
  for_rim_crossings(rim_a, rim_b, 1, [&](const RimCrossing& c) {
    if (c.sine < kLeastSine) return;
    const Vec3 w = (std::copysign(1.0, c.across.dot(rim_b.up)) / c.sine) * c.across;
    if (w.dot(c.out_b) < -kLargestLean || w.dot(rim_b.up) < -kLargestLean) return;
    if (w.dot(c.out_a) > kLargestLean || w.dot(rim_a.up) > kLargestLean) return;
    const double gap = w.dot(c.on_a - c.on_b);
    if (gap < 0 && !overlap_there(c.on_a, c.on_b, gap, a, b, rounding)) return;
    SpatialContactPoint& contact = points[kFirstRims + (rim_b.up.cross(c.out_a).dot(c.out_b) > 0 ? 0u : 1u)];
    if (gap < contact.gap) {
      set_contact(contact, gap, c.on_a, c.on_a - gap * w, w, {rim_a.bend(c.out_a, -w), rim_b.bend(c.out_b, w)});
    }
  });
}

// Where the axes pass each other between their ends: side on side.
template <class Use>
void for_axes(const Cylinder& a, const Cylinder& b, Use use) {
  const Crossing c = crossing(axis_of(a), axis_of(b));
  if (!c.exists) return;
  const Vec3 e = c.on_a - c.on_b;
  const double length = e.norm();
  const Vec3 n = length > 0 ? Vec3(e / length) : c.across;
  use(length - a.radius - b.radius, c.on_a - a.radius * n, c.on_b + b.radius * n, n);
}

// Rims that dip over each other, nearly along each other, meet twice, and the place at which they touch once they are
// drawn apart lies between these two: it is not where they are nearest to each other, but where the normal n separates
// the cylinders best. From a normal the separation  h = n . (x_A - x_B), x_A the lowest point of A and x_B the highest
// of B, is climbed by damped Newton steps: its gradient is T^T (x_A - x_B), its Hessian -(R_A + R_B + h) with the radii
// of curvature of the supporting functions, of a rim  radius / sin(n, axis)  along it (docs/theory/surfaces.md).
void climb_rims(const Cylinder& a, const Cylinder& b, Vec3 n, SeparatingFeatures<Cylinder, Cylinder>& features) {
  constexpr int kMostSteps = 100;
  constexpr double kLeastSineOfRim = 1e-9, kLeastStep = 1e-13, kLevel = 1e-6;
  const auto rim_below = [&](const Vec3& towards_a) { return rim_of(a, end_towards(a, -towards_a)); };
  const auto rim_above = [&](const Vec3& towards_a) { return rim_of(b, end_towards(b, towards_a)); };
  const auto radius = [&](const Rim& rim) { return rim.radius / std::max(rim.up.cross(n).norm(), kLeastSineOfRim); };
  double h = separation_along(a, b, n), damping = 1e-3 * (a.radius + b.radius);
  for (int k = 0; k < kMostSteps; ++k) {
    const Rim rim_a = rim_below(n), rim_b = rim_above(n);
    const Vec3 out_a = rim_a.direction_of(-n), out_b = rim_b.direction_of(n);
    const Vec3 e = rim_a.centre + rim_a.radius * out_a - rim_b.centre - rim_b.radius * out_b;
    const Vec3 t = (std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY()).cross(n).normalized(), s = n.cross(t);
    const Vec3 along_a = rim_a.up.cross(out_a), along_b = rim_b.up.cross(out_b);
    const Vec2 gradient(t.dot(e), s.dot(e)), of_a(t.dot(along_a), s.dot(along_a)), of_b(t.dot(along_b), s.dot(along_b));
    Mat2 hessian = radius(rim_a) * of_a * of_a.transpose() + radius(rim_b) * of_b * of_b.transpose();
    hessian.diagonal().array() += std::max(h, 0.0) + damping;
    const Vec2 step = hessian.inverse() * gradient;
    if (!(step.norm() > kLeastStep)) break;
    const Vec3 next = (n + step[0] * t + step[1] * s).normalized();
    const double at_next = separation_along(a, b, next);
    const bool is_higher = at_next > h;
    damping *= is_higher ? 0.1 : 10;
    if (!is_higher) continue;
    n = next;
    h = at_next;
  }
  const Rim rim_a = rim_below(n), rim_b = rim_above(n);
  const Vec3 out_a = rim_a.direction_of(-n), out_b = rim_b.direction_of(n);
  const Vec3 on_a = rim_a.centre + rim_a.radius * out_a, on_b = rim_b.centre + rim_b.radius * out_b;
  // Where a side touches, the climb ends at a crest.
  if (n.cross(on_a - on_b).norm() > kLevel * (a.radius + b.radius)) return;
  features.look_at(on_a, on_b, n, [&](const Vec3&) { return Bends{rim_a.bend(out_a, -n), rim_b.bend(out_b, n)}; });
}

// Apart, points of the cylinders that are as far from each other as they separate them are the nearest ones.
void climb_unless_proved(const Cylinder& a, const Cylinder& b, double rounding,
                         SeparatingFeatures<Cylinder, Cylinder>& features) {
  const SpatialContactPoint best = features.best();
  if (best.gap > 0 && std::max(distance(b, best.point_a).gap, distance(a, best.point_b).gap) <= best.gap + rounding)
    return;
  climb_rims(a, b, best.normal, features);
  const Vec3 between = a.centre - b.centre;
  if (between.norm() > 0) climb_rims(a, b, between.normalized(), features);
}

SpatialContactPoint best_features(const Cylinder& a, const Cylinder& b, double rounding, int finer) {
  SeparatingFeatures features(a, b, rounding);
  const Rim rims_a[] = {rim_of(a, 0), rim_of(a, 1)}, rims_b[] = {rim_of(b, 0), rim_of(b, 1)};
  for (const Rim& end : rims_b) {
    const Rim& rim = rims_a[end_towards(a, -end.up)];
    const Vec3 lowest = rim.lowest(end.up);
    features.look_at(lowest, lowest - end.up.dot(lowest - end.centre) * end.up, end.up, [&](const Vec3& n) {
      return Bends{rim.bend(rim.direction_of(-n), -n), Bend::flat()};
    });
  }
  for (const Rim& end : rims_a) {
    const Rim& rim = rims_b[end_towards(b, -end.up)];
    const Vec3 lowest = rim.lowest(end.up);
    features.look_at(lowest - end.up.dot(lowest - end.centre) * end.up, lowest, -end.up, [&](const Vec3& n) {
      return Bends{Bend::flat(), rim.bend(rim.direction_of(n), n)};
    });
  }
  for_axes(a, b, [&](double, const Vec3& on_a, const Vec3& on_b, const Vec3& n) {
    features.look_at(on_a, on_b, n, [&](const Vec3&) { return Bends{side_of(a), side_of(b)}; });
  });
  // Normals of a rim lie between its axis and a radius.
  const auto may_gain = [&](const Rim& rim, const Cylinder& other) {
    const Vec3 e = other.centre - rim.centre;
    return features.may_gain(rim.up.dot(e), std::hypot(rim.x.dot(e), rim.y.dot(e)) - rim.radius, least_reach(other));
  };
  for (const Rim& rim : rims_a) {
    if (!may_gain(rim, b)) continue;
    for_rim_on_axis(rim, axis_of(b), 0, finer, [&](double angle, const Vec3& foot) {
      const Vec3 on_rim = rim.at(angle), e = on_rim - foot;
      const double length = e.norm();
      if (length > 0) {
        features.look_at(on_rim, foot + (b.radius / length) * e, e / length, [&](const Vec3& n) {
          return Bends{rim.bend(rim.out(angle), -n), side_of(b)};
        });
      }
    });
  }
  for (const Rim& rim : rims_b) {
    if (!may_gain(rim, a)) continue;
    for_rim_on_axis(rim, axis_of(a), 0, finer, [&](double angle, const Vec3& foot) {
      const Vec3 on_rim = rim.at(angle), e = foot - on_rim;
      const double length = e.norm();
      if (length > 0) {
        features.look_at(foot - (a.radius / length) * e, on_rim, e / length, [&](const Vec3& n) {
          return Bends{side_of(a), rim.bend(rim.out(angle), n)};
        });
      }
    });
  }
  for (const Rim& rim_a : rims_a) {
    for (const Rim& rim_b : rims_b) {
      if (!may_gain(rim_a, b) || !may_gain(rim_b, a)) continue;
      for_rim_crossings(rim_a, rim_b, finer, [&](const RimCrossing& c) {
        features.look_at_lines(c.on_a, c.on_b, c.across, c.sine, rim_b.up + c.out_b, [&](const Vec3& n) {
          return Bends{rim_a.bend(c.out_a, -n), rim_b.bend(c.out_b, n)};
        });
      });
    }
  }
  climb_unless_proved(a, b, rounding, features);
  return features.best();
}

}  // namespace

void find_contacts(const Cylinder& a, const Cylinder& b, Contacts points) {
  const double rounding = rounding_of(a.half_length + a.radius + b.half_length + b.radius);
  for (SpatialContactPoint& contact : points) set_unused(contact);
  const Vec3 d = a.centre - b.centre;
  const Rim end_a = rim_of(a, end_towards(a, -d)), end_b = rim_of(b, end_towards(b, d));
  find_heights(a, b, end_b, rounding, points.subspan(0, 4));
  find_heights(b, a, end_a, rounding, points.subspan(4, 4));
  for_axes(a, b, [&](double gap, const Vec3& on_a, const Vec3& on_b, const Vec3& n) {
    set_contact(points[kAxes], gap, on_a, on_b, n, {side_of(a), side_of(b)});
  });
  for (int end = 0; end < 2; ++end) {
    const auto i = static_cast<std::size_t>(end);
    find_rim_on_side(rim_of(a, end), b, rounding, points[kFirstRimOnSide + i]);
    find_rim_on_side(rim_of(b, end), a, rounding, points[kFirstRimOnSide + 2 + i]);
  }
  for (const std::size_t i : {4u, 5u, 6u, 7u, 11u, 12u}) swap_sides(points[i]);
  find_rim_crossings(a, end_a, b, end_b, rounding, points);
  // Apart the best pair is proved by what it separates; below that a better one may have been missed.
  SpatialContactPoint best = best_features(a, b, rounding, 1);
  if (best.gap < 0) best = best_features(a, b, rounding, kFiner);
  drop_wrong_ways(a, b, best.gap, best.normal, rounding, points);
  drop_too_near(best.gap, 2 * rounding, points);
  if (!has_gap_up_to(points, best.gap + rounding)) points[kLast] = best;
}

}  // namespace freeplay::geometry::solid

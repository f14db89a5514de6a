// Two boxes. They face each other with one face each: B's or A's that the other box is farthest in front of, or least
// behind, and the other's that looks most towards it. Where these faces overlap, seen along their normals, lie the
// corners of the region of contact, and each of them is one of three kinds: a corner of A over B's face, a corner of B
// over A's face, an edge of A over an edge of B. Each kind has the gap and the normal of its own features, not those of
// one reference face: a corner has its height over the face, two edges have the distance of their lines. So the rate of
// every gap is exactly that of its material points, also for boxes that are tilted against each other and slide.
//
// A crossing of edges counts only where it says something about the faces: at lines that are not nearly parallel and
// with a normal that does not lean away from the edges. Elsewhere the neighbours of the crossing bound the region as
// well, and the direction would be that of a small difference.
//
// What is not seen in the two faces (edge on edge of tilted boxes, corner beside corner) is the last contact point:
// apart the nearest features of the boxes, in an overlap the edges whose common normal separates them best. Boxes that
// lie flush on each other decide by rounding what is inside and which direction is best; there the faces are preferred.
#include "freeplay/geometry/pairs/spatial_gap_families.h"
#include "freeplay/geometry/shapes/spatial_box.h"
#include "freeplay/geometry/shapes/spatial_features.h"

namespace freeplay::geometry::solid {

namespace {

constexpr double kLeastSine = 0.01;   // between edges that are seen to cross
constexpr double kLargestLean = 0.1;  // sine of the angle by which a normal may leave the cone of an edge's normals
constexpr double kRepeated = 1e-9;    // of both sizes: points nearer to each other are one
constexpr std::size_t kFirstCrossing = 8, kLast = 16;

// ---- which faces ----

struct Separation {
  double gap = -kNoGap;
  Vec3 normal = Vec3::UnitZ();  // from B to A
  bool face_of_a = false;
};

Vec3 from_b_to_a(const Vec3& direction, const Box& a, const Box& b) {
  return std::copysign(1.0, direction.dot(a.centre - b.centre)) * direction;
}

Separation best_face(const Box& a, const Box& b) {
  Separation best;
  for (const Box* box : {&b, &a}) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 n = from_b_to_a(box->axes.col(i), a, b);
      const double gap = separation_along(a, b, n);
      if (gap > best.gap) best = {gap, n, box == &a};
    }
  }
  return best;
}

// ---- features that are not of the two faces ----

struct Features {
  double length = kNoGap;  // negative: the depth of an overlap
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
  int edge_a = -1, edge_b = -1;  // -1: not two edges
  Crossing crossing{};
  Bends bends{};
};

Bends bends_of(const Segment& edge_a, const Segment& edge_b) {
  return {Bend::edge(edge_a.along), Bend::edge(edge_b.along)};
}

// Of boxes that are apart.
Features nearest_features(const Box& a, const Box& b) {
  Features nearest;
  for (unsigned i = 0; i < 8; ++i) {
    const Vec3 corner_a = corner_of(a, i), corner_b = corner_of(b, i);
    const SignedDistance of_a = distance(b, corner_a), of_b = distance(a, corner_b);
    if (of_a.gap < nearest.length) nearest = {of_a.gap, corner_a, of_a.foot, -1, -1, {}, {Bend::tip(), of_a.bend}};
    if (of_b.gap < nearest.length) nearest = {of_b.gap, of_b.foot, corner_b, -1, -1, {}, {of_b.bend, Bend::tip()}};
  }
  for (int i = 0; i < 12; ++i) {
    const Segment edge_a = edge_of(a, i);
    for (int j = 0; j < 12; ++j) {
      const Segment edge_b = edge_of(b, j);
      const Crossing c = crossing(edge_a, edge_b);
      if (!c.exists) continue;
      const double length = (c.on_a - c.on_b).norm();
      if (length < nearest.length) nearest = {length, c.on_a, c.on_b, i, j, c, bends_of(edge_a, edge_b)};
    }
  }
  return nearest;
}

// Calls use(i, j, normal from B to A, separation along it) for every two axes of the boxes that are not parallel.
template <class Use>
void for_common_normals(const Box& a, const Box& b, Use use) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 w = a.axes.col(i).cross(b.axes.col(j));
      const double sine = w.norm();
      if (!(sine > 0)) continue;
      const Vec3 n = from_b_to_a(w / sine, a, b);
      use(i, j, n, separation_along(a, b, n));
    }
  }
}

bool are_apart(const Box& a, const Box& b, const Separation& facing) {
  bool apart = facing.gap > 0;
  if (!apart) for_common_normals(a, b, [&](int, int, const Vec3&, double gap) { apart = apart || gap > 0; });
  return apart;
}

// Of boxes that overlap: edges that separate them better than any face, if there are such.
Features separating_edges(const Box& a, const Box& b, double best_gap) {
  Features best;
  for_common_normals(a, b, [&](int i, int j, const Vec3& n, double gap) {
    if (!(gap > best_gap)) return;
    const int edge_a = edge_towards(a, i, -n), edge_b = edge_towards(b, j, n);
    const Segment line_a = edge_of(a, edge_a), line_b = edge_of(b, edge_b);
    const Crossing c = crossing(line_a, line_b);
    if (!c.exists) return;
    best_gap = gap;
    best = {gap, c.on_a, c.on_b, edge_a, edge_b, c, bends_of(line_a, line_b)};
  });
  return best;
}

// ---- contacts ----

void set_line_contact(SpatialContactPoint& contact, const Crossing& c, const Vec3& n, const Bends& bends) {
  const double gap = n.dot(c.on_a - c.on_b);
  set_contact(contact, gap, c.on_a, c.on_a - gap * n, n, bends);
}

void set_nearest_contact(SpatialContactPoint& contact, const Features& f, const Box& a, const Box& b) {
  const Vec3 e = f.on_a - f.on_b;
  const double length = e.norm();
  // The common normal of edges is exact where they touch, the difference of the points where they are nearly parallel.
  if (f.edge_a >= 0 && f.crossing.sine * (a.half.norm() + b.half.norm()) > length) {
    const Vec3& w = f.crossing.across;
    return set_line_contact(contact, f.crossing, std::copysign(1.0, w.dot(e)) * w, f.bends);
  }
  set_contact(contact, length, f.on_a, f.on_b, e / length, f.bends);
}

// The corner that is deepest behind the best face, for an overlap so deep that nothing else is seen of it.
void set_deepest_corner(SpatialContactPoint& contact, const Box& a, const Box& b, const Separation& facing) {
  const Box& box = facing.face_of_a ? b : a;
  const Vec3 into = facing.face_of_a ? facing.normal : Vec3(-facing.normal);
  const Vec3 local = box.axes.transpose() * into;
  const unsigned corner = (local.x() >= 0 ? 1u : 0u) | (local.y() >= 0 ? 2u : 0u) | (local.z() >= 0 ? 4u : 0u);
  const Vec3 point = corner_of(box, corner), n = facing.normal;
  if (facing.face_of_a)
    set_contact(contact, facing.gap, point + facing.gap * n, point, n, {Bend::flat(), Bend::tip()});
  else
    set_contact(contact, facing.gap, point, point - facing.gap * n, n, {Bend::tip(), Bend::flat()});
}

// Crossings of the edges of the two faces. Returns whether the edges of `other` are among them.
bool find_crossings(const Box& a, const Face& face_a, const Box& b, const Face& face_b, const Vec3& n,
                    const Features& other, double least_sine, double rounding, Contacts points) {
  bool has_other = false;
  for (int i = 0; i < 4; ++i) {
    const FaceEdge edge_a = edge_of(a, face_a, i);
    SpatialContactPoint* pair = &points[kFirstCrossing + 2 * static_cast<std::size_t>(i)];
    set_unused(pair[0]);
    set_unused(pair[1]);
    for (int j = 0; j < 4; ++j) {
      const FaceEdge edge_b = edge_of(b, face_b, j);
      const Crossing c = crossing(edge_a.line, edge_b.line);
      if (!c.exists || c.sine < least_sine) continue;
      const Vec3 w = std::copysign(1.0, n.dot(c.across)) * c.across;
      if (w.dot(edge_b.out) < -kLargestLean || w.dot(edge_a.out) > kLargestLean) continue;
      SpatialContactPoint contact;
      set_line_contact(contact, c, w, bends_of(edge_a.line, edge_b.line));
      if (contact.gap < 0 && !overlap_there(c.on_a, c.on_b, contact.gap, a, b, rounding)) continue;
      SpatialContactPoint& slot = pair[edge_a.line.along.dot(edge_b.out) < 0 ? 0 : 1];
      if (contact.gap < slot.gap) slot = contact;
      has_other = has_other || (edge_a.edge == other.edge_a && edge_b.edge == other.edge_b);
    }
  }
  return has_other;
}

void find_all(const Box& a, const Box& b, double rounding, Contacts points) {
  const Separation facing = best_face(a, b);
  const Vec3& n = facing.normal;
  const Face face_a = face_towards(a, -n), face_b = face_towards(b, n);
  for (unsigned i = 0; i < 4; ++i) {
    set_height_contact(points[i], corner_of(a, face_a.corner(i)), b, face_b, rounding);
    set_height_contact(points[4 + i], corner_of(b, face_b.corner(i)), a, face_a, rounding);
    swap_sides(points[4 + i]);
  }
  set_unused(points[kLast]);
  if (are_apart(a, b, facing)) {
    find_crossings(a, face_a, b, face_b, n, {}, kLeastSine, rounding, points);
    const Features nearest = nearest_features(a, b);
    drop_wrong_ways(a, b, nearest.length, n, rounding, points);
    if (!has_gap_up_to(points, nearest.length + rounding)) set_nearest_contact(points[kLast], nearest, a, b);
    return;
  }
  const Features edges = separating_edges(a, b, facing.gap + rounding);
  const bool has_edges = find_crossings(a, face_a, b, face_b, n, edges, kLeastSine, rounding, points);
  const Vec3 across = edges.edge_a >= 0 ? from_b_to_a(edges.crossing.across, a, b) : n;
  drop_wrong_ways(a, b, edges.edge_a >= 0 ? edges.length : facing.gap, across, rounding, points);
  if (edges.edge_a >= 0) {
    if (!has_edges || !has_gap_up_to(points, edges.length + rounding))
      set_line_contact(points[kLast], edges.crossing, across, edges.bends);
    return;
  }
  // Narrow faces may overlap without any corner and with edges that cross at small angles only.
  if (!has_gap_up_to(points, facing.gap + rounding)) {
    find_crossings(a, face_a, b, face_b, n, {}, 0, rounding, points);
    drop_wrong_ways(a, b, facing.gap, n, rounding, points);
  }
  if (!has_gap_up_to(points, rounding)) set_deepest_corner(points[kLast], a, b, facing);
}

}  // namespace

void find_contacts(const Box& a, const Box& b, Contacts points) {
  const double size = a.half.norm() + b.half.norm();
  find_all(a, b, rounding_of(size), points);
  drop_repeated(kRepeated * size, points);
}

}  // namespace freeplay::geometry::solid

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
#include "freeplay/geometry/shapes/spatial_box_pair.h"

namespace freeplay::geometry::solid {

namespace {

constexpr double kLeastSine = 0.01;   // between edges that are seen to cross
constexpr double kLargestLean = 0.1;  // sine of the angle by which a normal may leave the cone of an edge's normals
constexpr double kRepeated = 1e-9;    // of both sizes: points nearer to each other are one
constexpr std::size_t kFirstCrossing = 8, kLast = 16;

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

// Along the common normals of axes i of A and j of B: entry 3 i + j.
using EdgeGaps = std::array<double, 9>;

EdgeGaps edge_gaps(const BoxPair& pair) {
  EdgeGaps gaps;
  for (int i = 0; i < 9; ++i) gaps[static_cast<std::size_t>(i)] = pair.along_common_normal(i / 3, i % 3);
  return gaps;
}

// The two edges that a common normal would separate.
Features edges_along(const BoxPair& pair, int axes, double gap) {
  const Box &a = pair.a(), &b = pair.b();
  const int i = axes / 3, j = axes % 3;
  const Vec3 n = pair.common_normal(i, j);
  const int edge_a = edge_towards(a, i, -n), edge_b = edge_towards(b, j, n);
  const Segment line_a = edge_of(a, edge_a), line_b = edge_of(b, edge_b);
  const Crossing c = crossing(line_a, line_b);
  if (!c.exists) return {};
  return {gap, c.on_a, c.on_b, edge_a, edge_b, c, bends_of(line_a, line_b)};
}

Features corner_features(const BoxPair& pair, bool of_a, unsigned corner) {
  const Vec3 x = corner_of(of_a ? pair.a() : pair.b(), corner);
  const SignedDistance s = distance(of_a ? pair.b() : pair.a(), x);
  return of_a ? Features{s.gap, x, s.foot, -1, -1, {}, {Bend::tip(), s.bend}}
              : Features{s.gap, s.foot, x, -1, -1, {}, {s.bend, Bend::tip()}};
}

// All of them, one by one.
Features nearest_of_all_features(const BoxPair& pair) {
  const Box &a = pair.a(), &b = pair.b();
  Features nearest;
  for (unsigned i = 0; i < 8; ++i) {
    for (const bool of_a : {true, false}) {
      const Features corner = corner_features(pair, of_a, i);
      if (corner.length < nearest.length) nearest = corner;
    }
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

// Of boxes that are apart. The distance is the largest separation along any direction, so two edges are nearest only if
// no face and no other edges separate the boxes better; and points are nearest if the boxes are apart by their distance
// along the line between them. Where rounding leaves that open, such as at boxes that nearly touch, all are compared.
Features nearest_features(const BoxPair& pair, double best_gap, const EdgeGaps& gaps, double rounding) {
  const BoxPair::NearestCorner corner = pair.nearest_corner();
  double largest = best_gap;
  for (const double gap : gaps) largest = std::max(largest, gap);
  for (int axes = 0; axes < 9; ++axes) {
    const double gap = gaps[static_cast<std::size_t>(axes)];
    if (!(gap > 0) || gap < largest - rounding) continue;
    Features edges = edges_along(pair, axes, gap);
    if (edges.edge_a < 0) continue;
    edges.length = (edges.on_a - edges.on_b).norm();
    if (edges.length <= gap + rounding && edges.length * edges.length < corner.squared) return edges;
  }
  Features nearest = corner_features(pair, corner.of_a, corner.corner);
  if (nearest.length > 0) {
    const Vec3 n = (nearest.on_a - nearest.on_b) / nearest.length;
    if (separation_along(pair.a(), pair.b(), n) >= nearest.length - rounding) return nearest;
  }
  return nearest_of_all_features(pair);
}

// Of boxes that overlap: edges that separate them better than any face, if there are such.
Features separating_edges(const BoxPair& pair, const EdgeGaps& gaps, double best_gap) {
  Features best;
  for (int axes = 0; axes < 9; ++axes) {
    const double gap = gaps[static_cast<std::size_t>(axes)];
    if (!(gap > best_gap)) continue;
    const Features edges = edges_along(pair, axes, gap);
    if (edges.edge_a < 0) continue;
    best_gap = gap;
    best = edges;
  }
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
void set_deepest_corner(SpatialContactPoint& contact, const Box& a, const Box& b, const BoxSeparation& facing) {
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

// The edges of two faces along one axis of each, two by two. Along A's edge at the side p and B's at the side q (1 or
// -1)
//   s = s_0 + s_p p + s_q q  and  t = t_0 + t_p p + t_s s
// are where crossing() finds them: what the directions have in common is computed once.
class EdgesAcross {
 public:
  // `edge`: the first or the second of a face, in its turn; d: from the middle of B's face to that of A's.
  EdgesAcross(const Box& a, const Face& face_a, int edge_a, const Box& b, const Face& face_b, int edge_b,
              const Vec3& d) {
    const int along_a = axis_of(face_a, edge_a), beside_a = axis_of(face_a, edge_a + 1);
    const int along_b = axis_of(face_b, edge_b), beside_b = axis_of(face_b, edge_b + 1);
    const Vec3 u = a.axes.col(along_a), v = b.axes.col(along_b), w = u.cross(v);
    const double squared = w.squaredNorm();
    if (!(squared > 0)) return;
    sine = std::sqrt(squared);
    across = w / sine;
    const Vec3 to_s = v.cross(w) / squared;
    half_a_ = a.half[along_a], half_b_ = b.half[along_b];
    s_0_ = -to_s.dot(d);
    s_p_ = -a.half[beside_a] * to_s.dot(a.axes.col(beside_a));
    s_q_ = b.half[beside_b] * to_s.dot(b.axes.col(beside_b));
    t_0_ = v.dot(d);
    t_p_ = a.half[beside_a] * v.dot(a.axes.col(beside_a));
    t_s_ = v.dot(u);
  }
  bool cross_at(double p, double q) const {
    const double s = s_0_ + s_p_ * p + s_q_ * q;
    return std::abs(s) < half_a_ && std::abs(t_0_ + t_p_ * p + t_s_ * s) < half_b_;
  }

  double sine = 0;
  Vec3 across = Vec3::UnitZ();

 private:
  static int axis_of(const Face& face, int edge) { return (face.axis + (edge % 2 == 0 ? 1 : 2)) % 3; }

  double half_a_ = 0, half_b_ = 0, s_0_ = 0, s_p_ = 0, s_q_ = 0, t_0_ = 0, t_p_ = 0, t_s_ = 0;
};

// Crossings of the edges of the two faces.
class FaceCrossings {
 public:
  FaceCrossings(const Box& a, const Face& face_a, const Box& b, const Face& face_b, const Vec3& n, double rounding)
      : a_(a), b_(b), face_a_(face_a), face_b_(face_b), n_(n), rounding_(rounding) {}

  // Returns whether the edges of `other` are among them.
  bool find(const Features& other, double least_sine, Contacts points) const {
    bool has_other = false;
    for (std::size_t i = kFirstCrossing; i < kLast; ++i) set_unused(points[i]);
    const Vec3 d = middle_of(a_, face_a_) - middle_of(b_, face_b_);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const EdgesAcross edges(a_, face_a_, i, b_, face_b_, j, d);
        if (!(edges.sine > 0) || edges.sine < least_sine) continue;
        const Vec3 w = std::copysign(1.0, n_.dot(edges.across)) * edges.across;
        for (const int k : {i, i + 2}) {
          for (const int l : {j, j + 2}) {
            if (edges.cross_at(side_of_edge(k), side_of_edge(l)))
              has_other = add(k, l, edges.sine, w, other, points) || has_other;
          }
        }
      }
    }
    return has_other;
  }

 private:
  // As edge_of(box, face, i): the second and the third are at the upper sides.
  static double side_of_edge(int i) { return side(i == 1 || i == 2); }
  static Vec3 middle_of(const Box& box, const Face& face) {
    return box.centre + box.half[face.axis] * face.normal(box);
  }

  // As overlap_there(), of whose distances only the size matters.
  bool overlap_at(const Crossing& c, double gap) const {
    const double slack = 0.2 * std::abs(gap) + rounding_;
    const auto is_near = [&](const Box& box, const Vec3& x) {
      return (seen_from(box, x).cwiseAbs() - box.half).cwiseMax(0).squaredNorm() <= slack * slack;
    };
    return is_near(b_, c.on_a) && is_near(a_, c.on_b);
  }

  bool add(int i, int j, double sine, const Vec3& w, const Features& other, Contacts points) const {
    const FaceEdge edge_a = edge_of(a_, face_a_, i), edge_b = edge_of(b_, face_b_, j);
    if (w.dot(edge_b.out) < -kLargestLean || w.dot(edge_a.out) > kLargestLean) return false;
    const Crossing c = crossing(edge_a.line, edge_b.line);
    if (!c.exists) return false;
    const double gap = w.dot(c.on_a - c.on_b);
    if (gap < 0 && !overlap_at(c, gap)) return false;
    const std::size_t first = kFirstCrossing + 2 * static_cast<std::size_t>(i);
    SpatialContactPoint& slot = points[first + (edge_a.line.along.dot(edge_b.out) < 0 ? 0 : 1)];
    if (gap < slot.gap) set_line_contact(slot, {true, sine, c.on_a, c.on_b, w}, w, bends_of(edge_a.line, edge_b.line));
    return edge_a.edge == other.edge_a && edge_b.edge == other.edge_b;
  }

  const Box &a_, &b_;
  const Face &face_a_, &face_b_;
  const Vec3& n_;
  double rounding_;
};

void find_all(const Box& a, const Box& b, double rounding, Contacts points) {
  const BoxPair pair(a, b);
  const BoxSeparation facing = pair.best_face();
  const EdgeGaps gaps = edge_gaps(pair);
  const Vec3& n = facing.normal;
  const Face face_a = face_towards(a, -n), face_b = face_towards(b, n);
  for (unsigned i = 0; i < 4; ++i) {
    set_height_contact(points[i], corner_of(a, face_a.corner(i)), b, face_b, rounding);
    set_height_contact(points[4 + i], corner_of(b, face_b.corner(i)), a, face_a, rounding);
    swap_sides(points[4 + i]);
  }
  set_unused(points[kLast]);
  const FaceCrossings crossings(a, face_a, b, face_b, n, rounding);
  if (facing.gap > 0 || std::any_of(gaps.begin(), gaps.end(), [](double gap) { return gap > 0; })) {
    crossings.find({}, kLeastSine, points);
    const Features nearest = nearest_features(pair, facing.gap, gaps, rounding);
    drop_wrong_ways(a, b, nearest.length, n, rounding, points);
    if (!has_gap_up_to(points, nearest.length + rounding)) set_nearest_contact(points[kLast], nearest, a, b);
    return;
  }
  const Features edges = separating_edges(pair, gaps, facing.gap + rounding);
  const bool has_edges = crossings.find(edges, kLeastSine, points);
  const Vec3 across = edges.edge_a >= 0 ? pair.from_b_to_a(edges.crossing.across) : n;
  drop_wrong_ways(a, b, edges.edge_a >= 0 ? edges.length : facing.gap, across, rounding, points);
  if (edges.edge_a >= 0) {
    if (!has_edges || !has_gap_up_to(points, edges.length + rounding))
      set_line_contact(points[kLast], edges.crossing, across, edges.bends);
    return;
  }
  // Narrow faces may overlap without any corner and with edges that cross at small angles only.
  if (!has_gap_up_to(points, facing.gap + rounding)) {
    crossings.find({}, 0, points);
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

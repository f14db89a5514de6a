// Corners, edges and faces of a box. Part of the implementation of spatial_gap.h.
#pragma once

#include <array>
#include <cmath>

#include "freeplay/geometry/pairs/spatial_distance.h"

namespace freeplay::geometry::solid {

inline double side(bool positive) {
  return positive ? 1.0 : -1.0;
}

// Corner 0 to 7: x fastest, from the negative to the positive.
inline Vec3 corner_of(const Box& box, unsigned i) {
  const Vec3 local(side((i & 1u) != 0) * box.half.x(), side((i & 2u) != 0) * box.half.y(),
                   side((i & 4u) != 0) * box.half.z());
  return box.centre + box.axes * local;
}

// A point in the axes of a box, from its centre.
inline Vec3 seen_from(const Box& box, const Vec3& point) {
  return box.axes.transpose() * (point - box.centre);
}

// Edge 0 to 11: four along each axis k, at the two sides of axis k + 1 (fast) and of axis k + 2 (slow), cyclically.
inline Segment edge_of(const Box& box, int edge) {
  const int along = edge / 4, first = (along + 1) % 3, second = (along + 2) % 3;
  return {box.centre + side((edge & 1) != 0) * box.half[first] * box.axes.col(first) +
              side((edge & 2) != 0) * box.half[second] * box.axes.col(second),
          box.axes.col(along), box.half[along]};
}

// The edge along axis k that reaches farthest into a direction.
inline int edge_towards(const Box& box, int k, const Vec3& direction) {
  return 4 * k + (box.axes.col((k + 1) % 3).dot(direction) >= 0 ? 1 : 0) +
         (box.axes.col((k + 2) % 3).dot(direction) >= 0 ? 2 : 0);
}

// A face: the side of one axis.
struct Face {
  int axis;
  bool positive;

  Vec3 normal(const Box& box) const { return side(positive) * box.axes.col(axis); }
  // Corner 0 to 3 in a turn around the face, as a corner of the box.
  unsigned corner(unsigned i) const {
    const auto bit = [](int of, bool on) { return on ? 1u << static_cast<unsigned>(of) : 0u; };
    return bit(axis, positive) | bit((axis + 1) % 3, i == 1 || i == 2) | bit((axis + 2) % 3, i >= 2);
  }
};

struct FaceEdge {
  int edge;  // as an edge of the box
  Segment line;
  Vec3 out;  // unit, in the face, away from it
};

// Edge 0 to 3 in a turn around the face.
inline FaceEdge edge_of(const Box& box, const Face& face, int i) {
  const int u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
  const bool upper = i == 1 || i == 2;
  const int edge = i % 2 == 0 ? 4 * u + (upper ? 1 : 0) + (face.positive ? 2 : 0)
                              : 4 * v + (face.positive ? 1 : 0) + (upper ? 2 : 0);
  return {edge, edge_of(box, edge), side(upper) * box.axes.col(i % 2 == 0 ? v : u)};
}

// The face of a box that looks most into a direction.
inline Face face_towards(const Box& box, const Vec3& direction) {
  const Vec3 local = box.axes.transpose() * direction;
  int axis = 0;
  local.cwiseAbs().maxCoeff(&axis);
  return {axis, local[axis] >= 0};
}

// A point of A over a face of B. Unused if its foot is farther beside the face than `margin`: what rounding may decide
// either way, so that of two corners that lie on each other not both are lost. Unused, too, behind the box.
inline void set_height_contact(SpatialContactPoint& contact, const Vec3& point, const Box& box, const Face& face,
                               double margin) {
  const Vec3 p = seen_from(box, point);
  const int u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
  if (!(std::abs(p[u]) <= box.half[u] + margin && std::abs(p[v]) <= box.half[v] + margin)) return set_unused(contact);
  const double height = side(face.positive) * p[face.axis] - box.half[face.axis];
  if (height < -2 * box.half[face.axis] - margin) return set_unused(contact);  // out of the other side
  const Vec3 n = face.normal(box);
  set_contact(contact, height, point, point - height * n, n, {Bend::tip(), Bend::flat()});
}

}  // namespace freeplay::geometry::solid

// How far two boxes are in front of each other along the fifteen directions that can separate them: the normals of
// their faces and the common normals of their edges (Gottschalk 1996). Part of the implementation of spatial_gap.h.
#pragma once

#include <array>
#include <cmath>

#include "freeplay/geometry/shapes/spatial_box.h"
#include "freeplay/geometry/shapes/spatial_features.h"

namespace freeplay::geometry::solid {

struct BoxSeparation {
  double gap = -kNoGap;
  Vec3 normal = Vec3::UnitZ();  // from B to A
  bool face_of_a = false;
};

// The axes of the boxes seen from each other, once for all directions.
class BoxPair {
 public:
  BoxPair(const Box& a, const Box& b)
      : a_(a),
        b_(b),
        between_(a.centre - b.centre),
        turn_(a.axes.transpose() * b.axes),
        in_a_(a.axes.transpose() * between_),
        in_b_(b.axes.transpose() * between_) {}

  const Box& a() const { return a_; }
  const Box& b() const { return b_; }

  Vec3 from_b_to_a(const Vec3& direction) const { return std::copysign(1.0, direction.dot(between_)) * direction; }

  // The face of B or of A that the other box is farthest in front of, or least behind.
  BoxSeparation best_face() const {
    const Mat3 absolute = turn_.cwiseAbs();
    const Vec3 of_b = in_b_.cwiseAbs() - b_.half - absolute.transpose() * a_.half;
    const Vec3 of_a = in_a_.cwiseAbs() - a_.half - absolute * b_.half;
    int axis_b = 0, axis_a = 0;
    const double gap_b = of_b.maxCoeff(&axis_b), gap_a = of_a.maxCoeff(&axis_a);
    if (gap_a > gap_b) return {gap_a, std::copysign(1.0, in_a_[axis_a]) * a_.axes.col(axis_a), true};
    return {gap_b, std::copysign(1.0, in_b_[axis_b]) * b_.axes.col(axis_b), false};
  }

  // Along the common normal of axis i of A and axis j of B; minus infinity if they are parallel. With m the axis of B
  // in the axes of A, e_i x m has the length sqrt(m_k^2 + m_l^2), which small angles do not spoil; but the quotient by
  // it would be, so that nearly parallel axes are compared along a unit vector.
  double along_common_normal(int i, int j) const {
    const int k = (i + 1) % 3, l = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
    const double squared = turn_(k, j) * turn_(k, j) + turn_(l, j) * turn_(l, j);
    if (squared < kNearlyParallel) {
      const Vec3 w = a_.axes.col(i).cross(b_.axes.col(j));
      const double sine = w.norm();
      return sine > 0 ? separation_along(a_, b_, from_b_to_a(w / sine)) : -kNoGap;
    }
    const double distance = std::abs(in_a_[l] * turn_(k, j) - in_a_[k] * turn_(l, j));
    const double reach_a = a_.half[k] * std::abs(turn_(l, j)) + a_.half[l] * std::abs(turn_(k, j));
    const double reach_b = b_.half[p] * std::abs(turn_(i, q)) + b_.half[q] * std::abs(turn_(i, p));
    return (distance - reach_a - reach_b) / std::sqrt(squared);
  }

  // From B to A.
  Vec3 common_normal(int i, int j) const { return from_b_to_a(a_.axes.col(i).cross(b_.axes.col(j)).normalized()); }

  // The corner of A, or of B, that is nearest to the other box, and how far it is; boxes that are apart.
  struct NearestCorner {
    bool of_a = true;
    unsigned corner = 0;
    double squared = kNoGap;
  };
  NearestCorner nearest_corner() const {
    NearestCorner nearest;
    const Mat3 rows = turn_.transpose() * a_.half.asDiagonal(), columns = turn_ * b_.half.asDiagonal();
    for (unsigned i = 0; i < 8; ++i) {
      const Vec3 signs(side((i & 1u) != 0), side((i & 2u) != 0), side((i & 4u) != 0));
      const Vec3 from_b = ((in_b_ + rows * signs).cwiseAbs() - b_.half).cwiseMax(0);
      const Vec3 from_a = ((columns * signs - in_a_).cwiseAbs() - a_.half).cwiseMax(0);
      if (from_b.squaredNorm() < nearest.squared) nearest = {true, i, from_b.squaredNorm()};
      if (from_a.squaredNorm() < nearest.squared) nearest = {false, i, from_a.squaredNorm()};
    }
    return nearest;
  }

 private:
  static constexpr double kNearlyParallel = 1e-4;  // squared sine

  const Box &a_, &b_;
  Vec3 between_;
  Mat3 turn_;  // from the axes of B to those of A
  Vec3 in_a_, in_b_;
};

}  // namespace freeplay::geometry::solid

// Coulomb's friction in a joint, by the load that the joint itself carries:
//
//   a pin of radius r (revolute)     |M_T| <= mu r |F|       F: the reaction across the axis
//   a block in its guide (prismatic) |F_T| <= mu |N|         N: the reaction across the guide
//   the same with its length L       |F_T| <= mu (|N_1| + |N_2|),  N_1,2 = N/2 +- M x e/L
//
// against the motion while the joint moves, anything up to that while it rests. With a length the block touches its
// guide at its two ends, which share force and moment: that is what makes a drawer jam. Not counted: the axial force of
// a pin in space and the moments that it bears across its axis, and the moment of a prism about its axis.
//
// An ideal joint is kept by bilateral rows, and F, N, M are efforts (or, in a step, impulses) of these. A bushing is a
// force that is known before anything is solved.
#pragma once

#include <array>
#include <cmath>

#include "freeplay/math/types.h"

namespace freeplay::contact {

struct LoadFriction {
  double friction = 0;                       // mu
  double arm_m = 1;                          // the radius of the pin; 1 for a joint that slides
  double length_m = 0;                       // of the block; 0: moments do not count
  std::array<int, 2> force_rows = {-1, -1};  // bilateral rows of the two forces across the axis; -1: there is none
  // Of the moments that a pair of such forces, one at each end of the block, is the cause of. Rows of moments have
  // their signs by kDot of mechanism.h: both are those of the pair, or both are opposite, which changes nothing.
  std::array<int, 2> moment_rows = {-1, -1};

  // The largest effort, or impulse, for given efforts, or impulses, of the bilateral rows, which stand first.
  template <class Rows>
  double limit(const Rows& rows) const {
    Vec2 half = Vec2::Zero(), pair = Vec2::Zero();
    for (int k = 0; k < 2; ++k) {
      const std::size_t i = static_cast<std::size_t>(k);
      if (force_rows[i] >= 0) half[k] = 0.5 * rows[force_rows[i]];
      if (length_m > 0 && moment_rows[i] >= 0) pair[k] = rows[moment_rows[i]] / length_m;
    }
    return friction * arm_m * ((half + pair).norm() + (half - pair).norm());
  }
};

}  // namespace freeplay::contact

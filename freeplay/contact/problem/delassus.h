// G = W^T M^-1 W, Delassus' operator: what unit impulses in some rows do to the velocities of all rows.
#pragma once

#include "freeplay/mechanism/dynamics/mass_matrix.h"

namespace freeplay::contact {

// B: the first `count` columns hold W on entry and L^-T W on return (M = L^T L, factored). Writes the top left corner
// of G; with G = B^T B it is symmetric to the last bit.
inline void delassus(const MassMatrix& M, int count, MatX& B, MatX& G) {
  for (int i = 0; i < count; ++i) M.half_solve_in_place(B.col(i));
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i <= j; ++i) G(i, j) = G(j, i) = B.col(i).dot(B.col(j));
  }
}

}  // namespace freeplay::contact

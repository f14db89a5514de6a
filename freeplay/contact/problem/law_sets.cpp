#include "freeplay/contact/problem/law_sets.h"

#include <algorithm>
#include <cmath>

namespace freeplay::contact {

ImpulseBlock coulomb_set(int tangents, double mu, int row, int normal_row) {
  ImpulseBlock block{tangents == 2 ? ImpulseSet::kDisc : ImpulseSet::kInterval, row, tangents, normal_row};
  if (tangents == 2) {
    block.mu = mu;
  } else {
    block.lo1 = -mu;
    block.hi1 = mu;
  }
  return block;
}

ImpulseBlock effort_set(double most, int row) {
  ImpulseBlock block{ImpulseSet::kInterval, row};
  block.lo0 = -most;
  block.hi0 = most;
  return block;
}

ImpulseBlock sliding_set(double mu, double along, int row, int normal_row) {
  ImpulseBlock block{ImpulseSet::kInterval, row, 1, normal_row};
  block.lo1 = block.hi1 = mu * along;
  return block;
}

ImpulseBlock expansion_set(const Expansion& expansion, int tangents, int row, int normal_row) {
  const auto& [mu, e_N, e_T, Lambda_C, no_direction] = expansion;
  const double most = mu * e_N * Lambda_C[0];  // Lambda_TC may exceed its cone by rounding
  ImpulseBlock block = coulomb_set(tangents, mu, row, normal_row);
  if (tangents == 2) {
    block.r0 = most;
    const double size = std::hypot(Lambda_C[1], Lambda_C[2]);
    if (size > no_direction) {
      block.cut = std::min(e_N * e_T * size, most);
      block.direction = {Lambda_C[1] / size, Lambda_C[2] / size};
    }
    return block;
  }
  const double Lambda_TC = std::abs(Lambda_C[1]) <= no_direction ? 0 : Lambda_C[1];
  const double kept = std::clamp(e_N * e_T * Lambda_TC, -most, most);
  block.lo0 = Lambda_TC <= 0 ? -most : kept;
  block.lo1 = Lambda_TC <= 0 ? -mu : 0;
  block.hi0 = Lambda_TC >= 0 ? most : kept;
  block.hi1 = Lambda_TC >= 0 ? mu : 0;
  return block;
}

}  // namespace freeplay::contact

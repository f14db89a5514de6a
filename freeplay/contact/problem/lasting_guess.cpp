#include "freeplay/contact/problem/lasting_guess.h"

#include <algorithm>
#include <cmath>

namespace freeplay::contact {

bool guess_lasting(const LawRows& rows, std::span<const int> first_row, std::span<const ImpulseBlock> blocks,
                   const ConstVecRef& c, VecRef Lambda) {
  const std::span<const Activation> active = rows.active;
  const auto lasts = [&](std::size_t k) {
    return active[k].was_loaded_before() && rows.points[active[k].point].clearance_m > 0 && !(c[first_row[k]] < 0);
  };
  std::size_t k = 0;
  while (k < active.size() && !lasts(k)) ++k;
  if (k == active.size()) return false;
  if (std::ranges::any_of(blocks, [](const ImpulseBlock& block) { return block.set == ImpulseSet::kDisc; }))
    return false;
  for (const ImpulseBlock& block : blocks) {
    for (int i = 0; i < block.size; ++i) Lambda[block.row + i] = 0;
    if (block.set == ImpulseSet::kNonNegative && c[block.row] < 0) Lambda[block.row] = 1;
  }
  for (; k < active.size(); ++k) {
    if (lasts(k)) Lambda[first_row[k]] = 1;
  }
  for (const ImpulseBlock& block : blocks) {
    if (block.set != ImpulseSet::kInterval) continue;
    const double Lambda_N = block.normal_row >= 0 ? Lambda[block.normal_row] : 0;
    const double bound = c[block.row] > 0 ? block.lo0 + block.lo1 * Lambda_N : block.hi0 + block.hi1 * Lambda_N;
    Lambda[block.row] = std::isfinite(bound) ? bound : 0;
  }
  return true;
}

}  // namespace freeplay::contact

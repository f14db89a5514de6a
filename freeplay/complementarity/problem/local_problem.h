// The one problem that every formulation hands to a solver. It knows no bodies and no laws.
//
//   Find Lambda with  xi = G Lambda + c  and, block by block,  -xi in N_C(Lambda),  that is  Lambda = prox_C(Lambda -
//   rho xi).
//
// xi is a velocity (time stepping, impacts) or an acceleration (event-driven motion); Lambda is an impulse or a force.
// Restitution and rheonomic terms are inside c. G may be unsymmetric.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "freeplay/complementarity/problem/local_operator.h"
#include "freeplay/math/types.h"

namespace freeplay::complementarity {

enum class ImpulseSet : std::uint8_t {
  kFree,         // bilateral row: xi = 0
  kNonNegative,  // 0 <= Lambda  _|_  xi >= 0
  kInterval,     // lo0 + lo1 Lambda_N <= Lambda <= hi0 + hi1 Lambda_N
  kDisc          // |Lambda_T| <= r0 + mu Lambda_N in two rows, and Lambda_T . direction >= cut (cut_disc.h)
};

// One block of rows with one set. Planar Coulomb friction is a kNonNegative block and a kInterval block bound to it
// (lo1 = -mu, hi1 = mu): exact and not associated, the normal row knows nothing of the tangent.
struct ImpulseBlock {
  ImpulseSet set = ImpulseSet::kFree;
  int row = 0;                                // first row
  int size = 1;                               // 2 for kDisc
  int normal_row = -1;                        // kInterval, kDisc: the kNonNegative row that the bounds depend on, or -1
  double lo0 = 0, lo1 = 0, hi0 = 0, hi1 = 0;  // kInterval; infinite lo0, hi0 are allowed
  double r0 = 0, mu = 0;                      // kDisc
  double cut = -kInfinity;                    // kDisc; -infinity: the whole disc
  std::array<double, 2> direction = {1, 0};   // kDisc, of length 1
};

// A view: the builder owns the data. G is n x n (dense, block-sparse or matrix-free), c has n entries. The blocks cover
// each row exactly once, in increasing order of rows; a bound block stands somewhere after its normal row.
struct LocalProblem {
  LocalOperator G;
  ConstVecRef c;
  std::span<const ImpulseBlock> blocks;

  int size() const { return static_cast<int>(c.size()); }
};

}  // namespace freeplay::complementarity

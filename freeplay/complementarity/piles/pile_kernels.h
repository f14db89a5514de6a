// The inner loops of the solver of piles, over packs of contacts that share no tree: plain data and plain functions,
// compiled once for every processor and once more for those with wider registers. No operation is fused and every lane
// adds up for itself, so that both give the same bits.
#pragma once

#include <cstdint>

#include "freeplay/core/layers.h"

namespace freeplay::complementarity {

inline constexpr int kPileLanes = 8;  // contacts of a pack
inline constexpr int kPileWidth = 8;  // room for the velocities of a tree

// Eight numbers in a row, of contacts or of a tree, where wide registers can take them.
template <class Scalar>
struct alignas(kPileLanes * sizeof(Scalar)) PileEight {
  Scalar at[kPileLanes];
};

// Of eight contacts side by side; the rows of B are kept beside it (PileWork).
template <class Scalar>
struct alignas(64) PilePack {
  using Lane = Scalar[kPileLanes];
  Lane c[3], x[3], step[3];                   // constants, impulses, and how they changed in the last sweep
  Lane K_NN, K_N0, K_N1, inverse_N;           // of a contact's own block of G
  Lane inverse_00, inverse_01, inverse_11;    // of its tangential part
  Lane norm_T, inverse_T;                     // of the tangential part its norm, and 1 / norm
  Lane norm, mu;                              // 1 / rho of natural_residual.h
  Lane ratio;                                 // where is_round
  std::int32_t a[kPileLanes], b[kPileLanes];  // trees; the one behind the last does not move
  std::int32_t is_diagonal;                   // the blocks of all its contacts, with one number for both tangents
  // Of all its contacts, as between spheres: is_diagonal, the normal row turns nothing, and what the rows move on the
  // second side is -ratio times what they move on the first. A third of the numbers need not be read then.
  std::int32_t is_round;
};

template <class Scalar>
struct PileWork {
  PilePack<Scalar>* packs = nullptr;
  const Scalar* rows = nullptr;  // per pack: rows 3, sides 2, `width` velocities, lanes
  int width = kPileWidth;        // 6 or 8
  const int* active = nullptr;   // packs, in the order in which they are taken
  int active_count = 0;
  Scalar* v = nullptr;  // kPileWidth per tree, and those of the ground, which stay 0
  int ground = -1;      // as a tree; -1: all of them move
  Scalar beta = 0;
  PileEight<Scalar> along = {}, worst = {};  // sums and largest of a sweep
  Scalar* residuals = nullptr;               // kPileLanes per pack
};

template <class Scalar>
struct PileKernels {
  // v += beta (v - before) of these trees, and before <- v.
  void (*extrapolate)(const int* trees, int count, Scalar beta, Scalar* v, Scalar* before);
  // One sweep over the active packs: x, step and v; adds to along and worst.
  void (*sweep)(PileWork<Scalar>& work);
  // v += B x over the active packs.
  void (*add_up)(PileWork<Scalar>& work);
  // The residual of every contact of the active packs at v.
  void (*judge)(PileWork<Scalar>& work);
};

// Those of this processor.
template <class Scalar>
const PileKernels<Scalar>& pile_kernels();

namespace plain_lanes {
template <class Scalar>
PileKernels<Scalar> kernels();
}
namespace avx2_lanes {
template <class Scalar>
PileKernels<Scalar> kernels();
}

}  // namespace freeplay::complementarity

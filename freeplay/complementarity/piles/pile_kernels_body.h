// The functions of PileKernels in the namespace FREEPLAY_LANES, by registers of as many bytes as the source that
// includes this is compiled for. Nothing here is shared with other sources: they may be compiled for other processors.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "freeplay/complementarity/piles/pile_kernels.h"

#if !defined(FREEPLAY_LANES)
#define FREEPLAY_LANES plain_lanes
#endif

namespace freeplay::complementarity::FREEPLAY_LANES {

#if defined(__AVX2__)
#define FREEPLAY_LANE_BYTES 32
#else
#define FREEPLAY_LANE_BYTES 16
#endif

template <class Scalar>
struct Lanes;
template <>
struct Lanes<float> {
  using V __attribute__((vector_size(FREEPLAY_LANE_BYTES))) = float;
};
template <>
struct Lanes<double> {
  using V __attribute__((vector_size(FREEPLAY_LANE_BYTES))) = double;
};
template <class Scalar>
using Lane = typename Lanes<Scalar>::V;
template <class Scalar>
constexpr int kCount = FREEPLAY_LANE_BYTES / static_cast<int>(sizeof(Scalar));

#define FREEPLAY_INLINE static inline __attribute__((always_inline))

template <class Scalar>
FREEPLAY_INLINE Lane<Scalar> load(const Scalar* from) {
  return *reinterpret_cast<const Lane<Scalar>*>(from);
}
template <class Scalar>
FREEPLAY_INLINE void store(Scalar* to, const Lane<Scalar>& value) {
  *reinterpret_cast<Lane<Scalar>*>(to) = value;
}
template <class V>
FREEPLAY_INLINE V larger(const V& a, const V& b) {
  return a > b ? a : b;
}

FREEPLAY_INLINE Lane<float> root(const Lane<float>& x) {
#if defined(__AVX2__)
  return reinterpret_cast<Lane<float>>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
#elif defined(__SSE2__)
  return reinterpret_cast<Lane<float>>(_mm_sqrt_ps(reinterpret_cast<__m128>(x)));
#else
  Lane<float> result = x;
  for (int i = 0; i < kCount<float>; ++i) result[i] = __builtin_sqrtf(x[i]);
  return result;
#endif
}
FREEPLAY_INLINE Lane<double> root(const Lane<double>& x) {
#if defined(__AVX2__)
  return reinterpret_cast<Lane<double>>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(x)));
#elif defined(__SSE2__)
  return reinterpret_cast<Lane<double>>(_mm_sqrt_pd(reinterpret_cast<__m128d>(x)));
#else
  Lane<double> result = x;
  for (int i = 0; i < kCount<double>; ++i) result[i] = __builtin_sqrt(x[i]);
  return result;
#endif
}

// A square of numbers on its side: r[i] has the numbers of tree i, q[k] number k of all trees; the other way likewise.
#if defined(__AVX2__)
FREEPLAY_INLINE void turn(const Lane<float>* r, Lane<float>* q) {
  Lane<float> t[8], s[8];
  for (int i = 0; i < 8; i += 2) {
    t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    s[i] = __builtin_shufflevector(t[i], t[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    s[i + 1] = __builtin_shufflevector(t[i], t[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    s[i + 2] = __builtin_shufflevector(t[i + 1], t[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    s[i + 3] = __builtin_shufflevector(t[i + 1], t[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int k = 0; k < 4; ++k) {
    q[k] = __builtin_shufflevector(s[k], s[4 + k], 0, 1, 2, 3, 8, 9, 10, 11);
    q[4 + k] = __builtin_shufflevector(s[k], s[4 + k], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
FREEPLAY_INLINE void turn(const Lane<double>* r, Lane<double>* q) {
  const Lane<double> a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),
                     b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  const Lane<double> c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6),
                     d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  q[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  q[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  q[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  q[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
#else
FREEPLAY_INLINE void turn(const Lane<float>* r, Lane<float>* q) {
  const Lane<float> a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5),
                    b = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
  const Lane<float> c = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5),
                    d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  q[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  q[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  q[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  q[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
FREEPLAY_INLINE void turn(const Lane<double>* r, Lane<double>* q) {
  q[0] = __builtin_shufflevector(r[0], r[1], 0, 2);
  q[1] = __builtin_shufflevector(r[0], r[1], 1, 3);
}
#endif

// q[k]: velocity k of as many trees as there are lanes; and what is added to them.
template <class Scalar>
FREEPLAY_INLINE void gather(const Scalar* v, const std::int32_t* trees, Lane<Scalar>* q) {
  constexpr int n = kCount<Scalar>;
  for (int k = 0; k < kPileWidth; k += n) {
    Lane<Scalar> r[n];
    for (int i = 0; i < n; ++i) r[i] = load(v + trees[i] * kPileWidth + k);
    turn(r, q + k);
  }
}
// Nothing is added to the ground, which contacts of one colour share: threads would write there at the same time.
template <class Scalar>
FREEPLAY_INLINE void scatter(const Lane<Scalar>* q, const std::int32_t* trees, int ground, Scalar* v) {
  constexpr int n = kCount<Scalar>;
  for (int k = 0; k < kPileWidth; k += n) {
    Lane<Scalar> r[n];
    turn(q + k, r);
    for (int i = 0; i < n; ++i) {
      if (trees[i] == ground) continue;
      Scalar* at = v + trees[i] * kPileWidth + k;
      store(at, load(at) + r[i]);
    }
  }
}

// feel() and push() of a round pack of free bodies: of every tree three numbers that move and three that turn.
template <class Scalar>
FREEPLAY_INLINE void feel_round(const PilePack<Scalar>& pack, const Scalar* rows, int first, const Scalar* v,
                                Lane<Scalar>* xi) {
  constexpr int kSide = 6 * kPileLanes, kRow = 2 * kSide;
  Lane<Scalar> a[kPileWidth], b[kPileWidth];
  gather(v, pack.a + first, a);
  gather(v, pack.b + first, b);
  const Lane<Scalar> ratio = load(pack.ratio + first);
  for (int k = 0; k < 3; ++k) xi[k] = load(pack.c[k] + first);
  for (int i = 0; i < 3; ++i) {
    const Scalar* row = rows + i * kPileLanes + first;
    const Lane<Scalar> moved = a[i] - ratio * b[i];
    for (int k = 0; k < 3; ++k) xi[k] += load(row + k * kRow) * moved;
  }
  for (int i = 3; i < 6; ++i) {
    const Scalar* row = rows + i * kPileLanes + first;
    for (int k = 1; k < 3; ++k) xi[k] += load(row + k * kRow) * a[i] + load(row + k * kRow + kSide) * b[i];
  }
}

template <class Scalar>
FREEPLAY_INLINE void push_round(const PilePack<Scalar>& pack, const Scalar* rows, int first, const Lane<Scalar>* d,
                                const PileWork<Scalar>& work) {
  constexpr int kSide = 6 * kPileLanes, kRow = 2 * kSide;
  Lane<Scalar> a[kPileWidth], b[kPileWidth];
  const Lane<Scalar> ratio = load(pack.ratio + first);
  for (int i = 0; i < 3; ++i) {
    const Scalar* row = rows + i * kPileLanes + first;
    a[i] = load(row) * d[0] + load(row + kRow) * d[1] + load(row + 2 * kRow) * d[2];
    b[i] = -ratio * a[i];
  }
  for (int i = 3; i < 6; ++i) {
    const Scalar* row = rows + i * kPileLanes + first;
    a[i] = load(row + kRow) * d[1] + load(row + 2 * kRow) * d[2];
    b[i] = load(row + kRow + kSide) * d[1] + load(row + 2 * kRow + kSide) * d[2];
  }
  for (int i = 6; i < kPileWidth; ++i) a[i] = b[i] = Lane<Scalar>{};
  scatter(a, pack.a + first, work.ground, work.v);
  scatter(b, pack.b + first, work.ground, work.v);
}

// xi = B^T v + c of the rows of a part of a pack.
template <class Scalar, int kWidth>
FREEPLAY_INLINE void feel(const PilePack<Scalar>& pack, const Scalar* rows, int first, const Scalar* v,
                          Lane<Scalar>* xi) {
  if (kWidth == 6 && pack.is_round != 0) {
    feel_round(pack, rows, first, v, xi);
    return;
  }
  for (int k = 0; k < 3; ++k) xi[k] = load(pack.c[k] + first);
  for (int side = 0; side < 2; ++side) {
    Lane<Scalar> q[kPileWidth];
    gather(v, (side == 0 ? pack.a : pack.b) + first, q);
    for (int i = 0; i < kWidth; ++i) {
      const Scalar* row = rows + (side * kWidth + i) * kPileLanes + first;
      for (int k = 0; k < 3; ++k) xi[k] += load(row + k * 2 * kWidth * kPileLanes) * q[i];
    }
  }
}

// v += B d.
template <class Scalar, int kWidth>
FREEPLAY_INLINE void push(const PilePack<Scalar>& pack, const Scalar* rows, int first, const Lane<Scalar>* d,
                          const PileWork<Scalar>& work) {
  if (kWidth == 6 && pack.is_round != 0) {
    push_round(pack, rows, first, d, work);
    return;
  }
  for (int side = 0; side < 2; ++side) {
    Lane<Scalar> q[kPileWidth];
    for (int i = 0; i < kWidth; ++i) {
      const Scalar* row = rows + (side * kWidth + i) * kPileLanes + first;
      constexpr int kNext = 2 * kWidth * kPileLanes;
      q[i] = load(row) * d[0] + load(row + kNext) * d[1] + load(row + 2 * kNext) * d[2];
    }
    for (int i = kWidth; i < kPileWidth; ++i) q[i] = Lane<Scalar>{};
    scatter(q, (side == 0 ? pack.a : pack.b) + first, work.ground, work.v);
  }
}

// Of spheres: normal and friction do not act on each other's velocities, and this is the contact's own solution.
template <class Scalar>
FREEPLAY_INLINE void answer_diagonal(const PilePack<Scalar>& pack, int first, const Lane<Scalar>* y,
                                     const Lane<Scalar>* xi, Lane<Scalar>* z) {
  using V = Lane<Scalar>;
  const V one = V{} + 1, tiny = V{} + (sizeof(Scalar) == 4 ? static_cast<Scalar>(1e-37) : static_cast<Scalar>(1e-300));
  const V inverse_T = load(pack.inverse_T + first);
  z[0] = larger<V>(y[0] - load(pack.inverse_N + first) * xi[0], V{});
  const V t0 = y[1] - inverse_T * xi[1], t1 = y[2] - inverse_T * xi[2];
  const V factor = load(pack.mu + first) * z[0] / larger<V>(root(t0 * t0 + t1 * t1), tiny);
  const V least = factor < one ? factor : one;
  z[1] = least * t0;
  z[2] = least * t1;
}

// Normal and friction in turn, friction bounded by the newest normal impulse. What sticks is solved by the inverse of
// the tangential block, what slides by a step along its velocity.
template <class Scalar>
FREEPLAY_INLINE void answer_coupled(const PilePack<Scalar>& pack, int first, const Lane<Scalar>* y,
                                    const Lane<Scalar>* xi, Lane<Scalar>* z) {
  using V = Lane<Scalar>;
  constexpr int kPasses = 3;
  const V one = V{} + 1, tiny = V{} + (sizeof(Scalar) == 4 ? static_cast<Scalar>(1e-37) : static_cast<Scalar>(1e-300));
  const V K_N0 = load(pack.K_N0 + first), K_N1 = load(pack.K_N1 + first), inverse_T = load(pack.inverse_T + first);
  for (int k = 0; k < 3; ++k) z[k] = y[k];
  for (int pass = 0; pass < kPasses; ++pass) {
    const V xi_N = xi[0] + load(pack.K_NN + first) * (z[0] - y[0]) + K_N0 * (z[1] - y[1]) + K_N1 * (z[2] - y[2]);
    z[0] = larger<V>(z[0] - load(pack.inverse_N + first) * xi_N, V{});
    const V b0 = xi[1] + K_N0 * (z[0] - y[0]), b1 = xi[2] + K_N1 * (z[0] - y[0]);
    const V radius = load(pack.mu + first) * z[0], radius2 = radius * radius;
    const V stuck0 = y[1] - load(pack.inverse_00 + first) * b0 - load(pack.inverse_01 + first) * b1;
    const V stuck1 = y[2] - load(pack.inverse_01 + first) * b0 - load(pack.inverse_11 + first) * b1;
    const V slid0 = y[1] - inverse_T * b0, slid1 = y[2] - inverse_T * b1;
    const V factor = radius / larger<V>(root(slid0 * slid0 + slid1 * slid1), tiny);
    const V least = factor < one ? factor : one;
    const V outside = stuck0 * stuck0 + stuck1 * stuck1;
    z[1] = outside > radius2 ? least * slid0 : stuck0;
    z[2] = outside > radius2 ? least * slid1 : stuck1;
  }
}

template <class Scalar, int kWidth>
FREEPLAY_INLINE void relax(PilePack<Scalar>& pack, const Scalar* rows, int first, PileWork<Scalar>& work) {
  using V = Lane<Scalar>;
  V xi[3], y[3], z[3], change[3], step[3];
  feel<Scalar, kWidth>(pack, rows, first, work.v, xi);
  for (int k = 0; k < 3; ++k) y[k] = load(pack.x[k] + first) + work.beta * load(pack.step[k] + first);
  if (pack.is_diagonal != 0)
    answer_diagonal(pack, first, y, xi, z);
  else
    answer_coupled(pack, first, y, xi, z);
  for (int k = 0; k < 3; ++k) {
    change[k] = z[k] - y[k];
    step[k] = z[k] - load(pack.x[k] + first);
    store(pack.step[k] + first, step[k]);
    store(pack.x[k] + first, z[k]);
  }
  push<Scalar, kWidth>(pack, rows, first, change, work);
  const V norm_T = load(pack.norm_T + first), by_N = load(pack.K_NN + first) * change[0];
  store(work.along.at + first,
        load(work.along.at + first) + by_N * step[0] + norm_T * (change[1] * step[1] + change[2] * step[2]));
  const V by_T2 = norm_T * norm_T * (change[1] * change[1] + change[2] * change[2]);
  store(work.worst.at + first, larger<V>(load(work.worst.at + first), larger<V>(by_N * by_N, by_T2)));
}

template <class Scalar, int kWidth>
void sweep_packs(PileWork<Scalar>& work) {
  for (int i = 0; i < work.active_count; ++i) {
    const int p = work.active[i];
    const Scalar* rows = work.rows + static_cast<std::int64_t>(p) * (6 * kWidth * kPileLanes);
    for (int first = 0; first < kPileLanes; first += kCount<Scalar>)
      relax<Scalar, kWidth>(work.packs[p], rows, first, work);
  }
}

template <class Scalar, int kWidth>
void add_packs(PileWork<Scalar>& work) {
  for (int i = 0; i < work.active_count; ++i) {
    const int p = work.active[i];
    const PilePack<Scalar>& pack = work.packs[p];
    const Scalar* rows = work.rows + static_cast<std::int64_t>(p) * (6 * kWidth * kPileLanes);
    for (int first = 0; first < kPileLanes; first += kCount<Scalar>) {
      const Lane<Scalar> x[3] = {load(pack.x[0] + first), load(pack.x[1] + first), load(pack.x[2] + first)};
      push<Scalar, kWidth>(pack, rows, first, x, work);
    }
  }
}

// natural_residual.h, with the bounds of friction at max(0, Lambda_N).
template <class Scalar, int kWidth>
void judge_packs(PileWork<Scalar>& work) {
  using V = Lane<Scalar>;
  for (int i = 0; i < work.active_count; ++i) {
    const int p = work.active[i];
    const PilePack<Scalar>& pack = work.packs[p];
    const Scalar* rows = work.rows + static_cast<std::int64_t>(p) * (6 * kWidth * kPileLanes);
    for (int first = 0; first < kPileLanes; first += kCount<Scalar>) {
      V xi[3];
      feel<Scalar, kWidth>(pack, rows, first, work.v, xi);
      const V norm = load(pack.norm + first), x_N = load(pack.x[0] + first), scaled_N = norm * x_N;
      const V e_N = scaled_N < xi[0] ? scaled_N : xi[0];
      const V radius = norm * load(pack.mu + first) * larger<V>(x_N, V{});
      const V scaled_0 = norm * load(pack.x[1] + first), scaled_1 = norm * load(pack.x[2] + first);
      const V z_0 = scaled_0 - xi[1], z_1 = scaled_1 - xi[2], length2 = z_0 * z_0 + z_1 * z_1;
      const V factor = radius / root(length2);
      const V e_0 = length2 > radius * radius ? scaled_0 - factor * z_0 : xi[1];
      const V e_1 = length2 > radius * radius ? scaled_1 - factor * z_1 : xi[2];
      const V e_T2 = e_0 * e_0 + e_1 * e_1;
      // Written so that what is not a number stays none.
      store(work.residuals + p * kPileLanes + first, root(e_N * e_N > e_T2 ? e_N * e_N : e_T2));
    }
  }
}

template <class Scalar>
void sweep(PileWork<Scalar>& work) {
  work.width == 6 ? sweep_packs<Scalar, 6>(work) : sweep_packs<Scalar, kPileWidth>(work);
}
template <class Scalar>
void add_up(PileWork<Scalar>& work) {
  work.width == 6 ? add_packs<Scalar, 6>(work) : add_packs<Scalar, kPileWidth>(work);
}
template <class Scalar>
void judge(PileWork<Scalar>& work) {
  work.width == 6 ? judge_packs<Scalar, 6>(work) : judge_packs<Scalar, kPileWidth>(work);
}

template <class Scalar>
void extrapolate(const int* trees, int count, Scalar beta, Scalar* v, Scalar* before) {
  for (int i = 0; i < count; ++i) {
    const int at = trees[i] * kPileWidth;
    for (int k = at; k < at + kPileWidth; k += kCount<Scalar>) {
      const Lane<Scalar> now = load(v + k);
      store(v + k, now + beta * (now - load(before + k)));
      store(before + k, now);
    }
  }
}

template <class Scalar>
PileKernels<Scalar> kernels() {
  return {extrapolate<Scalar>, sweep<Scalar>, add_up<Scalar>, judge<Scalar>};
}
template PileKernels<float> kernels<float>();
template PileKernels<double> kernels<double>();

#undef FREEPLAY_LANE_BYTES
#undef FREEPLAY_INLINE

}  // namespace freeplay::complementarity::FREEPLAY_LANES

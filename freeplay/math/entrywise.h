// Vectors of a few entries, taken one entry at a time. Eigen takes two at once; where these have just been written one
// by one, as the recursions over a tree do, the processor has to wait until both are in the cache.
#pragma once

#include "freeplay/math/types.h"

namespace freeplay::math {

// out = x
template <class X>
void copy_entries(const X& x, VecX& out) {
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = x[i];
}

// out = x + s y; out may be one of them.
template <class X, class Y>
void add_scaled(const X& x, double s, const Y& y, VecX& out) {
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = x[i] + s * y[i];
}

}  // namespace freeplay::math

#include "freeplay/complementarity/piles/pile_kernels.h"

#define FREEPLAY_LANES plain_lanes
#include "freeplay/complementarity/piles/pile_kernels_body.h"
#undef FREEPLAY_LANES

namespace freeplay::complementarity {
namespace {

bool has_wide_registers() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

}  // namespace

template <class Scalar>
const PileKernels<Scalar>& pile_kernels() {
  static const PileKernels<Scalar> kernels =
      has_wide_registers() ? avx2_lanes::kernels<Scalar>() : plain_lanes::kernels<Scalar>();
  return kernels;
}
template const PileKernels<float>& pile_kernels<float>();
template const PileKernels<double>& pile_kernels<double>();

}  // namespace freeplay::complementarity

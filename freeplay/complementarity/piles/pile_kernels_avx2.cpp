// Compiled for processors with AVX2 (CMakeLists.txt).
#include "freeplay/complementarity/piles/pile_kernels.h"

#define FREEPLAY_LANES avx2_lanes
#include "freeplay/complementarity/piles/pile_kernels_body.h"
#undef FREEPLAY_LANES

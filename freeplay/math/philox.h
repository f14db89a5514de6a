// Random numbers without a state: the n-th number of a stream is a function of the seed, the stream and n, so that
// every point of a study, or body of a scene, has its values whoever computes it, and in whatever order.
#pragma once

#include <array>
#include <cstdint>

#include "freeplay/core/layers.h"

namespace freeplay::math {

// Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3".
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// In [0, 1), a multiple of 2^-53.
double random_number(std::uint64_t seed, std::uint32_t stream, std::uint64_t index);

}  // namespace freeplay::math

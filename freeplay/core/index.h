// Distinct index types: a MarkerIndex does not compile where a BodyIndex belongs.
#pragma once

#include <cstdint>

#include "freeplay/core/layers.h"

namespace freeplay::core {

enum class BodyIndex : std::int32_t {};    // 0 is the ground
enum class MarkerIndex : std::int32_t {};  // into Mechanism::markers

inline constexpr BodyIndex kGround{0};

template <class Index>
constexpr std::size_t to_size(Index index) {
  return static_cast<std::size_t>(index);
}
template <class Index>
constexpr int to_int(Index index) {
  return static_cast<int>(index);
}

}  // namespace freeplay::core

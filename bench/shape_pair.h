// Two convex solids in given poses, for the peers of bench/shapes.cpp: no header of freeplay or of a peer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace freeplay::bench {

enum class Solid : std::uint8_t { kBox, kEllipsoid };

struct SolidPair {
  Solid kind = Solid::kBox;                  // of both
  std::array<double, 3> half_a{}, half_b{};  // half edges, semi-axes
  bool overlaps = false;                     // whether poses will be asked for in which they overlap, or are apart
};

struct SolidPose {
  std::array<double, 9> R{};  // row by row
  std::array<double, 3> x{};
};

struct PoseOfTwo {
  SolidPose a, b;
};

// One engine with one pair.
class ShapePeer {
 public:
  virtual ~ShapePeer() = default;
  // Of solids that are apart their distance, of solids that overlap minus the depth; NaN if it does not say.
  virtual double gap(const PoseOfTwo& pose) = 0;
};

}  // namespace freeplay::bench

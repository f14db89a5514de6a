// Balls that are placed already, to find out whether another one would overlap them.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "freeplay/core/layers.h"
#include "freeplay/math/types.h"

namespace freeplay::model {

class BallGrid {
 public:
  void add(const Vec3& centre_m, double radius_m);
  // Whether the ball is nowhere nearer than `gap_m` to one that was added.
  bool is_free(const Vec3& centre_m, double radius_m, double gap_m) const;

 private:
  struct Ball {
    Vec3 centre;
    double radius;
  };
  using Cell = std::array<std::int64_t, 3>;
  struct CellHash {
    std::size_t operator()(const Cell& cell) const;
  };
  struct Range {
    Cell first, last;
    double count() const;
  };
  Range cells_of(const Vec3& centre, double radius) const;
  static bool overlap(const Ball& a, const Vec3& centre, double radius);

  double edge_m_ = 0;  // of a cell: the diameter of the first ball
  std::vector<Ball> balls_;
  std::vector<int> large_;  // balls of too many cells, which are compared one by one
  std::unordered_map<Cell, std::vector<int>, CellHash> in_cell_;
};

}  // namespace freeplay::model

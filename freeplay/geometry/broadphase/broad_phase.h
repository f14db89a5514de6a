// Which of many balls overlap: the pairs of shapes that a step has to look at, found without looking at all pairs.
//
// The cost follows the balls and the pairs that overlap, for balls of similar and of very different sizes. The pairs
// are a function of the balls that are given and of nothing before: the same state proposes the same pairs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::geometry {

class BroadPhase {
 public:
  // Who may meet whom: balls of different bodies of which one asks for a group that the other is in.
  struct Member {
    std::int32_t body = 0;
    std::uint64_t groups = 1;   // a bit for every group that the ball is in
    std::uint64_t against = 1;  // a bit for every group that it asks for
  };
  // Indices of balls, first < second.
  struct Pair {
    std::int32_t first = 0, second = 0;
    friend bool operator==(const Pair&, const Pair&) = default;
  };

  explicit BroadPhase(std::vector<Member> members);

  // `balls`: one per member, in world coordinates, z the same for all of a planar system; each radius with the distance
  // that the ball may travel before the next call. Returns the pairs that may meet and overlap or touch, sorted, valid
  // until the next call. A ball with anything infinite or undefined overlaps all others. Allocates only where more
  // pairs are found than ever before.
  std::span<const Pair> find_pairs(std::span<const BoundingSphere> balls);

  // Whether two balls overlap or touch as computed here, undefined ones included; rounding belongs in the radii.
  static bool overlap(const BoundingSphere& a, const BoundingSphere& b) {
    const double reach = a.radius_m + b.radius_m;
    return !((a.centre_m - b.centre_m).squaredNorm() > reach * reach);
  }
  bool may_meet(std::int32_t a, std::int32_t b) const {
    const Member &first = members_[static_cast<std::size_t>(a)], &second = members_[static_cast<std::size_t>(b)];
    return first.body != second.body && ((first.groups & second.against) != 0 || (second.groups & first.against) != 0);
  }

 private:
  // A level is a grid of cubes with the edge 2^exponent. Every ball belongs to the finest level whose cells are at
  // least as wide as the ball and no finer than its coordinates can resolve; it lies in the cell of its centre.
  struct Level {
    int exponent = 0;
    std::int32_t first = -1;  // of its balls, chained by next_in_level_
    double widest_radius = 0;
  };
  struct Cell {
    std::int64_t x = 0, y = 0, z = 0;
    int exponent = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct Entry {
    BoundingSphere ball;
    Cell cell;
    std::int32_t index = 0;
    std::int32_t next = -1;  // in the same bucket
  };
  static constexpr int kLowestExponent = -1000, kHighestExponent = 600;

  void sort_into_levels(std::span<const BoundingSphere> balls);
  void propose_neighbours(const BoundingSphere& ball, std::int32_t index, const Level& level);
  void look_into(const Cell& cell, const BoundingSphere& ball, std::int32_t index);
  void insert(const BoundingSphere& ball, std::int32_t index, int exponent);
  void propose(std::int32_t a, std::int32_t b);
  void sort_pairs();
  std::size_t bucket_of(const Cell& cell) const;

  std::vector<Member> members_;
  // One entry per ball that has been put into the grid; buckets are the heads of their chains.
  std::vector<Entry> entries_;
  std::vector<std::int32_t> buckets_;
  std::vector<Level> levels_;                                                           // coarsest first
  std::array<std::int32_t, kHighestExponent - kLowestExponent + 1> level_of_exponent_;  // -1: none
  std::vector<std::int32_t> next_in_level_;
  std::vector<std::int32_t> undefined_;  // balls that no grid can hold
  std::vector<Pair> found_, pairs_;      // in the order found, sorted
  std::vector<std::int32_t> starts_;     // of the pairs of every first ball
  bool is_flat_ = false;                 // all centres have one z
};

}  // namespace freeplay::geometry

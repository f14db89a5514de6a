// Boxes around boxes around triangles: which triangles are near to something. Frozen; walking allocates nothing.
//
// Our own instead of FCL's: FCL answers one nearest pair, or the pairs that already cut each other, and allocates both
// answers; a manifold needs every pair within reach, also before it touches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/math/types.h"

namespace freeplay::geometry {

struct MeshBox {
  Vec3 low = Vec3::Constant(kInfinity), high = Vec3::Constant(-kInfinity);

  void add(const Vec3& x) { low = low.cwiseMin(x), high = high.cwiseMax(x); }
  void add(const MeshBox& box) { low = low.cwiseMin(box.low), high = high.cwiseMax(box.high); }
  void grow(double by) { low.array() -= by, high.array() += by; }
  bool meets(const MeshBox& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

struct MeshNode {
  MeshBox box;
  std::int32_t first = 0, count = 0;  // triangles
  std::int32_t right = -1;            // the left child is the next node; -1: a leaf

  bool is_leaf() const { return right < 0; }
};

// Where body A is, seen from body B: x_B = turn x_A + shift.
struct RelativePlace {
  Mat3 turn = Mat3::Identity();
  Vec3 shift = Vec3::Zero();

  Vec3 point(const Vec3& x) const { return turn * x + shift; }
  Vec3 inverse_point(const Vec3& x) const { return turn.transpose() * (x - shift); }
};

class MeshTree {
 public:
  // Sorts `order`, numbers of triangles, so that the triangles of every node follow each other.
  void build(std::span<const MeshBox> boxes, std::vector<std::int32_t>& order);

  std::span<const MeshNode> nodes() const { return nodes_; }

  // Calls use(triangle) for every triangle of the leaves that keep(box) accepts all the way down.
  template <class Keep, class Use>
  void for_leaves(Keep keep, Use use) const {
    Stack<std::int32_t> stack;
    if (!nodes_.empty()) stack.push(0);
    while (!stack.empty()) {
      const std::int32_t at = stack.pop();
      const MeshNode& node = nodes_[static_cast<std::size_t>(at)];
      if (!keep(node.box)) continue;
      if (node.is_leaf()) {
        for (std::int32_t i = node.first; i < node.first + node.count; ++i) use(i);
      } else {
        stack.push(node.right);
        stack.push(at + 1);
      }
    }
  }

  // Triangles whose leaves meet a box.
  template <class Use>
  void for_near(const MeshBox& near, Use use) const {
    for_leaves([&](const MeshBox& box) { return box.meets(near); }, use);
  }

  // Calls use(triangle of A, triangle of B) for all pairs of which the boxes may be within reach.
  template <class Use>
  static void for_near_pairs(const MeshTree& a, const MeshTree& b, const RelativePlace& place, double reach, Use use) {
    const Mat3 absolute = place.turn.cwiseAbs();
    const auto apart = [&](const MeshBox& of_a, const MeshBox& of_b) {
      const Vec3 centre_a = (of_a.low + of_a.high) / 2, half_a = (of_a.high - of_a.low) / 2;
      const Vec3 centre_b = (of_b.low + of_b.high) / 2, half_b = (of_b.high - of_b.low) / 2;
      const Vec3 between = place.point(centre_a) - centre_b;
      if (((between.cwiseAbs() - absolute * half_a - half_b).array() > reach).any()) return true;
      return (((place.turn.transpose() * between).cwiseAbs() - absolute.transpose() * half_b - half_a).array() > reach)
          .any();
    };
    Stack<std::array<std::int32_t, 2>> stack;
    if (!a.nodes_.empty() && !b.nodes_.empty()) stack.push({0, 0});
    while (!stack.empty()) {
      const auto [i, j] = stack.pop();
      const MeshNode &node_a = a.nodes_[static_cast<std::size_t>(i)], &node_b = b.nodes_[static_cast<std::size_t>(j)];
      if (apart(node_a.box, node_b.box)) continue;
      if (node_a.is_leaf() && node_b.is_leaf()) {
        for (std::int32_t k = node_a.first; k < node_a.first + node_a.count; ++k) {
          for (std::int32_t l = node_b.first; l < node_b.first + node_b.count; ++l) use(k, l);
        }
      } else if (node_b.is_leaf() || (!node_a.is_leaf() && node_a.count >= node_b.count)) {
        stack.push({node_a.right, j});
        stack.push({i + 1, j});
      } else {
        stack.push({i, node_b.right});
        stack.push({i, j + 1});
      }
    }
  }

 private:
  // Halving keeps the depth below 32 in each tree; on the way down one entry is left behind per level.
  template <class T>
  class Stack {
   public:
    void push(const T& value) {
      FREEPLAY_ASSERT(size_ < entries_.size());
      entries_[size_++] = value;
    }
    T pop() { return entries_[--size_]; }
    bool empty() const { return size_ == 0; }

   private:
    std::array<T, 80> entries_;
    std::size_t size_ = 0;
  };

  std::int32_t split(std::span<const MeshBox> boxes, std::span<std::int32_t> order, std::int32_t first);

  std::vector<MeshNode> nodes_;
};

}  // namespace freeplay::geometry

// Which blocks of a problem make one contact: a head, and the blocks whose bounds depend on its impulse, wherever they
// stand behind it. A block that depends on nothing is the head of a contact of its own.
#pragma once

#include <span>
#include <vector>

#include "freeplay/complementarity/problem/local_problem.h"
#include "freeplay/core/error.h"

namespace freeplay::complementarity {

class ContactGroups {
 public:
  // Room for problems of up to `rows` rows; assign() then allocates nothing.
  void reserve(int rows) {
    for (std::vector<int>* list : {&block_at_row_, &head_, &bound_begin_, &bound_}) {
      list->reserve(static_cast<std::size_t>(rows) + 1);
    }
  }

  // Looks at each block a fixed number of times, however many contacts there are. Blocks: a span of ImpulseBlock, or
  // what has size() and [] like one.
  template <class Blocks>
  void assign(const Blocks& blocks) {
    const int count = static_cast<int>(blocks.size());
    head_.resize(static_cast<std::size_t>(count));
    bound_begin_.assign(static_cast<std::size_t>(count) + 1, 0);
    block_at_row_.clear();
    for (int b = 0; b < count; ++b) {
      const ImpulseBlock& block = blocks[b];
      block_at_row_.resize(static_cast<std::size_t>(block.row), -1);
      block_at_row_.push_back(b);
      // A normal row stands before what depends on it: its block is known by now.
      head_[b] = block.normal_row < 0 ? b : block_at_row_[block.normal_row];
      FREEPLAY_ASSERT(head_[b] >= 0);
      if (head_[b] != b) ++bound_begin_[head_[b] + 1];
    }
    for (int b = 0; b < count; ++b) bound_begin_[b + 1] += bound_begin_[b];
    bound_.resize(static_cast<std::size_t>(bound_begin_[count]));
    std::vector<int>& listed = block_at_row_;  // of each head so far
    listed.assign(static_cast<std::size_t>(count), 0);
    for (int b = 0; b < count; ++b) {
      if (const int head = head_[b]; head != b) bound_[bound_begin_[head] + listed[head]++] = b;
    }
  }

  int head(int block) const { return head_[block]; }
  bool is_head(int block) const { return head_[block] == block; }
  // In the order in which they stand.
  std::span<const int> bound_to(int head) const {
    return {bound_.data() + bound_begin_[head], static_cast<std::size_t>(bound_begin_[head + 1] - bound_begin_[head])};
  }

 private:
  std::vector<int> block_at_row_;  // -1 inside a block
  std::vector<int> head_;          // of each block
  std::vector<int> bound_begin_;   // in bound_, of each head
  std::vector<int> bound_;
};

}  // namespace freeplay::complementarity

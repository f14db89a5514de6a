// The contact step of systems of many trees: room for rows as contacts close, and a sparse G.
#include <algorithm>

#include "freeplay/contact/problem/contact_step.h"

namespace freeplay::contact {

// Compact rows grow with the contacts that there are: of all that may ever touch, few do at a time.
void ContactStep::make_room(int rows) {
  if (c_.size() >= rows && c_.size() > 0) return;
  const int room = rows_.is_compact ? std::max(rows, 2 * static_cast<int>(c_.size())) : rows;
  solver_->reserve(room);
  if (fallback_) fallback_->reserve(room);
  blocks_.reserve(static_cast<std::size_t>(room));
  for (VecX* v : {&c_, &gamma_A_, &Lambda_}) v->conservativeResize(room);
  Lambda_.setZero();
  if (!rows_.is_compact) return;
  int largest = 0;
  for (const MassStructure::Block& tree : system_.mass_structure().blocks) largest = std::max(largest, tree.size);
  rows_.resize_compact(largest, room);
  B_.conservativeResize(2 * largest, room);
}

void ContactStep::assemble_sparse(const MassMatrix& M) {
  const std::vector<MassStructure::Block>& trees = M.structure().blocks;
  const int contacts = static_cast<int>(active_.size());
  const auto parts = [&](int contact) -> const std::array<RowPart, 2>& {
    return rows_.parts[static_cast<std::size_t>(first_row_[static_cast<std::size_t>(contact)])];
  };
  const auto tree_of = [&](const RowPart& part) { return tree_of_velocity_[static_cast<std::size_t>(part.first)]; };
  for (int row = 0; row < count_; ++row) {
    double* entry = B_.col(row).data();
    for (const RowPart& part : rows_.parts[static_cast<std::size_t>(row)]) {
      if (part.size > 0) M.half_solve_in_place(trees[static_cast<std::size_t>(tree_of(part))], entry);
      entry += part.size;
    }
  }
  // The active points at each tree, in increasing order: counted, then put in place.
  tree_begin_.assign(trees.size() + 1, 0);
  for (int i = 0; i < contacts; ++i) {
    for (const RowPart& part : parts(i)) {
      if (part.size > 0) ++tree_begin_[static_cast<std::size_t>(tree_of(part)) + 1];
    }
  }
  for (std::size_t t = 0; t < trees.size(); ++t) tree_begin_[t + 1] += tree_begin_[t];
  points_at_tree_.resize(static_cast<std::size_t>(tree_begin_.back()));
  neighbours_.assign(tree_begin_.begin(), tree_begin_.end() - 1);
  for (int i = 0; i < contacts; ++i) {
    for (const RowPart& part : parts(i)) {
      if (part.size > 0)
        points_at_tree_[static_cast<std::size_t>(neighbours_[static_cast<std::size_t>(tree_of(part))]++)] = i;
    }
  }
  contact_begin_.assign(first_row_.begin(), first_row_.end());
  contact_begin_.push_back(count_);
  sparse_G_.start(contact_begin_);
  for (int i = 0; i < contacts; ++i) {
    neighbours_.clear();
    for (const RowPart& part : parts(i)) {
      if (part.size == 0) continue;
      const std::size_t tree = static_cast<std::size_t>(tree_of(part));
      neighbours_.insert(neighbours_.end(), points_at_tree_.begin() + tree_begin_[tree],
                         points_at_tree_.begin() + tree_begin_[tree + 1]);
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    sparse_G_.append_row(neighbours_);
  }
  for (int i = 0; i < contacts; ++i) {
    for (const BlockSparseMatrix::Block& block : sparse_G_.row(i)) {
      const int j = block.column, height = sparse_G_.rows(i);
      double* values = sparse_G_.values(block);
      int offset_i = 0;
      for (const RowPart& part_i : parts(i)) {
        int offset_j = 0;
        for (const RowPart& part_j : parts(j)) {
          if (part_i.size > 0 && part_j.size > 0 && part_i.first == part_j.first) {
            for (int b = 0; b < sparse_G_.rows(j); ++b) {
              for (int a = 0; a < height; ++a)
                values[a + b * height] += B_.col(sparse_G_.first_row(i) + a)
                                              .segment(offset_i, part_i.size)
                                              .dot(B_.col(sparse_G_.first_row(j) + b).segment(offset_j, part_j.size));
            }
          }
          offset_j += part_j.size;
        }
        offset_i += part_i.size;
      }
    }
  }
}

}  // namespace freeplay::contact

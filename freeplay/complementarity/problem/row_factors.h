// G = B^T B by rows, for systems of many trees: a row of B acts on the velocities of one tree or of two, and G itself
// is never formed. Its entries, should a solver need them, come from write_blocks().
#pragma once

#include <array>
#include <span>
#include <vector>

#include "freeplay/complementarity/problem/local_operator.h"

namespace freeplay::complementarity {

class RowFactors final : public MatrixFreeOperator {
 public:
  // Where a part of a row acts: which tree, and its velocities. size 0: nothing.
  struct Part {
    int tree = -1;
    int first = 0, size = 0;
  };

  // Starts anew, for rows with at most `stride` entries over `trees` trees of `velocities` velocities in all.
  void start(int trees, int velocities, std::size_t stride);
  void reserve(int rows, std::size_t stride);
  // A new row, to be filled: the entries of its parts one below the other.
  double* add(const std::array<Part, 2>& parts);

  int trees() const { return trees_; }
  int velocities() const { return velocities_; }
  const std::array<Part, 2>& parts(int row) const { return parts_[static_cast<std::size_t>(row)]; }
  double* entries(int row) { return values_.data() + static_cast<std::size_t>(row) * stride_; }
  const double* values(int row) const { return values_.data() + static_cast<std::size_t>(row) * stride_; }

  // After the three rows of a contact have been added and filled, the last of them being `last`: keeps their block of G
  // (00, 01, 02, 11, 12, 22), which several ask for.
  void keep_block(int last);
  // The kept block that begins with this row; null: none.
  const double* kept_block(int row) const {
    const std::size_t at = static_cast<std::size_t>(row);
    return at < kept_.size() && kept_[at] >= 0 ? blocks_.data() + 6 * static_cast<std::size_t>(kept_[at]) : nullptr;
  }

  // G_ij: the product of two rows over the velocities that they share.
  double dot(int row, int other) const;
  // sum = B x, and B_i^T v.
  void combine(const ConstVecRef& x, VecRef sum) const;
  double velocity(int row, const double* v) const {
    const double* entry = values(row);
    double sum = 0;
    for (const Part& part : parts(row)) {
      const double* of_part = v + part.first;
      if (part.size == kFreeBody) {
        for (int i = 0; i < kFreeBody; ++i) sum += entry[i] * of_part[i];
      } else {
        for (int i = 0; i < part.size; ++i) sum += entry[i] * of_part[i];
      }
      entry += part.size;
    }
    return sum;
  }
  // G with the given partition of its rows (first row of each block, at the end the number of rows). The rows of a
  // block act on the same trees.
  void write_blocks(std::span<const int> block_begin, BlockSparseMatrix& blocks) const;

  int size() const override { return static_cast<int>(parts_.size()); }
  // Allocates once per thread.
  void apply(const ConstVecRef& x, VecRef y) const override;
  void diagonal_block(std::span<const int> rows, double* block) const override;
  const RowFactors* factors() const override { return this; }

 private:
  static constexpr int kFreeBody = 6;  // velocities, of most trees: loops of that length unroll

  int trees_ = 0, velocities_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> values_;
  std::vector<std::array<Part, 2>> parts_;
  std::vector<int> kept_;       // per row up to the last one of a kept block: which block begins there, or -1
  std::vector<double> blocks_;  // kept ones, six numbers each
};

}  // namespace freeplay::complementarity

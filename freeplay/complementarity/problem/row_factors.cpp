#include "freeplay/complementarity/problem/row_factors.h"

#include <algorithm>

#include "freeplay/core/error.h"

namespace freeplay::complementarity {
namespace {

// The products of three rows with each other, as RowFactors::dot() adds them up where there is an even number of
// entries on both sides: two sums that do not wait for each other.
std::array<double, 6> block_of(const double* first, std::size_t stride, int entries) {
  const double *second = first + stride, *third = second + stride;
  double sums[6][2] = {};
  for (int at = 0; at < entries; at += 2) {
    for (int k = 0; k < 2; ++k) {
      const double a = first[at + k], b = second[at + k], c = third[at + k];
      sums[0][k] += a * a;
      sums[1][k] += a * b;
      sums[2][k] += a * c;
      sums[3][k] += b * b;
      sums[4][k] += b * c;
      sums[5][k] += c * c;
    }
  }
  std::array<double, 6> block;
  for (std::size_t i = 0; i < 6; ++i) block[i] = sums[i][0] + sums[i][1];
  return block;
}

// sum += B x of the part of three rows that acts on one tree; kSize: its velocities, 0: `size`.
template <int kSize>
void add_part(const double* __restrict first, std::size_t stride, const double* x, int size, double* __restrict sum) {
  const double* __restrict second = first + stride;
  const double* __restrict third = second + stride;
  for (int i = 0; i < (kSize > 0 ? kSize : size); ++i) sum[i] += x[0] * first[i] + x[1] * second[i] + x[2] * third[i];
}

}  // namespace

void RowFactors::start(int trees, int velocities, std::size_t stride) {
  trees_ = trees;
  velocities_ = velocities;
  stride_ = stride;
  parts_.clear();
  kept_.clear();
  blocks_.clear();
}

void RowFactors::reserve(int rows, std::size_t stride) {
  parts_.reserve(static_cast<std::size_t>(rows));
  kept_.reserve(static_cast<std::size_t>(rows));
  blocks_.reserve(2 * static_cast<std::size_t>(rows));
  if (values_.size() < static_cast<std::size_t>(rows) * stride) values_.resize(static_cast<std::size_t>(rows) * stride);
}

double* RowFactors::add(const std::array<Part, 2>& parts) {
  FREEPLAY_ASSERT(static_cast<std::size_t>(parts[0].size + parts[1].size) <= stride_);
  const std::size_t begin = parts_.size() * stride_;
  parts_.push_back(parts);
  if (values_.size() < begin + stride_) values_.resize(std::max(begin + stride_, 2 * values_.size()));
  return values_.data() + begin;
}

void RowFactors::keep_block(int last) {
  const int first = last - 2;
  kept_.resize(static_cast<std::size_t>(last) + 1, -1);
  kept_[static_cast<std::size_t>(first)] = static_cast<int>(blocks_.size() / 6);
  const std::array<Part, 2>& of_first = parts(first);
  if (of_first[0].size == kFreeBody && of_first[1].size == kFreeBody) {  // the three rows have the same parts
    const std::array<double, 6> block = block_of(values(first), stride_, 2 * kFreeBody);
    blocks_.insert(blocks_.end(), block.begin(), block.end());
    return;
  }
  for (int i = first; i <= last; ++i) {
    for (int j = i; j <= last; ++j) blocks_.push_back(dot(i, j));
  }
}

double RowFactors::dot(int row, int other) const {
  double sum = 0;
  const double* a = values(row);
  const std::array<Part, 2>&of_row = parts(row), &of_other = parts(other);
  if (of_row[0].tree == of_other[0].tree && of_row[1].tree == of_other[1].tree) {  // two rows of one contact
    const double* b = values(other);
    const int count = of_row[0].size + of_row[1].size;
    if (count == 2 * kFreeBody) {  // two sums that do not wait for each other
      double odd = 0;
      for (int i = 0; i < 2 * kFreeBody; i += 2) {
        sum += a[i] * b[i];
        odd += a[i + 1] * b[i + 1];
      }
      return sum + odd;
    }
    for (int i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
  }
  for (const Part& part : parts(row)) {
    const double* b = values(other);
    for (const Part& shared : parts(other)) {
      if (part.size > 0 && shared.size > 0 && part.tree == shared.tree) {
        for (int i = 0; i < part.size; ++i) sum += a[i] * b[i];
      }
      b += shared.size;
    }
    a += part.size;
  }
  return sum;
}

void RowFactors::combine(const ConstVecRef& x, VecRef sum) const {
  sum.setZero();
  for (int row = 0; row < size(); ++row) {
    if (kept_block(row) != nullptr) {  // the rows of a contact at once
      const double* entry = values(row);
      for (const Part& part : parts(row)) {
        double* of_part = sum.data() + part.first;
        part.size == kFreeBody ? add_part<kFreeBody>(entry, stride_, x.data() + row, kFreeBody, of_part)
                               : add_part<0>(entry, stride_, x.data() + row, part.size, of_part);
        entry += part.size;
      }
      row += 2;
      continue;
    }
    const double factor = x[row];
    if (factor == 0) continue;
    const double* entry = values(row);
    for (const Part& part : parts(row)) {
      double* of_part = sum.data() + part.first;
      if (part.size == kFreeBody) {
        for (int i = 0; i < kFreeBody; ++i) of_part[i] += factor * entry[i];
      } else {
        for (int i = 0; i < part.size; ++i) of_part[i] += factor * entry[i];
      }
      entry += part.size;
    }
  }
}

void RowFactors::apply(const ConstVecRef& x, VecRef y) const {
  thread_local VecX velocities;
  if (velocities.size() < velocities_) velocities.resize(velocities_);
  combine(x, velocities.head(velocities_));
  for (int row = 0; row < size(); ++row) y[row] = velocity(row, velocities.data());
}

void RowFactors::diagonal_block(std::span<const int> rows, double* block) const {
  const std::size_t count = rows.size();
  const double* kept = count == 3 && rows[1] == rows[0] + 1 && rows[2] == rows[0] + 2 ? kept_block(rows[0]) : nullptr;
  if (kept != nullptr) {
    const double full[] = {kept[0], kept[1], kept[2], kept[1], kept[3], kept[4], kept[2], kept[4], kept[5]};
    std::copy_n(full, 9, block);
    return;
  }
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i <= j; ++i) block[i + j * count] = block[j + i * count] = dot(rows[i], rows[j]);
  }
}

void RowFactors::write_blocks(std::span<const int> block_begin, BlockSparseMatrix& blocks) const {
  const int count = static_cast<int>(block_begin.size()) - 1;
  const auto parts_of = [&](int block) -> const std::array<Part, 2>& {
    return parts(block_begin[static_cast<std::size_t>(block)]);
  };
  // The blocks at each tree, in increasing order: counted, then put in place.
  std::vector<int> tree_begin(static_cast<std::size_t>(trees_) + 1, 0);
  for (int i = 0; i < count; ++i) {
    for (const Part& part : parts_of(i)) {
      if (part.size > 0) ++tree_begin[static_cast<std::size_t>(part.tree) + 1];
    }
  }
  for (std::size_t t = 0; t + 1 < tree_begin.size(); ++t) tree_begin[t + 1] += tree_begin[t];
  std::vector<int> at_tree(static_cast<std::size_t>(tree_begin.back())), next(tree_begin.begin(), tree_begin.end() - 1);
  for (int i = 0; i < count; ++i) {
    for (const Part& part : parts_of(i)) {
      if (part.size > 0) at_tree[static_cast<std::size_t>(next[static_cast<std::size_t>(part.tree)]++)] = i;
    }
  }
  blocks.start(block_begin);
  std::vector<int> neighbours;
  for (int i = 0; i < count; ++i) {
    neighbours.assign(1, i);
    for (const Part& part : parts_of(i)) {
      if (part.size == 0) continue;
      const std::size_t tree = static_cast<std::size_t>(part.tree);
      neighbours.insert(neighbours.end(), at_tree.begin() + tree_begin[tree], at_tree.begin() + tree_begin[tree + 1]);
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    blocks.append_row(neighbours);
  }
  for (int i = 0; i < count; ++i) {
    const int height = blocks.rows(i);
    for (const BlockSparseMatrix::Block& block : blocks.row(i)) {
      double* values = blocks.values(block);
      for (int b = 0; b < blocks.rows(block.column); ++b) {
        for (int a = 0; a < height; ++a)
          values[a + b * height] = dot(blocks.first_row(i) + a, blocks.first_row(block.column) + b);
      }
    }
  }
}

}  // namespace freeplay::complementarity

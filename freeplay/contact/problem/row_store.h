// Rows of W, bilateral and of contacts alike, each kept to the velocities of the two trees (or the one) that it acts
// on. For systems of many trees a whole row would be nearly all zeros.
#pragma once

#include <array>
#include <vector>

#include "freeplay/mechanism/system.h"

namespace freeplay::contact {

// sum + a^T b, added up in this order. A body that moves freely has three velocities in the plane and six in space:
// loops over so few cost more than the sum.
inline double plus_product(double sum, const double* a, const double* b, int size) {
  if (size == 3) return sum + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if (size == 6) {
    for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
  }
  for (int i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

class RowStore {
 public:
  // `structure` must outlive the store.
  explicit RowStore(const MassStructure& structure);

  // Room for rows in advance: no more of them allocate nothing.
  void reserve(int rows);
  void clear() { count_ = 0; }
  int size() const { return count_; }

  // A new row: to be filled through parts() and values(), which has room for the two largest trees.
  int add(double w_tilde);
  std::array<RowPart, 2>& parts(int row) { return parts_[static_cast<std::size_t>(row)]; }
  const std::array<RowPart, 2>& parts(int row) const { return parts_[static_cast<std::size_t>(row)]; }
  // The entries of the parts one below the other.
  std::size_t stride() const { return stride_; }
  double* values(int row) { return values_.data() + static_cast<std::size_t>(row) * stride_; }
  const double* values(int row) const { return values_.data() + static_cast<std::size_t>(row) * stride_; }
  int entries(int row) const { return parts(row)[0].size + parts(row)[1].size; }
  // The explicit time derivative of the gap, of the tangential displacement or of the bilateral row.
  double w_tilde(int row) const { return w_tilde_[static_cast<std::size_t>(row)]; }
  double& w_tilde(int row) { return w_tilde_[static_cast<std::size_t>(row)]; }

  // W^T u of a row; its velocity, with w_tilde; sum += factor times the row; the row as a whole column.
  double dot(int row, const ConstVecRef& u) const {
    const std::array<RowPart, 2>& of_row = parts(row);
    const double* entry = values(row);
    const double sum = plus_product(0, entry, u.data() + of_row[0].first, of_row[0].size);
    if (of_row[1].size == 0) return sum;
    return plus_product(sum, entry + of_row[0].size, u.data() + of_row[1].first, of_row[1].size);
  }
  double velocity(int row, const ConstVecRef& u) const { return dot(row, u) + w_tilde(row); }
  void add_to(int row, double factor, VecRef sum) const {
    const double* __restrict entry = values(row);
    for (const RowPart& part : parts(row)) {
      double* __restrict of_sum = sum.data() + part.first;
      if (part.size == 3) {
        for (int i = 0; i < 3; ++i) of_sum[i] += factor * entry[i];
      } else {
        for (int i = 0; i < part.size; ++i) of_sum[i] += factor * entry[i];
      }
      entry += part.size;
    }
  }
  void write_column(int row, VecRef column) const;
  // The product of two rows of this store over the velocities that they share.
  double dot(int row, int other) const;
  // Makes row `to` of this store a copy of row `from` of another one.
  void copy_row(const RowStore& other, int from, int to);
  // Makes all of this store a copy of another one.
  void copy(const RowStore& other);

 private:
  std::size_t stride_;
  int count_ = 0;
  std::vector<double> values_, w_tilde_;
  std::vector<std::array<RowPart, 2>> parts_;
};

}  // namespace freeplay::contact

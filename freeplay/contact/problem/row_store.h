// Rows of W, bilateral and of contacts alike, each kept to the velocities of the two trees (or the one) that it acts
// on. For systems of many trees a whole row would be nearly all zeros.
#pragma once

#include <array>
#include <vector>

#include "freeplay/mechanism/system.h"

namespace freeplay::contact {

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
    double sum = 0;
    const double* entry = values(row);
    for (const RowPart& part : parts(row)) {
      const double* of_u = u.data() + part.first;
      for (int i = 0; i < part.size; ++i) sum += *entry++ * of_u[i];
    }
    return sum;
  }
  double velocity(int row, const ConstVecRef& u) const { return dot(row, u) + w_tilde(row); }
  void add_to(int row, double factor, VecRef sum) const {
    const double* entry = values(row);
    for (const RowPart& part : parts(row)) {
      double* of_sum = sum.data() + part.first;
      for (int i = 0; i < part.size; ++i) of_sum[i] += factor * *entry++;
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

#include "freeplay/contact/problem/row_store.h"

#include <algorithm>

namespace freeplay::contact {

RowStore::RowStore(const MassStructure& structure) {
  std::size_t largest = 0, second = 0;
  for (const MassStructure::Block& tree : structure.blocks) {
    const std::size_t size = static_cast<std::size_t>(tree.size);
    if (size > largest) {
      second = largest;
      largest = size;
    } else {
      second = std::max(second, size);
    }
  }
  stride_ = largest + second;
}

void RowStore::reserve(int rows) {
  const std::size_t wanted = static_cast<std::size_t>(rows);
  if (parts_.size() >= wanted) return;
  const std::size_t room = std::max(wanted, 2 * parts_.size());
  values_.resize(room * stride_);
  w_tilde_.resize(room);
  parts_.resize(room);
}

int RowStore::add(double w_tilde) {
  reserve(count_ + 1);
  w_tilde_[static_cast<std::size_t>(count_)] = w_tilde;
  return count_++;
}

void RowStore::write_column(int row, VecRef column) const {
  column.setZero();
  add_to(row, 1, column);
}

double RowStore::dot(int row, int other) const {
  double sum = 0;
  const RowPart &first = parts(row)[0], &first_of_other = parts(other)[0];
  if (parts(row)[1].size == 0 && parts(other)[1].size == 0) {  // one tree, as in most mechanisms
    if (first.first != first_of_other.first || first_of_other.size == 0) return 0;
    const double *a = values(row), *b = values(other);
    for (int i = 0; i < first.size; ++i) sum += a[i] * b[i];
    return sum;
  }
  const auto add_shared = [&](const RowPart& part, const double* of_row, const RowPart& shared,
                              const double* of_other) {
    if (part.first != shared.first || part.size == 0 || shared.size == 0) return;
    for (int i = 0; i < part.size; ++i) sum += of_row[i] * of_other[i];
  };
  const RowPart &second = parts(row)[1], &second_of_other = parts(other)[1];
  const double *a = values(row), *b = values(other);
  add_shared(first, a, first_of_other, b);
  add_shared(first, a, second_of_other, b + first_of_other.size);
  add_shared(second, a + first.size, first_of_other, b);
  add_shared(second, a + first.size, second_of_other, b + first_of_other.size);
  return sum;
}

void RowStore::copy_row(const RowStore& other, int from, int to) {
  parts(to) = other.parts(from);
  w_tilde(to) = other.w_tilde(from);
  std::copy_n(other.values(from), other.entries(from), values(to));
}

void RowStore::copy(const RowStore& other) {
  reserve(other.count_);
  count_ = other.count_;
  const std::size_t count = static_cast<std::size_t>(count_);
  std::copy_n(other.values_.begin(), count * stride_, values_.begin());
  std::copy_n(other.w_tilde_.begin(), count, w_tilde_.begin());
  std::copy_n(other.parts_.begin(), count, parts_.begin());
}

}  // namespace freeplay::contact

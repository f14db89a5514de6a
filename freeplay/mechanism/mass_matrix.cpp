#include "freeplay/mechanism/mass_matrix.h"

#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"

namespace freeplay {

MassStructure MassStructure::from_parents(const std::vector<int>& parent) {
  MassStructure structure;
  structure.parent = parent;
  structure.row.resize(parent.size());
  std::size_t storage = 0;
  const int n = static_cast<int>(parent.size());
  // Velocities are numbered tree by tree, so a block ends where the next root begins.
  for (int first = 0; first < n;) {
    int last = first + 1;
    while (last < n && parent[static_cast<std::size_t>(last)] >= first) ++last;
    const int size = last - first;
    structure.blocks.push_back({first, size, storage});
    for (int k = 0; k < size; ++k) {
      // Unsigned wrap-around is intended: row[k] + j is in range for every j of the block.
      structure.row[static_cast<std::size_t>(first + k)] =
          storage + static_cast<std::size_t>(k) * static_cast<std::size_t>(size) - static_cast<std::size_t>(first);
    }
    storage += static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    first = last;
  }
  return structure;
}

MassStructure MassStructure::dense(int size) {
  std::vector<int> parent(static_cast<std::size_t>(size));
  for (int k = 0; k < size; ++k) parent[static_cast<std::size_t>(k)] = k - 1;
  return from_parents(parent);
}

int MassStructure::depth() const {
  int deepest = 0;
  for (int k = 0; k < size(); ++k) {
    int count = 0;
    for (int j = k; j >= 0; j = parent[static_cast<std::size_t>(j)]) ++count;
    deepest = std::max(deepest, count);
  }
  return deepest;
}

MassMatrix::MassMatrix(const MassStructure& structure) : structure_(structure) {
  std::size_t total = 0;
  for (const MassStructure::Block& block : structure_.blocks) {
    total += static_cast<std::size_t>(block.size) * static_cast<std::size_t>(block.size);
  }
  values_.assign(total, 0.0);
  inverse_diagonal_.assign(structure_.parent.size(), 0.0);
}

void MassMatrix::multiply(const ConstVecRef& x, VecRef y) const {
  y.setZero();
  for (int k = 0; k < size(); ++k) {
    y[k] += at(k, k) * x[k];
    for (int j = structure_.parent[static_cast<std::size_t>(k)]; j >= 0;
         j = structure_.parent[static_cast<std::size_t>(j)]) {
      y[k] += at(k, j) * x[j];
      y[j] += at(k, j) * x[k];
    }
  }
}

MatX MassMatrix::to_dense() const {
  MatX dense = MatX::Zero(size(), size());
  for (int k = 0; k < size(); ++k) {
    for (int j = k; j >= 0; j = structure_.parent[static_cast<std::size_t>(j)]) dense(k, j) = dense(j, k) = at(k, j);
  }
  return dense;
}

bool MassMatrix::factor() {
  const int* parent = structure_.parent.data();
  for (int k = size() - 1; k >= 0; --k) {
    double* row_k = row(k);
    if (!(row_k[k] > 0)) return false;
    // The root and the reciprocal do not wait for each other: this loop is one long chain of dependent operations.
    const double diagonal = std::sqrt(row_k[k]), inverse = diagonal * (1 / row_k[k]);
    row_k[k] = diagonal;
    inverse_diagonal_[static_cast<std::size_t>(k)] = inverse;
    for (int i = parent[k]; i >= 0; i = parent[i]) row_k[i] *= inverse;
    for (int i = parent[k]; i >= 0; i = parent[i]) {
      double* row_i = row(i);
      const double L_ki = row_k[i];
      for (int j = i; j >= 0; j = parent[j]) row_i[j] -= L_ki * row_k[j];
    }
  }
  return true;
}

void MassMatrix::solve_in_place(VecRef x) const {
  half_solve_in_place(x);
  finish_solve_in_place(x);
}

void MassMatrix::half_solve_in_place(VecRef x) const {
  const int* parent = structure_.parent.data();
  for (int k = size() - 1; k >= 0; --k) {
    if (x[k] == 0) continue;  // a Jacobian row touches few trees
    const double* row_k = row(k);
    const double value = x[k] * inverse_diagonal_[static_cast<std::size_t>(k)];
    for (int i = parent[k]; i >= 0; i = parent[i]) x[i] -= row_k[i] * value;
    x[k] = value;
  }
}

void MassMatrix::finish_solve_in_place(VecRef x) const {
  const int* parent = structure_.parent.data();
  for (int k = 0; k < size(); ++k) {
    const double* row_k = row(k);
    double value = x[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) value -= row_k[i] * x[i];
    x[k] = value * inverse_diagonal_[static_cast<std::size_t>(k)];
  }
}

}  // namespace freeplay

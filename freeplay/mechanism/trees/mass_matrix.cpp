#include "freeplay/mechanism/trees/mass_matrix.h"

#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"

namespace freeplay::mechanism {

namespace {

// Velocities `first` to `last` - 1 are one tree; parents are counted from 0.
int depth_of(const std::vector<int>& parent, int first, int last) {
  int deepest = 0;
  std::vector<int> depth(static_cast<std::size_t>(last - first));
  for (int k = first; k < last; ++k) {
    const int above = parent[static_cast<std::size_t>(k)];
    depth[static_cast<std::size_t>(k - first)] = above < 0 ? 1 : depth[static_cast<std::size_t>(above - first)] + 1;
    deepest = std::max(deepest, depth[static_cast<std::size_t>(k - first)]);
  }
  return deepest;
}

// Places of the velocities of one tree, as a pass towards the root needs them: a velocity takes over the place of the
// last of its children, and those of the others are free once it is reached. False if there are too many branches.
bool assign_places(const std::vector<int>& parent, int first, int last, std::vector<int>& place) {
  std::vector<int> unused;
  for (int p = kMostBranches - 1; p >= 0; --p) unused.push_back(p);
  std::fill(place.begin() + first, place.begin() + last, -1);
  for (int k = last - 1; k >= first; --k) {
    int& own = place[static_cast<std::size_t>(k)];
    if (own < 0) {  // a leaf
      if (unused.empty()) return false;
      own = unused.back();
      unused.pop_back();
    }
    if (parent[static_cast<std::size_t>(k)] < 0) continue;
    int& of_parent = place[static_cast<std::size_t>(parent[static_cast<std::size_t>(k)])];
    if (of_parent < 0)
      of_parent = own;
    else
      unused.push_back(own);
  }
  return true;
}

}  // namespace

MassStructure MassStructure::from_parents(const std::vector<int>& parent, DeepTrees deep,
                                          const std::vector<std::pair<int, int>>& together) {
  MassStructure structure;
  if (deep != DeepTrees::kNone) structure.place.resize(parent.size());
  structure.parent = parent;
  structure.row.resize(parent.size());
  std::size_t storage = 0;
  const int n = static_cast<int>(parent.size());
  // Velocities are numbered tree by tree, so a block ends where the next root begins.
  for (int first = 0; first < n;) {
    int last = first + 1;
    const auto is_tied = [&](int k) {
      return std::any_of(together.begin(), together.end(),
                         [k](const std::pair<int, int>& range) { return range.first < k && k <= range.second; });
    };
    bool has_one_root = true;
    for (; last < n; ++last) {
      if (parent[static_cast<std::size_t>(last)] >= first) continue;
      if (!is_tied(last)) break;
      has_one_root = false;
    }
    const int size = last - first;
    const bool is_chain_of_three =
        size == 3 && has_one_root && parent[static_cast<std::size_t>(first + 2)] == first + 1;
    structure.block_of.insert(structure.block_of.end(), static_cast<std::size_t>(size),
                              static_cast<int>(structure.blocks.size()));
    const bool is_deep = deep != DeepTrees::kNone && has_one_root && depth_of(parent, first, last) > kDeep &&
                         assign_places(parent, first, last, structure.place);
    structure.blocks.push_back({first, size, storage, is_chain_of_three, is_deep});
    if (is_deep) {
      structure.deep = deep;
      first = last;
      continue;
    }
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
  return depth_of(parent, 0, size());
}

MassMatrix::MassMatrix(const MassStructure& structure) : structure_(structure) {
  std::size_t total = 0;
  for (const MassStructure::Block& block : structure_.blocks) {
    if (!block.is_deep) total += static_cast<std::size_t>(block.size) * static_cast<std::size_t>(block.size);
  }
  values_.assign(total, 0.0);
  inverse_diagonal_.assign(structure_.parent.size(), 0.0);
  if (structure_.deep == DeepTrees::kPlanar) deep_.emplace<DeepMass<PlanarAlgebra>>(structure_.parent.size());
  if (structure_.deep == DeepTrees::kSpatial) deep_.emplace<DeepMass<SpatialAlgebra>>(structure_.parent.size());
}

template <class Visit>
void MassMatrix::with_deep(Visit&& visit) const {
  if (const auto* planar = std::get_if<DeepMass<PlanarAlgebra>>(&deep_)) visit(*planar);
  if (const auto* spatial = std::get_if<DeepMass<SpatialAlgebra>>(&deep_)) visit(*spatial);
}

void MassMatrix::multiply(const ConstVecRef& x, VecRef y) const {
  y.setZero();
  for (const MassStructure::Block& block : structure_.blocks) {
    const int end = block.first + block.size;
    if (block.is_deep) {
      with_deep([&](const auto& deep) {
        deep.multiply(structure_.parent, structure_.place, block.first, end, x.data() + block.first,
                      y.data() + block.first);
      });
      continue;
    }
    for (int k = block.first; k < end; ++k) {
      y[k] += at(k, k) * x[k];
      for (int j = structure_.parent[static_cast<std::size_t>(k)]; j >= 0;
           j = structure_.parent[static_cast<std::size_t>(j)]) {
        y[k] += at(k, j) * x[j];
        y[j] += at(k, j) * x[k];
      }
    }
  }
}

void MassMatrix::write_dense(Eigen::Ref<MatX> dense) const {
  dense.setZero();
  with_deep([&](const auto& deep) {
    for (int k = 0; k < size(); ++k) {
      if (!structure_.blocks[static_cast<std::size_t>(structure_.block_of[static_cast<std::size_t>(k)])].is_deep)
        continue;
      auto force = deep.F[static_cast<std::size_t>(k)];
      for (int j = k; j >= 0; j = structure_.parent[static_cast<std::size_t>(j)]) {
        dense(k, j) = dense(j, k) = deep.product(static_cast<std::size_t>(j), force);
        force = deep.towards_root(static_cast<std::size_t>(j), force);
      }
    }
  });
  for (int k = 0; k < size(); ++k) {
    if (structure_.blocks[static_cast<std::size_t>(structure_.block_of[static_cast<std::size_t>(k)])].is_deep) continue;
    for (int j = k; j >= 0; j = structure_.parent[static_cast<std::size_t>(j)]) dense(k, j) = dense(j, k) = at(k, j);
  }
}

MatX MassMatrix::to_dense() const {
  MatX dense(size(), size());
  write_dense(dense);
  return dense;
}

namespace {

// Three velocities one after the other, a free body in the plane or a short chain, are the most frequent block of
// planar mechanisms. Written out, without the ways to the root, they take a third of the time and give the same bits as
// the loops below. m: rows of three, lower triangle.
bool factor_three(double* m, double* inverse) {
  if (!(m[8] > 0)) return false;
  const double d2 = std::sqrt(m[8]), i2 = d2 * (1 / m[8]);
  const double m7 = m[7] * i2, m6 = m[6] * i2;
  const double m4 = m[4] - m7 * m7;
  if (!(m4 > 0)) return false;
  const double d1 = std::sqrt(m4), i1 = d1 * (1 / m4);
  const double m3 = (m[3] - m7 * m6) * i1;
  const double m0 = m[0] - m6 * m6 - m3 * m3;
  if (!(m0 > 0)) return false;
  const double d0 = std::sqrt(m0), i0 = d0 * (1 / m0);
  m[0] = d0, m[3] = m3, m[4] = d1, m[6] = m6, m[7] = m7, m[8] = d2;
  inverse[0] = i0, inverse[1] = i1, inverse[2] = i2;
  return true;
}

void half_solve_three(const double* m, const double* inverse, double* x) {
  if (x[0] == 0 && x[1] == 0 && x[2] == 0) return;  // a Jacobian row touches few trees
  const double x2 = x[2] * inverse[2];
  const double x1 = (x[1] - m[7] * x2) * inverse[1];
  x[0] = (x[0] - m[6] * x2 - m[3] * x1) * inverse[0];
  x[1] = x1;
  x[2] = x2;
}

void finish_solve_three(const double* m, const double* inverse, double* x) {
  const double x0 = x[0] * inverse[0];
  const double x1 = (x[1] - m[3] * x0) * inverse[1];
  x[2] = (x[2] - m[7] * x1 - m[6] * x0) * inverse[2];
  x[1] = x1;
  x[0] = x0;
}

// The same for the six velocities of a free body in space. The loops have fixed bounds and no ways to the root, in the
// order of the general ones below: the same bits in a third of the time.
constexpr int kSix = 6;

bool is_chain_of_six(const MassStructure& structure, const MassStructure::Block& block) {
  if (block.size != kSix || block.is_deep) return false;
  const int* parent = structure.parent.data() + block.first;
  for (int k = 1; k < kSix; ++k) {
    if (parent[k] != block.first + k - 1) return false;
  }
  return true;
}

bool factor_six(double* m, double* inverse) {
  for (int k = kSix - 1; k >= 0; --k) {
    double* row_k = m + kSix * k;
    if (!(row_k[k] > 0)) return false;
    const double diagonal = std::sqrt(row_k[k]), reciprocal = diagonal * (1 / row_k[k]);
    row_k[k] = diagonal;
    inverse[k] = reciprocal;
    // Nothing beside the diagonal, as where the axes of a part are its principal ones.
    if (std::all_of(row_k, row_k + k, [](double entry) { return entry == 0; })) continue;
    double L_k[kSix];
    for (int i = 0; i < k; ++i) row_k[i] = L_k[i] = row_k[i] * reciprocal;
    for (int i = k - 1; i >= 0; --i) {
      double* row_i = m + kSix * i;
      for (int j = 0; j <= i; ++j) row_i[j] -= L_k[i] * L_k[j];
    }
  }
  return true;
}

void half_solve_six(const double* m, const double* inverse, double* to) {
  double x[kSix];
  std::copy_n(to, kSix, x);
  for (int k = kSix - 1; k >= 0; --k) {
    const double value = x[k] * inverse[k];
    for (int i = 0; i < k; ++i) x[i] -= m[kSix * k + i] * value;
    x[k] = value;
  }
  std::copy_n(x, kSix, to);
}

void finish_solve_six(const double* m, const double* inverse, double* to) {
  double x[kSix];
  for (int k = 0; k < kSix; ++k) {
    double value = to[k];
    for (int i = k - 1; i >= 0; --i) value -= m[kSix * k + i] * x[i];
    x[k] = value * inverse[k];
  }
  std::copy_n(x, kSix, to);
}

}  // namespace

bool MassMatrix::factor() {
  for (const MassStructure::Block& block : structure_.blocks) {
    if (block.is_deep) {
      if (!factor_deep(block)) return false;
      continue;
    }
    double* inverse = inverse_diagonal_.data() + block.first;
    double* values = values_.data() + block.storage;
    const bool is_positive = block.is_chain_of_three              ? factor_three(values, inverse)
                             : is_chain_of_six(structure_, block) ? factor_six(values, inverse)
                                                                  : factor(block);
    if (!is_positive) return false;
  }
  return true;
}

// The articulated inertias are those of M already; here they are only judged.
bool MassMatrix::factor_deep(const MassStructure::Block& block) {
  bool is_positive = true;
  with_deep([&](const auto& deep) {
    for (int k = block.first; k < block.first + block.size; ++k)
      is_positive = is_positive && deep.D[static_cast<std::size_t>(k)] > 0;
  });
  return is_positive;
}

bool MassMatrix::factor(const MassStructure::Block& block) {
  const int* parent = structure_.parent.data();
  for (int k = block.first + block.size - 1; k >= block.first; --k) {
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
  if (structure_.blocks.size() == 1 &&
      structure_.blocks[0].is_chain_of_three) {  // a small mechanism asks in every step
    half_solve_three(values_.data(), inverse_diagonal_.data(), x.data());
    finish_solve_three(values_.data(), inverse_diagonal_.data(), x.data());
    return;
  }
  half_solve_in_place(x);
  finish_solve_in_place(x);
}

void MassMatrix::half_solve_in_place(VecRef x) const {
  for (const MassStructure::Block& block : structure_.blocks) half_solve_in_place(block, x.data() + block.first);
}

void MassMatrix::half_solve_in_place(const MassStructure::Block& block, double* x) const {
  if (block.is_chain_of_three) {
    half_solve_three(values_.data() + block.storage, inverse_diagonal_.data() + block.first, x);
    return;
  }
  if (is_chain_of_six(structure_, block)) {
    half_solve_six(values_.data() + block.storage, inverse_diagonal_.data() + block.first, x);
    return;
  }
  if (block.is_deep) {
    with_deep([&](const auto& deep) {
      deep.half_solve(structure_.parent, structure_.place, block.first, block.first + block.size, x);
    });
    return;
  }
  const int* parent = structure_.parent.data();
  const int first = block.first;
  for (int k = first + block.size - 1; k >= first; --k) {
    if (x[k - first] == 0) continue;  // a Jacobian row touches few trees
    const double* row_k = row(k);
    const double value = x[k - first] * inverse_diagonal_[static_cast<std::size_t>(k)];
    for (int i = parent[k]; i >= 0; i = parent[i]) x[i - first] -= row_k[i] * value;
    x[k - first] = value;
  }
}

void MassMatrix::finish_solve_in_place(VecRef x) const {
  const int* parent = structure_.parent.data();
  for (const MassStructure::Block& block : structure_.blocks) {
    if (block.is_chain_of_three) {
      finish_solve_three(values_.data() + block.storage, inverse_diagonal_.data() + block.first,
                         x.data() + block.first);
      continue;
    }
    if (is_chain_of_six(structure_, block)) {
      finish_solve_six(values_.data() + block.storage, inverse_diagonal_.data() + block.first, x.data() + block.first);
      continue;
    }
    if (block.is_deep) {
      with_deep([&](const auto& deep) {
        deep.finish_solve(structure_.parent, structure_.place, block.first, block.first + block.size,
                          x.data() + block.first);
      });
      continue;
    }
    for (int k = block.first; k < block.first + block.size; ++k) {
      const double* row_k = row(k);
      double value = x[k];
      for (int i = parent[k]; i >= 0; i = parent[i]) value -= row_k[i] * x[i];
      x[k] = value * inverse_diagonal_[static_cast<std::size_t>(k)];
    }
  }
}

}  // namespace freeplay::mechanism

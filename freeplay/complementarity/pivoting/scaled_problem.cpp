#include "freeplay/complementarity/pivoting/scaled_problem.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "freeplay/core/error.h"

namespace freeplay::complementarity {
namespace {

RowKind kind_of(const ImpulseBlock& block) {
  if (block.set == ImpulseSet::kFree) return RowKind::kFree;
  if (block.set == ImpulseSet::kNonNegative) return RowKind::kNonNegative;
  const bool has_lower = std::isfinite(block.lo0), has_upper = std::isfinite(block.hi0);
  if (has_lower && has_upper) {
    const bool same = block.lo0 == block.hi0 && (block.lo1 == block.hi1 || block.normal_row < 0);
    return same ? RowKind::kFixed : RowKind::kBetween;
  }
  return has_lower ? RowKind::kBelow : has_upper ? RowKind::kAbove : RowKind::kFree;
}

constexpr int kMostKeptRows = 48;  // as many as pivoting is used for by default

constexpr int kExponentBias = 1023, kMantissaBits = 52;

// ilogb and ldexp of normal numbers, which norms of contacts are; calls of the library cost more than all the rest.
int exponent_of(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> kMantissaBits) - kExponentBias;
}
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(kExponentBias + exponent) << kMantissaBits);
}

}  // namespace

bool ScaledProblem::takes(const LocalProblem& problem, int largest) {
  if (!problem.G.has_entries() || problem.size() > 4 * largest + 1000) return false;  // arrays are dense over all rows
  int count = 0;
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kDisc) return false;
    if (block.set != ImpulseSet::kFree) count += block.size;
  }
  return count <= largest;
}

void ScaledProblem::reserve(int n) {
  const std::size_t count = static_cast<std::size_t>(n);
  if (rows.size() >= count) return;
  H.resize(count * count);
  h.resize(count);
  rows.resize(count);
  scales_.resize(count);
  sizes_.resize(count);
  groups_.reserve(n);
  const std::size_t kept = std::min<std::size_t>(count, kMostKeptRows);
  kept_.resize(kept * kept);
  kept_blocks_.reserve(kept);
}

// Of a dense matrix: where small problems spend their time, in loops that the compiler vectorises.
void ScaledProblem::write_column(const double* column, int j) {
  double* __restrict scaled = H.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(size);
  double* __restrict sizes = sizes_.data();
  const double* scales = scales_.data();
  const double scale_j = scales[j];
  for (int i = 0; i < size; ++i) {
    const double value = scales[i] * column[i] * scale_j;
    scaled[i] = value;
    sizes[i] += std::abs(value);
  }
}

void ScaledProblem::set_scale(ScaledRow& row, double norm, bool unit_scale) {
  row.norm = norm > 0 && std::isfinite(norm) ? norm : 1;
  const int exponent = unit_scale ? 0 : exponent_of(row.norm) / 2;
  row.scale = power_of_two(-exponent);
  row.inverse_scale = power_of_two(exponent);
}

void ScaledProblem::scale_row(const LocalProblem& problem, int b, int r, bool unit_scale) {
  const ImpulseBlock& block = problem.blocks[b];
  ScaledRow& row = rows[r];
  row.kind = kind_of(block);
  row.normal = block.set == ImpulseSet::kInterval ? block.normal_row : -1;
  if (row.normal >= 0) {
    const ScaledRow& normal = rows[row.normal];
    FREEPLAY_ASSERT(row.normal < r && normal.kind == RowKind::kNonNegative);
    row.norm = normal.norm;  // one scale for the whole contact
    row.scale = normal.scale;
    row.inverse_scale = normal.inverse_scale;
  } else if (block.size > 1) {
    set_scale(row, std::abs(problem.G.entry(r, r)), unit_scale);
  } else {
    set_scale(row, stand_together_ ? contact_norm(problem, b) : contact_norm(problem, groups_, b), unit_scale);
  }
}

// False if a bound is not a number.
bool ScaledProblem::write_bounds(const ImpulseBlock& block, ScaledRow& row) const {
  row.lo0 = row.lo1 = row.hi0 = row.hi1 = 0;
  if (block.set != ImpulseSet::kInterval) return true;
  row.lo0 = block.lo0 * row.inverse_scale;
  row.hi0 = block.hi0 * row.inverse_scale;
  if (row.normal >= 0) {
    row.lo1 = block.lo1;
    row.hi1 = block.hi1;
  }
  return !std::isnan(row.lo0 + row.lo1) && !std::isnan(row.hi0 + row.hi1);
}

// To compare entries costs a tenth of what scaling them costs, and where the matrix is another one the first of them
// mostly say so.
bool ScaledProblem::is_known(const LocalProblem& problem, bool unit_scale) const {
  const int n = problem.size();
  if (n != kept_size_ || unit_scale != kept_unit_scale_ || problem.blocks.size() != kept_blocks_.size()) return false;
  if (!problem.G.is_dense()) return false;
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(double);
  for (int j = 0; j < n; ++j) {
    if (std::memcmp(problem.G.column(j), kept_.data() + j * n, bytes) != 0) return false;
  }
  for (std::size_t b = 0; b < kept_blocks_.size(); ++b) {
    const ImpulseBlock& block = problem.blocks[b];
    if (kept_blocks_[b] != BlockShape{block.set, block.row, block.size, block.normal_row}) return false;
  }
  return true;
}

void ScaledProblem::keep(const LocalProblem& problem, bool unit_scale) {
  const int n = problem.size();
  kept_size_ = -1;
  if (!problem.G.is_dense() || n > kMostKeptRows) return;
  const std::size_t count = static_cast<std::size_t>(n);
  if (kept_.size() < count * count) kept_.resize(count * count);
  for (int j = 0; j < n; ++j) std::copy_n(problem.G.column(j), n, kept_.data() + j * n);
  kept_blocks_.clear();
  for (const ImpulseBlock& block : problem.blocks)
    kept_blocks_.push_back({block.set, block.row, block.size, block.normal_row});
  kept_size_ = n;
  kept_unit_scale_ = unit_scale;
}

// Scales and H. False if an entry is not finite.
bool ScaledProblem::write_matrix(const LocalProblem& problem, bool unit_scale) {
  const int n = problem.size();
  stand_together_ = contacts_stand_together(problem.blocks);
  if (!stand_together_) groups_.assign(problem.blocks);
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    const ImpulseBlock& block = problem.blocks[b];
    FREEPLAY_ASSERT(block.set == ImpulseSet::kFree || block.size == 1);
    for (int k = 0; k < block.size; ++k) scale_row(problem, b, block.row + k, unit_scale);
  }
  for (int i = 0; i < n; ++i) {
    scales_[i] = rows[i].scale;
    sizes_[i] = 0;
  }
  for (int j = 0; j < n; ++j) {
    if (problem.G.is_dense()) {
      write_column(problem.G.column(j), j);
      continue;
    }
    for (int i = 0; i < n; ++i) {
      const double value = scales_[i] * problem.G.entry(i, j) * scales_[j];
      H[i + j * n] = value;
      sizes_[i] += std::abs(value);
    }
  }
  double sum = 0;  // NaN or infinite as soon as one entry is
  for (int i = 0; i < n; ++i) sum += sizes_[i];
  return std::isfinite(sum);
}

// Bounds and h, with the scales that are there.
bool ScaledProblem::write_rows(const LocalProblem& problem) {
  for (const ImpulseBlock& block : problem.blocks) {
    for (int k = 0; k < block.size; ++k) {
      ScaledRow& row = rows[block.row + k];
      row.kind = kind_of(block);
      if (!write_bounds(block, row)) return false;
    }
  }
  double sum = 0;
  for (int j = 0; j < size; ++j) {
    h[j] = scales_[j] * problem.c[j];
    sum += std::abs(h[j]);
  }
  return std::isfinite(sum);
}

bool ScaledProblem::assign(const LocalProblem& problem, bool unit_scale) {
  const int n = problem.size();
  reserve(n);
  size = n;
  has_same_matrix_ = is_known(problem, unit_scale);
  if (!has_same_matrix_) {
    kept_size_ = -1;
    if (!write_matrix(problem, unit_scale)) return false;
    keep(problem, unit_scale);
  }
  return write_rows(problem);
}

}  // namespace freeplay::complementarity

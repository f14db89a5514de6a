#include "freeplay/complementarity/pivoting/scaled_problem.h"

#include <cmath>

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
}

// Of a dense matrix: where small problems spend their time, in loops that the compiler vectorises.
void ScaledProblem::write_column(const double* column, int j) {
  double* __restrict scaled = H.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(size);
  const double* scales = scales_.data();
  const double scale_j = scales[j];
  for (int i = 0; i < size; ++i) scaled[i] = scales[i] * column[i] * scale_j;
}

bool ScaledProblem::assign(const LocalProblem& problem, bool unit_scale) {
  const int n = problem.size();
  reserve(n);
  size = n;
  groups_.assign(problem.blocks);
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    const ImpulseBlock& block = problem.blocks[b];
    FREEPLAY_ASSERT(block.set == ImpulseSet::kFree || block.size == 1);
    for (int k = 0; k < block.size; ++k) {
      const int r = block.row + k;
      ScaledRow& row = rows[r];
      row.kind = kind_of(block);
      row.normal = block.set == ImpulseSet::kInterval ? block.normal_row : -1;
      if (row.normal >= 0) {
        FREEPLAY_ASSERT(row.normal < r && rows[row.normal].kind == RowKind::kNonNegative);
        row.norm = rows[row.normal].norm;  // one scale for the whole contact
        row.scale = rows[row.normal].scale;
      } else {
        row.norm = block.size == 1 ? contact_norm(problem, groups_, b) : std::abs(problem.G.entry(r, r));
        if (!(row.norm > 0) || !std::isfinite(row.norm)) row.norm = 1;
        row.scale = unit_scale ? 1 : std::ldexp(1.0, -(std::ilogb(row.norm) / 2));
      }
      if (block.set == ImpulseSet::kInterval) {
        row.lo0 = block.lo0 / row.scale;
        row.hi0 = block.hi0 / row.scale;
        row.lo1 = row.normal >= 0 ? block.lo1 : 0;
        row.hi1 = row.normal >= 0 ? block.hi1 : 0;
        if (std::isnan(row.lo0 + row.lo1) || std::isnan(row.hi0 + row.hi1)) return false;
      } else {
        row.lo0 = row.lo1 = row.hi0 = row.hi1 = 0;
      }
    }
  }
  for (int i = 0; i < n; ++i) {
    scales_[i] = rows[i].scale;
    sizes_[i] = 0;
  }
  for (int j = 0; j < n; ++j) {
    if (problem.G.is_dense())
      write_column(problem.G.column(j), j);
    else
      for (int i = 0; i < n; ++i) H[i + j * n] = scales_[i] * problem.G.entry(i, j) * scales_[j];
    h[j] = scales_[j] * problem.c[j];
  }
  double sum = 0;  // NaN or infinite as soon as one entry is
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) sizes_[i] += std::abs(H[i + j * n]);
    sum += std::abs(h[j]);
  }
  for (int i = 0; i < n; ++i) sum += sizes_[i];
  return std::isfinite(sum);
}

}  // namespace freeplay::complementarity

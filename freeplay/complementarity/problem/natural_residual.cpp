#include "freeplay/complementarity/problem/natural_residual.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/complementarity/problem/cut_disc.h"
#include "freeplay/complementarity/problem/row_factors.h"
#include "freeplay/core/error.h"

namespace freeplay::complementarity {
namespace {

constexpr int kChunk = 128;           // rows of G Lambda that are held on the stack at a time
constexpr double kDiagonal = 1e-13;   // of the largest entry of a block: what is beside the diagonal is rounding
constexpr int kMaxRowsOfContact = 8;  // normal, tangents, rolling, drilling

// The rows of one contact, its head's first.
struct RowsOfContact {
  int row[kMaxRowsOfContact];
  int count = 0;

  void add(const ImpulseBlock& block) {
    FREEPLAY_ASSERT(count + block.size <= kMaxRowsOfContact);
    for (int k = 0; k < block.size; ++k) row[count++] = block.row + k;
  }
};

RowsOfContact rows_standing_together(std::span<const ImpulseBlock> blocks, int head) {
  RowsOfContact rows;
  rows.add(blocks[head]);
  for (std::size_t b = static_cast<std::size_t>(head) + 1; b < blocks.size(); ++b) {
    if (blocks[b].normal_row < 0 || blocks[b].normal_row != blocks[head].row) break;
    rows.add(blocks[b]);
  }
  return rows;
}

RowsOfContact rows_of_group(std::span<const ImpulseBlock> blocks, int head, std::span<const int> bound) {
  RowsOfContact rows;
  rows.add(blocks[head]);
  for (const int b : bound) rows.add(blocks[b]);
  return rows;
}

// Largest singular value of a symmetric 2 x 2 matrix (a b; b d).
double symmetric_norm(double a, double b, double d) {
  return 0.5 * (std::abs(a + d) + std::sqrt((a - d) * (a - d) + (b + b) * (b + b)));
}

bool is_usable(double norm) {
  return norm >= std::numeric_limits<double>::min() && norm <= std::numeric_limits<double>::max();
}

// A planar contact, whose two rows stand one behind the other in a dense and symmetric G, is what small problems
// consist of: the general way takes five times as long, twice per contact and solve. Negative: take that one.
double norm_of_planar_contact(const LocalProblem& problem, const RowsOfContact& contact) {
  if (!problem.G.is_dense() || contact.count > 2) return -1;
  const int row = contact.row[0];
  const double* column = problem.G.column(row) + row;
  double norm = std::abs(column[0]);
  if (contact.count == 2) {
    if (contact.row[1] != row + 1) return -1;
    const double* next = problem.G.column(row + 1) + row;
    if (column[1] != next[0]) return -1;
    norm = symmetric_norm(column[0], column[1], next[1]);
  }
  return is_usable(norm) ? norm : -1;
}

double norm_of_any_contact(const LocalProblem& problem, const RowsOfContact& contact) {
  const int* rows = contact.row;
  const int count = contact.count;
  double G[kMaxRowsOfContact * kMaxRowsOfContact];
  if (problem.G.is_dense()) {  // as nearly all small problems are; this is where they spend their time
    for (int j = 0; j < count; ++j) {
      const double* column = problem.G.column(rows[j]);
      for (int i = 0; i < count; ++i) G[i + j * count] = column[rows[i]];
    }
  } else {
    problem.G.diagonal_block({rows, static_cast<std::size_t>(count)}, G);
  }
  double norm = 0;
  if (count == 1) {
    norm = std::abs(G[0]);
  } else if (count == 2) {
    // Largest singular value of a 2 x 2 matrix: (|(a + d, b - c)| + |(a - d, b + c)|) / 2.
    // The first root is |a + d| where G is symmetric, as it nearly always is; roots are slow.
    const double a = G[0], b = G[2], c = G[1], d = G[3];
    norm = b == c ? symmetric_norm(a, b, d)
                  : 0.5 * (std::sqrt((a + d) * (a + d) + (b - c) * (b - c)) +
                           std::sqrt((a - d) * (a - d) + (b + c) * (b + c)));
  } else if (count == 3) {
    Mat3 block = Eigen::Map<const Mat3>(G);
    const double size = block.cwiseAbs().maxCoeff();
    const Vec3 diagonal = block.diagonal();
    block.diagonal().setZero();
    const double beside = block.cwiseAbs().maxCoeff();
    block.diagonal() = diagonal;
    if (beside <= kDiagonal * size) {  // as of spheres
      norm = size;
    } else if (size > 0 && std::isfinite(size)) {
      block /= size;
      const Mat3 square = block.transpose() * block;
      Eigen::SelfAdjointEigenSolver<Mat3> eigen;
      eigen.computeDirect(square, Eigen::EigenvaluesOnly);
      norm = size * std::sqrt(std::max(0.0, eigen.eigenvalues()[2]));
    }
  } else {
    for (int k = 0; k < count * count; ++k) norm += G[k] * G[k];
    norm = std::sqrt(norm);
  }
  if (is_usable(norm)) return norm;
  if (!problem.G.has_entries()) return 1;
  norm = 0;
  for (int i = 0; i < count; ++i) {
    problem.G.for_each_in_row(rows[i], [&](int, double value) { norm = std::max(norm, std::abs(value)); });
  }
  return is_usable(norm) ? norm : 1;
}

double norm_of(const LocalProblem& problem, const RowsOfContact& contact) {
  const double norm = norm_of_planar_contact(problem, contact);
  return norm > 0 ? norm : norm_of_any_contact(problem, contact);
}

// G Lambda of a matrix that has no columns to run along; the room is kept for the next call.
const double* apply_to_scratch(const LocalOperator& G, const ConstVecRef& Lambda) {
  thread_local VecX product;
  if (product.size() < Lambda.size()) product.resize(Lambda.size());
  G.apply(Lambda, product.head(Lambda.size()));
  return product.data();
}

// With impulses times norm, so that they are velocities. Only the components that the set bounds are taken from the
// impulses: elsewhere e is xi itself, with all its digits.
double disc_residual(const CutDisc& disc, const Vec2& impulse, const Vec2& xi) {
  if (disc.is_empty()) {
    const Vec2 middle = std::max(0.0, (disc.radius + std::max(disc.cut, 0.0)) / 2) * disc.direction;
    return std::max(-disc.radius, disc.cut - disc.radius) + (impulse - middle).norm();
  }
  const NearestInDisc nearest = nearest_in_disc(disc, impulse - xi);
  Vec2 e = impulse - nearest.x;
  if (nearest.part == DiscPart::kInside) e = xi;
  if (nearest.part == DiscPart::kChord) {
    e = (impulse.dot(disc.direction) - disc.cut) * disc.direction + xi.dot(disc.across()) * disc.across();
  }
  return length_of(e);
}

// Of contacts that do not stand together; the room is kept for the next call.
const ContactGroups& group_contacts(std::span<const ImpulseBlock> blocks) {
  thread_local ContactGroups groups;
  groups.assign(blocks);
  return groups;
}

}  // namespace

bool contacts_stand_together(std::span<const ImpulseBlock> blocks) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int normal_row = blocks[b].normal_row;
    if (normal_row < 0) continue;
    if (b == 0 || (blocks[b - 1].row != normal_row && blocks[b - 1].normal_row != normal_row)) return false;
  }
  return true;
}

// Written with 1/rho = |G_ii|: for an interval  e = clamp(xi, (Lambda - hi)/rho, (Lambda - lo)/rho)  is the same as
// (Lambda - prox(Lambda - rho xi))/rho, but loses no digits where Lambda is much larger than rho xi.
double block_residual(const ImpulseBlock& block, double norm, double Lambda_N, const double* Lambda, const double* xi) {
  for (int k = 0; k < block.size; ++k) {
    if (!std::isfinite(Lambda[k]) || !std::isfinite(xi[k])) return kInfinity;
  }
  const double bound_N = std::max(0.0, Lambda_N);
  switch (block.set) {
    case ImpulseSet::kFree: {
      double e = 0;
      for (int k = 0; k < block.size; ++k) e = std::max(e, std::abs(xi[k]));
      return e;
    }
    case ImpulseSet::kNonNegative:
      return std::abs(std::min(norm * Lambda[0], xi[0]));
    case ImpulseSet::kInterval: {
      const double lo = block.lo0 + block.lo1 * bound_N, hi = block.hi0 + block.hi1 * bound_N;
      if (std::isnan(lo) || std::isnan(hi)) return kInfinity;
      const double missing = norm * (lo - hi);
      if (missing > 0) return missing + std::abs(norm * (Lambda[0] - 0.5 * (lo + hi)));
      const double e = std::max(norm * (Lambda[0] - hi), std::min(norm * (Lambda[0] - lo), xi[0]));
      return std::isnan(e) ? kInfinity : std::abs(e);
    }
    case ImpulseSet::kDisc: {
      const CutDisc disc{norm * (block.r0 + block.mu * bound_N), norm * block.cut,
                         Vec2(block.direction[0], block.direction[1])};
      if (std::isnan(disc.radius + disc.direction.sum()) || std::isnan(disc.cut)) return kInfinity;
      return disc_residual(disc, Vec2(norm * Lambda[0], norm * Lambda[1]), Vec2(xi[0], xi[1]));
    }
  }
  return kInfinity;
}

double contact_norm(const LocalProblem& problem, int head) {
  return norm_of(problem, rows_standing_together(problem.blocks, head));
}

double contact_norm(const LocalProblem& problem, const ContactGroups& groups, int head) {
  return norm_of(problem, rows_of_group(problem.blocks, head, groups.bound_to(head)));
}

namespace {

// Of a contact of three rows whose block of G is known, where nothing stands beside its diagonal, as of spheres.
// Negative: take the general way.
double norm_of_kept(const double* block) {
  const double beside = std::max({std::abs(block[1]), std::abs(block[2]), std::abs(block[4])});
  const double size = std::max({std::abs(block[0]), std::abs(block[3]), std::abs(block[5]), beside});
  return beside <= kDiagonal * size && is_usable(size) ? size : -1;
}

// A pile, whose contacts are a normal row and a disc each: the same in one pass over the contacts. False where a
// problem is none.
bool residual_of_pile(const LocalProblem& problem, const ConstVecRef& Lambda, NaturalResidual& result) {
  const RowFactors* factors = problem.G.factors();
  if (factors == nullptr || problem.blocks.size() % 2 != 0) return false;
  for (std::size_t b = 0; b < problem.blocks.size(); b += 2) {
    const ImpulseBlock &normal = problem.blocks[b], &disc = problem.blocks[b + 1];
    if (normal.set != ImpulseSet::kNonNegative || disc.set != ImpulseSet::kDisc || disc.normal_row != normal.row ||
        disc.row != normal.row + 1)
      return false;
  }
  thread_local VecX velocities;
  if (velocities.size() < factors->velocities()) velocities.resize(factors->velocities());
  factors->combine(Lambda, velocities.head(factors->velocities()));
  for (std::size_t b = 0; b < problem.blocks.size(); b += 2) {
    const int row = problem.blocks[b].row;
    double xi[3];
    for (int k = 0; k < 3; ++k) {
      const double product = factors->velocity(row + k, velocities.data()), c = problem.c[row + k];
      result.scale = std::max(std::max(result.scale, std::abs(product)), std::abs(c));
      xi[k] = product + c;
    }
    const double* kept = factors->kept_block(row);
    double norm = kept != nullptr ? norm_of_kept(kept) : -1;
    if (norm < 0) norm = norm_of(problem, rows_standing_together(problem.blocks, static_cast<int>(b)));
    const double e_N = block_residual(problem.blocks[b], norm, 0, Lambda.data() + row, xi);
    const double e_T = block_residual(problem.blocks[b + 1], norm, Lambda[row], Lambda.data() + row + 1, xi + 1);
    for (const auto& [e, of_row] : {std::pair(e_N, row), std::pair(e_T, row + 1)}) {
      if (e <= result.absolute && result.worst_row >= 0) continue;
      result.absolute = std::isnan(e) ? kInfinity : e;
      result.worst_row = of_row;
    }
  }
  return true;
}

}  // namespace

NaturalResidual natural_residual(const LocalProblem& problem, const ConstVecRef& Lambda) {
  NaturalResidual result;
  if (residual_of_pile(problem, Lambda, result)) return result;
  const int n = problem.size(), block_count = static_cast<int>(problem.blocks.size());
  double xi[kChunk];
  const double* product = problem.G.is_dense() ? nullptr : apply_to_scratch(problem.G, Lambda);
  const ContactGroups* groups = contacts_stand_together(problem.blocks) ? nullptr : &group_contacts(problem.blocks);
  int last_head = -1;
  double norm = 1;
  for (int begin = 0; begin < block_count;) {
    // A run of whole blocks whose rows fit into xi. Columns outside, rows inside: G is column major.
    const int first = problem.blocks[begin].row;
    int end = begin, rows = 0;
    while (end < block_count && problem.blocks[end].row + problem.blocks[end].size - first <= kChunk) {
      rows = problem.blocks[end].row + problem.blocks[end].size - first;
      ++end;
    }
    FREEPLAY_ASSERT(end > begin);
    for (int i = 0; i < rows; ++i) xi[i] = product == nullptr ? 0 : product[first + i];
    for (int j = 0; product == nullptr && j < n; ++j) {
      const double* column = problem.G.column(j) + first;
      for (int i = 0; i < rows; ++i) xi[i] += column[i] * Lambda[j];
    }
    for (int i = 0; i < rows; ++i) {
      const double c = problem.c[first + i];
      result.scale = std::max(std::max(result.scale, std::abs(xi[i])), std::abs(c));
      xi[i] += c;
    }
    for (int b = begin; b < end; ++b) {
      const ImpulseBlock& block = problem.blocks[b];
      if (block.set != ImpulseSet::kFree) {  // e of a bilateral row is xi, whatever rho
        // A block that stands together with its head comes while that one's norm is still there.
        const int head = block.normal_row < 0 ? b : groups == nullptr ? last_head : groups->head(b);
        if (head != last_head) {
          last_head = head;
          norm = groups == nullptr ? norm_of(problem, rows_standing_together(problem.blocks, head))
                                   : contact_norm(problem, *groups, head);
        }
      }
      const double Lambda_N = block.normal_row >= 0 ? Lambda[block.normal_row] : 0;
      const double e = block_residual(block, norm, Lambda_N, Lambda.data() + block.row, xi + (block.row - first));
      if (!(e <= result.absolute) || result.worst_row < 0) {
        result.absolute = std::isnan(e) ? kInfinity : e;
        result.worst_row = block.row;
      }
    }
    begin = end;
  }
  return result;
}

double velocity_magnitude(const LocalProblem& problem, const ConstVecRef& Lambda) {
  const double* product = problem.G.has_entries() ? nullptr : apply_to_scratch(problem.G, Lambda);
  double largest = 0;
  for (int i = 0; i < problem.size(); ++i) {
    double sum = std::abs(problem.c[i]);
    if (product != nullptr) {
      sum += std::abs(product[i]);
    } else {
      problem.G.for_each_in_row(i, [&](int j, double value) { sum += std::abs(value * Lambda[j]); });
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

bool zero_solves(const LocalProblem& problem) {
  for (const ImpulseBlock& block : problem.blocks) {
    for (int k = 0; k < block.size; ++k) {
      const double c = problem.c[block.row + k];
      switch (block.set) {
        case ImpulseSet::kFree:
          if (!(c == 0)) return false;
          break;
        case ImpulseSet::kNonNegative:
          if (!(c >= 0)) return false;
          break;
        case ImpulseSet::kInterval:
          if (!(block.lo0 <= 0 && block.hi0 >= 0)) return false;
          if (!(c == 0 || (c > 0 && block.lo0 == 0) || (c < 0 && block.hi0 == 0))) return false;
          break;
        case ImpulseSet::kDisc:
          if (!(block.cut <= 0 && (block.r0 == 0 || (block.r0 > 0 && c == 0)))) return false;
          break;
      }
    }
  }
  return true;
}

}  // namespace freeplay::complementarity

#include "freeplay/io/problem/contact_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "freeplay/complementarity/problem/row_factors.h"
#include "freeplay/core/error.h"

namespace freeplay::io {

namespace {

// G = [R V^T; V W], one column after the other.
CompressedColumns with_bilateral_rows(const ContactProblem& problem) {
  const int p = problem.bilateral_count();
  CompressedColumns G;
  G.rows = p + problem.W.rows;
  const auto append = [&](const CompressedColumns& part, int column, int shift) {
    for (int k = part.begin[column]; k < part.begin[column + 1]; ++k) {
      G.row.push_back(part.row[k] + shift);
      G.value.push_back(part.value[k]);
    }
  };
  const auto end_column = [&] { G.begin.push_back(static_cast<int>(G.row.size())); };
  std::vector<std::vector<std::pair<int, double>>> rows_of_V(static_cast<std::size_t>(problem.V.rows));
  for (int j = 0; j < p; ++j) {
    append(problem.R, j, 0);
    append(problem.V, j, p);
    end_column();
    for (int k = problem.V.begin[j]; k < problem.V.begin[j + 1]; ++k) {
      rows_of_V[problem.V.row[k]].emplace_back(j, problem.V.value[k]);
    }
  }
  for (int j = 0; j < problem.W.columns(); ++j) {
    for (const auto& [row, value] : rows_of_V[j]) {
      G.row.push_back(row);
      G.value.push_back(value);
    }
    append(problem.W, j, p);
    end_column();
  }
  return G;
}

BlockSparseMatrix matrix_of(const ContactProblem& problem) {
  if (problem.bilateral_count() == 0) {
    return block_sparse_from_columns(problem.dimension, problem.W.begin, problem.W.row, problem.W.value);
  }
  const CompressedColumns G = with_bilateral_rows(problem);
  return block_sparse_from_columns(1, G.begin, G.row, G.value);
}

}  // namespace

ContactLocalProblem::ContactLocalProblem(const ContactProblem& problem)
    : G_(matrix_of(problem)), bilateral_count_(problem.bilateral_count()) {
  const int n = static_cast<int>(problem.q.size());
  c_.resize(bilateral_count_ + n);
  for (int i = 0; i < bilateral_count_; ++i) {
    c_[i] = problem.s[i];
    blocks_.push_back({.set = ImpulseSet::kFree, .row = i});
  }
  for (int i = 0; i < n; ++i) c_[bilateral_count_ + i] = problem.q[i];
  int row = bilateral_count_;
  for (const double mu : problem.mu) {
    blocks_.push_back({.set = ImpulseSet::kNonNegative, .row = row});
    ImpulseBlock tangent{.row = row + 1, .size = problem.dimension - 1, .normal_row = row};
    if (problem.dimension == 2) {
      tangent.set = ImpulseSet::kInterval;
      tangent.lo1 = -mu;
      tangent.hi1 = mu;
    } else {
      tangent.set = ImpulseSet::kDisc;
      tangent.mu = mu;
    }
    blocks_.push_back(tangent);
    row += problem.dimension;
  }
}

std::string obstacle_to_contact_problem(const LocalProblem& problem) {
  bool has_interval = false, has_disc = false;
  int contacts = 0;
  for (const ImpulseBlock& block : problem.blocks) {
    switch (block.set) {
      case ImpulseSet::kFree:
        break;
      case ImpulseSet::kNonNegative:
        ++contacts;
        break;
      case ImpulseSet::kInterval:
        has_interval = true;
        if (block.normal_row < 0) return "it has a row with bounds of its own, such as dry friction in a joint";
        if (block.lo0 != 0 || block.hi0 != 0 || block.lo1 != -block.hi1 || block.hi1 < 0) {
          return "it has a friction row with other bounds than -mu r_N and mu r_N";
        }
        break;
      case ImpulseSet::kDisc:
        has_disc = true;
        if (block.normal_row < 0 || block.r0 != 0) return "it has a friction disc with a radius of its own";
        if (block.cut > -kInfinity) return "it has a friction disc that is cut, as in the expansion of an impact";
        break;
    }
  }
  if (contacts == 0) return "it has bilateral rows only";
  if (has_interval && has_disc) return "it has contacts in the plane and in space";
  return {};
}

namespace {

constexpr int kNoPlace = -1;

// Where each row of a local problem stands: bilateral rows among themselves, others by contact.
struct RowPlaces {
  std::vector<int> bilateral, contact;  // kNoPlace: of the other kind
};

CompressedColumns select(const LocalOperator& G, const std::vector<int>& row_place, int rows,
                         const std::vector<int>& column_place, int columns) {
  // By row first, since that is what every kind of G can visit; rows come in increasing places.
  std::vector<std::vector<std::pair<int, double>>> entries(static_cast<std::size_t>(columns));
  std::vector<int> source(static_cast<std::size_t>(rows), kNoPlace);
  for (std::size_t i = 0; i < row_place.size(); ++i) {
    if (row_place[i] != kNoPlace) source[row_place[i]] = static_cast<int>(i);
  }
  for (int place = 0; place < rows; ++place) {
    if (source[place] == kNoPlace) continue;
    G.for_each_in_row(source[place], [&](int j, double value) {
      if (column_place[j] != kNoPlace) entries[column_place[j]].emplace_back(place, value);
    });
  }
  CompressedColumns matrix;
  matrix.rows = rows;
  for (const auto& column : entries) {
    for (const auto& [row, value] : column) {
      matrix.row.push_back(row);
      matrix.value.push_back(value);
    }
    matrix.begin.push_back(static_cast<int>(matrix.row.size()));
  }
  return matrix;
}

}  // namespace

ContactProblem contact_problem_from(const LocalProblem& problem) {
  FREEPLAY_ASSERT(obstacle_to_contact_problem(problem).empty());
  if (const RowFactors* factors = problem.G.factors(); factors != nullptr) {  // a pile, whose matrix nobody has formed
    std::vector<int> begin(static_cast<std::size_t>(problem.size()) + 1);
    std::iota(begin.begin(), begin.end(), 0);
    BlockSparseMatrix rows;
    factors->write_blocks(begin, rows);
    return contact_problem_from({rows, problem.c, problem.blocks});
  }
  ContactProblem result;
  result.dimension = 2;
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kDisc) result.dimension = 3;
  }
  RowPlaces places;
  places.bilateral.assign(static_cast<std::size_t>(problem.size()), kNoPlace);
  places.contact = places.bilateral;
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kFree) {
      for (int k = 0; k < block.size; ++k) {
        places.bilateral[block.row + k] = result.bilateral_count();
        result.s.push_back(problem.c[block.row + k]);
      }
    } else if (block.set == ImpulseSet::kNonNegative) {
      places.contact[block.row] = result.contact_count() * result.dimension;
      result.mu.push_back(0);
    }
  }
  result.q.assign(result.mu.size() * static_cast<std::size_t>(result.dimension), 0);
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kFree) continue;
    if (block.set != ImpulseSet::kNonNegative) {
      const int normal = places.contact[block.normal_row];
      result.mu[normal / result.dimension] = block.set == ImpulseSet::kDisc ? block.mu : block.hi1;
      for (int k = 0; k < block.size; ++k) places.contact[block.row + k] = normal + 1 + k;
    }
    for (int k = 0; k < block.size; ++k) result.q[places.contact[block.row + k]] = problem.c[block.row + k];
  }
  const int n = static_cast<int>(result.q.size()), p = result.bilateral_count();
  result.W = select(problem.G, places.contact, n, places.contact, n);
  if (p > 0) {
    result.V = select(problem.G, places.contact, n, places.bilateral, p);
    result.R = select(problem.G, places.bilateral, p, places.bilateral, p);
  }
  return result;
}

}  // namespace freeplay::io

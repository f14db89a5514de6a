#include "freeplay/complementarity/iterative/bilateral_reduction.h"

#include <algorithm>

namespace freeplay::complementarity {
namespace {

constexpr int kMostContactRows = 400;  // of which G' is dense
// Per bilateral block: chains have one or two, loops that all hang on one body as many as there are blocks.
constexpr std::size_t kMostCouplings = 8;
// A smaller pivot may be that of a redundant row, of which rounding leaves 1e-16.
constexpr double kIndependentRows = 1e-9;
constexpr std::size_t kMostLeftOut = 64;

}  // namespace

bool BilateralReduction::takes(const LocalProblem& problem) {
  if (!problem.G.has_entries()) return false;
  int free_rows = 0;
  for (const ImpulseBlock& block : problem.blocks) {
    if (block.set == ImpulseSet::kFree) free_rows += block.size;
  }
  return 2 * free_rows >= problem.size() && problem.size() - free_rows <= kMostContactRows;
}

void BilateralReduction::number_rows(const LocalProblem& problem) {
  places_.assign(static_cast<std::size_t>(problem.size()), {});
  for (std::vector<int>* list : {&free_rows_, &rows_, &free_sizes_, &first_free_}) list->clear();
  blocks_.clear();
  for (const ImpulseBlock& block : problem.blocks) {
    const bool is_free = block.set == ImpulseSet::kFree;
    std::vector<int>& list = is_free ? free_rows_ : rows_;
    if (is_free) {
      free_sizes_.push_back(block.size);
      first_free_.push_back(static_cast<int>(free_rows_.size()));
    } else {
      blocks_.push_back(block);
      blocks_.back().row = static_cast<int>(rows_.size());
      if (block.normal_row >= 0) blocks_.back().normal_row = places_[static_cast<std::size_t>(block.normal_row)].row;
    }
    for (int row = block.row; row < block.row + block.size; ++row) {
      places_[static_cast<std::size_t>(row)] = {is_free, static_cast<int>(list.size()),
                                                is_free ? static_cast<int>(free_sizes_.size()) - 1 : -1};
      list.push_back(row);
    }
  }
}

// G may be unsymmetric; the pattern of its factors is not.
bool BilateralReduction::find_couplings(const LocalProblem& problem) {
  couplings_.clear();
  for (const int row : free_rows_) {
    const int own = places_[static_cast<std::size_t>(row)].block;
    problem.G.for_each_in_row(row, [&](int column, double) {
      const Place& place = places_[static_cast<std::size_t>(column)];
      if (!place.is_free || place.block == own) return;
      const std::pair<int, int> coupling = std::minmax({own, place.block});
      if (couplings_.empty() || couplings_.back() != coupling) couplings_.push_back(coupling);
    });
  }
  std::sort(couplings_.begin(), couplings_.end());
  couplings_.erase(std::unique(couplings_.begin(), couplings_.end()), couplings_.end());
  if (couplings_.size() > kMostCouplings * free_sizes_.size()) return false;
  if (couplings_ == known_couplings_ && free_sizes_ == known_sizes_) return true;
  known_couplings_ = couplings_;
  known_sizes_ = free_sizes_;
  G_ff_.set_pattern(known_sizes_, known_couplings_);
  return true;
}

// G_ff, and the right-hand sides in X.
void BilateralReduction::write_free_matrix(const LocalProblem& problem) {
  const Eigen::Index contact_rows = static_cast<Eigen::Index>(rows_.size());
  G_ff_.set_zero();
  X_.setZero(static_cast<Eigen::Index>(free_rows_.size()), contact_rows + 1);
  for (const int row : free_rows_) {
    const Place& own = places_[static_cast<std::size_t>(row)];
    const int size = free_sizes_[static_cast<std::size_t>(own.block)];
    const int inside = own.row - first_free_[static_cast<std::size_t>(own.block)];
    int last = -1;
    double* values = nullptr;
    problem.G.for_each_in_row(row, [&](int column, double value) {
      const Place& place = places_[static_cast<std::size_t>(column)];
      if (!place.is_free) {
        X_(own.row, place.row) = value;
        return;
      }
      if (place.block != last) values = G_ff_.values() + G_ff_.place(own.block, last = place.block);
      values[inside + (place.row - first_free_[static_cast<std::size_t>(place.block)]) * size] = value;
    });
    X_(own.row, contact_rows) = problem.c[row];
  }
}

void BilateralReduction::write_reduced(const LocalProblem& problem) {
  const Eigen::Index n = static_cast<Eigen::Index>(rows_.size());
  G_.setZero(n, n);
  c_.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const int row = rows_[static_cast<std::size_t>(k)];
    c_[k] = problem.c[row];
    problem.G.for_each_in_row(row, [&](int column, double value) {
      const Place& place = places_[static_cast<std::size_t>(column)];
      if (!place.is_free) {
        G_(k, place.row) += value;
        return;
      }
      for (Eigen::Index j = 0; j < n; ++j) G_(k, j) -= value * X_(place.row, j);
      c_[k] -= value * X_(place.row, n);
    });
  }
}

void BilateralReduction::find_null_vectors(const LocalProblem& problem) {
  const std::vector<int>& left_out = G_ff_.left_out();
  N_.setZero(static_cast<Eigen::Index>(free_rows_.size()), static_cast<Eigen::Index>(left_out.size()));
  for (std::size_t k = 0; k < left_out.size(); ++k) {
    auto vector = N_.col(static_cast<Eigen::Index>(k));
    for (std::size_t f = 0; f < free_rows_.size(); ++f) {
      problem.G.for_each_in_row(free_rows_[f], [&](int column, double value) {
        const Place& place = places_[static_cast<std::size_t>(column)];
        if (place.is_free && place.row == left_out[k]) vector[static_cast<Eigen::Index>(f)] = -value;
      });
    }
    G_ff_.solve_in_place(vector.data());
    vector[left_out[k]] = 1;
    for (Eigen::Index j = 0; j < static_cast<Eigen::Index>(k); ++j) vector -= N_.col(j).dot(vector) * N_.col(j);
    vector /= vector.norm();
  }
}

bool BilateralReduction::reduce(const LocalProblem& problem) {
  number_rows(problem);
  if (!find_couplings(problem)) return false;
  write_free_matrix(problem);
  N_.resize(0, 0);
  if (!G_ff_.factor() || !(G_ff_.smallest_pivot() > kIndependentRows)) {
    write_free_matrix(problem);
    if (!G_ff_.factor_definite(kIndependentRows) || G_ff_.left_out().size() > kMostLeftOut) return false;
    find_null_vectors(problem);
  }
  for (Eigen::Index j = 0; j < X_.cols(); ++j) G_ff_.solve_in_place(X_.col(j).data());
  write_reduced(problem);
  return G_.allFinite() && c_.allFinite();
}

ImpulseGuess BilateralReduction::reduced(const ImpulseGuess& guess) {
  if (guess.modes() == nullptr) return ImpulseGuess::none();
  guess_.resize(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t k = 0; k < rows_.size(); ++k) guess_[static_cast<Eigen::Index>(k)] = guess.modes()[rows_[k]];
  return guess.is_given() ? ImpulseGuess::from(guess_) : ImpulseGuess::modes_of(guess_);
}

void BilateralReduction::expand(const LocalProblem& problem, const ConstVecRef& Lambda_c, VecRef Lambda) {
  const Eigen::Index n = static_cast<Eigen::Index>(rows_.size());
  correction_ = X_.col(n);
  if (n > 0) correction_.noalias() += X_.leftCols(n) * Lambda_c;
  for (std::size_t k = 0; k < rows_.size(); ++k) Lambda[rows_[k]] = Lambda_c[static_cast<Eigen::Index>(k)];
  for (std::size_t k = 0; k < free_rows_.size(); ++k)
    Lambda[free_rows_[k]] = -correction_[static_cast<Eigen::Index>(k)];
  // What rounding has left of xi_f: the sums above cancel where impulses hold each other in balance.
  for (std::size_t k = 0; k < free_rows_.size(); ++k) {
    double xi = problem.c[free_rows_[k]];
    problem.G.for_each_in_row(free_rows_[k], [&](int column, double value) { xi += value * Lambda[column]; });
    correction_[static_cast<Eigen::Index>(k)] = xi;
  }
  G_ff_.solve_in_place(correction_.data());
  for (std::size_t k = 0; k < free_rows_.size(); ++k)
    Lambda[free_rows_[k]] -= correction_[static_cast<Eigen::Index>(k)];
  for (Eigen::Index j = 0; j < N_.cols(); ++j) {
    double along = 0;
    for (std::size_t k = 0; k < free_rows_.size(); ++k)
      along += N_(static_cast<Eigen::Index>(k), j) * Lambda[free_rows_[k]];
    for (std::size_t k = 0; k < free_rows_.size(); ++k)
      Lambda[free_rows_[k]] -= along * N_(static_cast<Eigen::Index>(k), j);
  }
}

}  // namespace freeplay::complementarity

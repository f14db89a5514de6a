#include "freeplay/mechanism/rows/doubtful_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "freeplay/mechanism/rows/bilateral_solver.h"
#include "freeplay/mechanism/rows/sparse_bilateral.h"

namespace freeplay::mechanism {

namespace {

// Solves L L^T x = x for a lower triangle L.
void solve_cholesky(const MatX& L, VecRef x) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index i = 0; i < n; ++i) x[i] = (x[i] - L.row(i).head(i).dot(x.head(i))) / L(i, i);
  for (Eigen::Index i = n; i-- > 0;) {
    x[i] = (x[i] - L.col(i).tail(n - i - 1).dot(x.tail(n - i - 1))) / L(i, i);
  }
}

void factor_cholesky(MatX& A) {
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    A(j, j) = std::sqrt(A(j, j) - A.row(j).head(j).squaredNorm());
    for (Eigen::Index i = j + 1; i < A.rows(); ++i)
      A(i, j) = (A(i, j) - A.row(i).head(j).dot(A.row(j).head(j))) / A(j, j);
  }
}

}  // namespace

void DoubtfulRows::clear() {
  rows_.clear();
  N_.resize(0, 0);
  independent_ = 0;
}

void DoubtfulRows::judge(const SparseBilateral& rows, std::span<const int> doubtful, double opening, int closed_rank) {
  rows_.assign(doubtful.begin(), doubtful.end());
  find_remainders(rows);
  find_rank(opening, rows.row_count() - static_cast<int>(rows_.size()), closed_rank);
  find_null_vectors();
}

// X by least squares with two corrections from the remainder itself: normal equations alone leave the square root of
// what they can tell.
void DoubtfulRows::find_remainders(const SparseBilateral& rows) {
  const Eigen::Index k = static_cast<Eigen::Index>(rows_.size());
  X_.setZero(rows.row_count(), k);
  R_.setZero(rows.velocity_count(), k);
  length_.resize(k);
  x_.resize(rows.row_count());
  for (Eigen::Index j = 0; j < k; ++j) {
    const int row = rows_[static_cast<std::size_t>(j)];
    auto remainder = R_.col(j);
    x_.setZero();
    x_[row] = 1;
    rows.add_half_response(x_, remainder);
    const double norm = remainder.norm();
    length_[j] = std::max(norm, BilateralSolver::kShortestUnitColumn * rows.longest_row());
    if (!(length_[j] > 0)) length_[j] = 1;
    for (int pass = 0; pass < 3; ++pass) {
      rows.half_velocities(remainder, x_);
      rows.solve_in_place(x_);
      X_.col(j) += x_;
      x_ = -x_;
      rows.add_half_response(x_, remainder);
    }
    remainder /= length_[j];
  }
}

void DoubtfulRows::find_rank(double opening, int others, int closed_rank) {
  const Eigen::Index n = R_.rows(), k = R_.cols();
  const double doubt = opening <= BilateralSolver::kClosed
                           ? 0
                           : std::min(BilateralSolver::kDoubtPerOpening * opening, BilateralSolver::kLargestDoubt);
  order_.resize(rows_.size());
  std::iota(order_.begin(), order_.end(), 0);
  workspace_.resize(k);
  for (independent_ = 0; independent_ < k; ++independent_) {
    const Eigen::Index at = independent_;
    Eigen::Index best = at;
    double longest = -1;
    for (Eigen::Index j = at; j < k; ++j) {
      const double norm = R_.col(j).tail(n - at).norm();
      if (norm > longest * (1 + 1e-12)) best = j, longest = norm;
    }
    const bool is_granted = others + independent_ < closed_rank;
    if (!(longest > std::max(BilateralSolver::kRankTolerance, is_granted ? 0 : doubt))) break;
    R_.col(at).swap(R_.col(best));
    std::swap(order_[static_cast<std::size_t>(at)], order_[static_cast<std::size_t>(best)]);
    double tau = 0, beta = 0;
    auto column = R_.col(at).tail(n - at);
    column.makeHouseholderInPlace(tau, beta);
    R_(at, at) = beta;
    R_.bottomRightCorner(n - at, k - at - 1)
        .applyHouseholderOnTheLeft(R_.col(at).tail(n - at - 1), tau, workspace_.data());
  }
}

// A redundant row is X of the others and Y of the independent doubtful ones: minus these and plus itself nothing moves.
void DoubtfulRows::find_null_vectors() {
  const Eigen::Index k = R_.cols(), independent = independent_;
  Y_ = R_.topRightCorner(independent, k - independent);
  R_.topLeftCorner(independent, independent).triangularView<Eigen::Upper>().solveInPlace(Y_);
  N_.setZero(X_.rows(), k - independent);
  for (Eigen::Index j = 0; j < k - independent; ++j) {
    const int place = order_[static_cast<std::size_t>(independent + j)];
    N_.col(j) = -X_.col(place);
    for (Eigen::Index i = 0; i < independent; ++i) {
      const int other = order_[static_cast<std::size_t>(i)];
      double& factor = Y_(i, j);
      factor *= length_[place] / length_[other];
      N_.col(j) += factor * X_.col(other);
      N_(rows_[static_cast<std::size_t>(other)], j) -= factor;
    }
    N_(rows_[static_cast<std::size_t>(place)], j) += 1;
  }
  NtN_.noalias() = N_.transpose() * N_;
  factor_cholesky(NtN_);
}

std::vector<int> DoubtfulRows::redundant_rows() const {
  constexpr double kLarge = 0.5;
  MatX N = N_;
  std::vector<int> found;
  for (Eigen::Index j = 0; j < N.cols(); ++j) {
    const double most = N.col(j).cwiseAbs().maxCoeff();
    Eigen::Index row = N.rows() - 1;
    while (std::abs(N(row, j)) < kLarge * most) --row;
    found.push_back(static_cast<int>(row));
    for (Eigen::Index i = j + 1; i < N.cols(); ++i) N.col(i) -= N(row, i) / N(row, j) * N.col(j);
  }
  std::sort(found.begin(), found.end());
  return found;
}

double DoubtfulRows::solve_in_place(const SparseBilateral& rows, VecRef lambda, int& row) {
  const Eigen::Index k = X_.cols(), independent = independent_;
  // What the others leave of the right-hand sides of these.
  left_.resize(k);
  for (Eigen::Index j = 0; j < k; ++j) {
    const int place = order_[static_cast<std::size_t>(j)], own = rows_[static_cast<std::size_t>(place)];
    left_[j] = lambda[own] - X_.col(place).dot(lambda);
  }
  double contradiction = 0;
  for (Eigen::Index j = 0; j < k - independent; ++j) {
    const double missed = std::abs(left_[independent + j] - Y_.col(j).dot(left_.head(independent)));
    const int own = rows_[static_cast<std::size_t>(order_[static_cast<std::size_t>(independent + j)])];
    if (missed > contradiction) contradiction = missed, row = own;
  }
  rows.solve_in_place(lambda);  // with 0 for these
  auto mu = left_.head(independent);
  const auto length_of = [&](Eigen::Index i) { return length_[order_[static_cast<std::size_t>(i)]]; };
  const auto T = R_.topLeftCorner(independent, independent).triangularView<Eigen::Upper>();
  for (Eigen::Index i = 0; i < independent; ++i) mu[i] /= length_of(i);
  T.transpose().solveInPlace(mu);
  T.solveInPlace(mu);
  for (Eigen::Index i = 0; i < independent; ++i) {
    const int place = order_[static_cast<std::size_t>(i)];
    mu[i] /= length_of(i);
    lambda -= mu[i] * X_.col(place);
    lambda[rows_[static_cast<std::size_t>(place)]] += mu[i];
  }
  if (N_.cols() > 0) {
    shared_.resize(N_.cols());
    shared_.noalias() = N_.transpose() * lambda;
    solve_cholesky(NtN_, shared_);
    lambda.noalias() -= N_ * shared_;
  }
  return contradiction;
}

}  // namespace freeplay::mechanism

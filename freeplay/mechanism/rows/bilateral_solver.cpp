#include "freeplay/mechanism/rows/bilateral_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace freeplay::mechanism {

BilateralSolver::BilateralSolver(int velocities, int rows)
    : B_(velocities, rows),
      R_(velocities, rows),
      column_scale_(rows),
      T_(rows, std::min(velocities, rows)),
      tau_(std::min(velocities, rows)),
      workspace_(std::max(velocities, rows)),
      y_(std::max(velocities, rows)),
      lambda_(rows),
      norms_(rows),
      pivots_(static_cast<std::size_t>(rows)),
      closed_rank_(rows) {}

void BilateralSolver::factor(const MassMatrix& M, const MatX& W, double opening) {
  const Eigen::Index n = B_.rows(), m = B_.cols();
  B_ = W;
  for (Eigen::Index r = 0; r < m; ++r) M.half_solve_in_place(B_.col(r));

  // Unit columns: forces and moments, light and heavy bodies are judged alike. A row that hardly moves anything stays
  // small, so that errors in it are not magnified while others say the same.
  R_ = B_;
  double longest = 0;
  for (Eigen::Index r = 0; r < m; ++r) {
    column_scale_[r] = R_.col(r).norm();
    longest = std::max(longest, column_scale_[r]);
  }
  for (Eigen::Index r = 0; r < m; ++r) {
    column_scale_[r] = longest > 0 ? std::max(column_scale_[r], kShortestUnitColumn * longest) : 1;
    R_.col(r) /= column_scale_[r];
  }
  std::iota(pivots_.begin(), pivots_.end(), 0);
  rank_ = 0;
  is_closed_ = opening <= kClosed;
  const double doubt = std::min(kDoubtPerOpening * opening, kLargestDoubt);
  const Eigen::Index steps = std::min(n, m);
  for (Eigen::Index k = 0; k < steps; ++k) {
    // Remaining norms are computed afresh: downdating them loses the small ones, and those decide the rank.
    Eigen::Index best = k;
    double best_norm = -1;
    for (Eigen::Index j = k; j < m; ++j) {
      norms_[j] = R_.col(j).tail(n - k).norm();
      // Ties go to the row that comes first in the model, so that redundancy is reported on the later one.
      if (norms_[j] > best_norm * (1 + 1e-12)) best = j, best_norm = norms_[j];
    }
    if (!(best_norm > (is_closed_ || rank_ < closed_rank_ ? kRankTolerance : std::max(kRankTolerance, doubt)))) break;
    if (best != k) {
      R_.col(k).swap(R_.col(best));
      std::swap(pivots_[static_cast<std::size_t>(k)], pivots_[static_cast<std::size_t>(best)]);
    }
    double beta = 0;
    auto column_view = R_.col(k).tail(n - k);
    column_view.makeHouseholderInPlace(tau_[k], beta);
    R_(k, k) = beta;
    if (k + 1 < m) {
      R_.bottomRightCorner(n - k, m - k - 1)
          .applyHouseholderOnTheLeft(R_.col(k).tail(n - k - 1), tau_[k], workspace_.data());
    }
    ++rank_;
  }
  if (is_closed_) closed_rank_ = rank_;
  factor_transpose();
}

// With redundant rows: QR of the transposed R, for the minimum-norm efforts.
void BilateralSolver::factor_transpose() {
  const Eigen::Index m = B_.cols(), rank = rank_;
  if (rank == m) return;
  for (Eigen::Index k = 0; k < rank; ++k) {
    for (Eigen::Index j = 0; j < m; ++j) {
      T_(j, k) = j < k ? 0 : R_(k, j) * column_scale_[pivots_[static_cast<std::size_t>(j)]];
    }
  }
  for (Eigen::Index k = 0; k < rank; ++k) {
    double beta = 0;
    auto column_view = T_.col(k).tail(m - k);
    column_view.makeHouseholderInPlace(tau_[k], beta);
    T_(k, k) = beta;
    if (k + 1 < rank) {
      T_.block(k, k + 1, m - k, rank - k - 1)
          .applyHouseholderOnTheLeft(T_.col(k).tail(m - k - 1), tau_[k], workspace_.data());
    }
  }
}

double BilateralSolver::solve(const ConstVecRef& rhs, VecRef lambda) {
  const Eigen::Index m = B_.cols(), rank = rank_;
  // B P = Q R with unit columns, so  W^T M^-1 W = D P R^T R P^T D.  First  R^T y = D^-1 rhs  (in pivot order) ...
  for (Eigen::Index j = 0; j < m; ++j) {
    const int row = pivots_[static_cast<std::size_t>(j)];
    lambda_[j] = rhs[row] / column_scale_[row];
  }
  double contradiction = 0;
  contradicting_row_ = -1;
  for (Eigen::Index j = 0; j < m; ++j) {
    const Eigen::Index end = std::min(j, rank);
    const double remaining = lambda_[j] - R_.col(j).head(end).dot(y_.head(end));
    if (j < rank) {
      y_[j] = remaining / R_(j, j);
    } else if (is_closed_) {
      // A redundant row: nothing is left to choose, it must agree with the others. An open loop explains a
      // disagreement.
      const int row = pivots_[static_cast<std::size_t>(j)];
      const double size = std::abs(remaining) * column_scale_[row];
      if (size > contradiction) contradiction = size, contradicting_row_ = row;
    }
  }
  // ... then  R mu = y  with lambda = D^-1 mu.
  if (rank == m) {
    for (Eigen::Index k = rank - 1; k >= 0; --k) {
      const Eigen::Index count = rank - k - 1;
      lambda_[k] = (y_[k] - R_.row(k).segment(k + 1, count).dot(lambda_.segment(k + 1, count))) / R_(k, k);
    }
    for (Eigen::Index k = 0; k < rank; ++k) {
      const int row = pivots_[static_cast<std::size_t>(k)];
      lambda[row] = lambda_[k] / column_scale_[row];
    }
    return contradiction;
  }
  // T^T lambda = y, T = Q2 R2:  lambda = Q2 R2^-T y  has minimum norm.
  for (Eigen::Index k = 0; k < rank; ++k) {
    y_[k] = (y_[k] - T_.col(k).head(k).dot(y_.head(k))) / T_(k, k);
  }
  lambda_.setZero();
  lambda_.head(rank) = y_.head(rank);
  for (Eigen::Index k = rank - 1; k >= 0; --k) {
    lambda_.tail(m - k).applyHouseholderOnTheLeft(T_.col(k).tail(m - k - 1), tau_[k], workspace_.data());
  }
  for (Eigen::Index j = 0; j < m; ++j) lambda[pivots_[static_cast<std::size_t>(j)]] = lambda_[j];
  return contradiction;
}

double BilateralSolver::accelerations(const MassMatrix& M, const ConstVecRef& h, const ConstVecRef& zeta, VecRef du,
                                      VecRef lambda) {
  du = h;
  M.half_solve_in_place(du);
  auto rhs_view = norms_.head(B_.cols());
  rhs_view = -zeta;
  rhs_view.noalias() -= B_.transpose() * du;  // in this form Eigen needs no temporary
  const double contradiction = solve(rhs_view, lambda);
  du.noalias() += B_ * lambda;
  M.finish_solve_in_place(du);
  return contradiction;
}

double BilateralSolver::displacement(const MassMatrix& M, const ConstVecRef& rhs, VecRef delta) {
  auto lambda_view = norms_.head(B_.cols());
  const double contradiction = solve(rhs, lambda_view);
  delta.noalias() = B_ * lambda_view;
  M.finish_solve_in_place(delta);
  return contradiction;
}

}  // namespace freeplay::mechanism

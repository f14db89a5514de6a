#include "freeplay/complementarity/pivoting/mode_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::complementarity {

void ModeSolver::reserve(int rows) {
  const std::size_t n = static_cast<std::size_t>(rows);
  if (held_.size() >= n) return;
  solver_.reserve(rows);
  held_.resize(n);
  position_.resize(n);
  K_.resize(n * n);
  for (std::vector<double>* vector : {&rhs_, &x_, &correction_, &weight_, &Lambda_}) vector->resize(n);
}

// The rows that are held get places in the linear system. Returns how many there are.
int ModeSolver::number_held(std::span<const RowMode> modes, int n) {
  int k = 0;
  for (int r = 0; r < n; ++r) {
    position_[r] = modes[r] == RowMode::kHeld ? k : -1;
    if (modes[r] == RowMode::kHeld) held_[k++] = r;
  }
  return k;
}

// K x = rhs: the held rows of  H z + h = 0,  with the others substituted.
void ModeSolver::write_system(const ScaledProblem& problem, std::span<const RowMode> modes, int k) {
  const int n = problem.size;
  const std::vector<ScaledRow>& rows = problem.rows;
  const double* H = problem.H.data();
  for (int j = 0; j < k; ++j) {
    const double* column = H + held_[j] * n;
    for (int i = 0; i < k; ++i) K_[i + j * k] = column[held_[i]];
    rhs_[j] = -problem.h[held_[j]];
    weight_[j] = rows[held_[j]].scale;  // minimum norm in the impulses themselves
  }
  // Rows at a bound: Lambda = offset + slope Lambda_N is substituted. An open normal row has Lambda = 0.
  for (int p = 0; p < n; ++p) {
    if (modes[p] == RowMode::kHeld || rows[p].kind == RowKind::kNonNegative) continue;
    const bool upper = modes[p] == RowMode::kUpper;
    const double offset = upper ? rows[p].hi0 : rows[p].lo0, slope = upper ? rows[p].hi1 : rows[p].lo1;
    const double* column = H + p * n;
    if (offset != 0) {
      for (int i = 0; i < k; ++i) rhs_[i] -= column[held_[i]] * offset;
    }
    const int normal = rows[p].normal >= 0 ? position_[rows[p].normal] : -1;
    if (slope != 0 && normal >= 0) {
      double* target = K_.data() + normal * k;
      for (int i = 0; i < k; ++i) target[i] += column[held_[i]] * slope;
    }
  }
}

// Writes x_, with one step of iterative refinement, unless what is left is the rounding of the right-hand side already.
// Returns the ratio of the pivots.
double ModeSolver::solve_system(int k, double rank_tolerance) {
  constexpr double kRounding = 2 * std::numeric_limits<double>::epsilon();
  solver_.factor(K_.data(), k, rank_tolerance, weight_.data());
  solver_.solve(rhs_.data(), x_.data());
  double* rhs = rhs_.data();
  double given = 0, left = 0;
  for (int i = 0; i < k; ++i) given = std::max(given, std::abs(rhs[i]));
  for (int j = 0; j < k; ++j) {
    const double* column = K_.data() + j * k;
    const double value = x_[j];
    for (int i = 0; i < k; ++i) rhs[i] -= column[i] * value;
  }
  for (int i = 0; i < k; ++i) left = std::max(left, std::abs(rhs[i]));
  if (left <= kRounding * given) return solver_.pivot_ratio();
  solver_.solve(rhs_.data(), correction_.data());
  for (int j = 0; j < k; ++j) x_[j] += correction_[j];
  return solver_.pivot_ratio();
}

// Writes Lambda, brought back onto its sets. Returns the largest violation.
double ModeSolver::write_impulses(const std::vector<ScaledRow>& rows, std::span<const RowMode> modes, int n,
                                  VecRef Lambda) {
  double largest = 0;
  for (int r = 0; r < n; ++r) {
    const ScaledRow& row = rows[r];
    double value = position_[r] >= 0 ? x_[position_[r]] : 0;
    double excess = 0;
    if (row.kind == RowKind::kNonNegative) {
      excess = -value;
      value = std::max(0.0, value);
    } else if (row.kind != RowKind::kFree) {
      const double Lambda_N = row.normal >= 0 ? Lambda_[row.normal] : 0;  // stands before, and is not negative
      const double lo = row.lo0 + row.lo1 * Lambda_N, hi = row.hi0 + row.hi1 * Lambda_N;
      if (position_[r] < 0) {
        value = modes[r] == RowMode::kUpper ? hi : lo;
      } else {
        excess = std::max(lo - value, value - hi);
        value = std::min(hi, std::max(lo, value));
      }
    }
    Lambda_[r] = value;
    Lambda[r] = row.scale * value;
    // Written so that NaN counts as a violation too.
    const double violation = row.norm * row.scale * excess;
    if (!(violation <= largest)) largest = violation;
  }
  return std::isnan(largest) ? std::numeric_limits<double>::infinity() : largest;
}

ModeSolver::Result ModeSolver::solve(const ScaledProblem& problem, std::span<const RowMode> modes,
                                     double rank_tolerance, VecRef Lambda) {
  reserve(problem.size);
  const int k = number_held(modes, problem.size);
  write_system(problem, modes, k);
  Result result;
  if (k > 0) result.pivot_ratio = solve_system(k, rank_tolerance);
  result.violation = write_impulses(problem.rows, modes, problem.size, Lambda);
  return result;
}

// A held row whose impulse is beyond a bound goes there; one at a bound whose xi points inwards is held.
RowMode ModeSolver::corrected(const ScaledProblem& problem, int row, RowMode mode, double tolerance) const {
  const ScaledRow& bounds = problem.rows[row];
  if (bounds.kind == RowKind::kFree || bounds.kind == RowKind::kFixed) return mode;
  const bool is_normal = bounds.kind == RowKind::kNonNegative;
  const double Lambda_N = bounds.normal >= 0 ? Lambda_[bounds.normal] : 0;
  const double lo = is_normal ? 0 : bounds.lo0 + bounds.lo1 * Lambda_N;
  const double hi = is_normal ? std::numeric_limits<double>::infinity() : bounds.hi0 + bounds.hi1 * Lambda_N;
  if (position_[row] >= 0) {
    const double value = x_[position_[row]], allowed = tolerance / (bounds.norm * bounds.scale);
    if (value < lo - allowed) return RowMode::kLower;
    if (value > hi + allowed) return RowMode::kUpper;
    return mode;
  }
  if (lo == hi) return mode;  // an open contact: nothing holds it, whatever it does
  double xi = problem.h[row];
  for (int j = 0; j < problem.size; ++j) xi += problem.H[row + j * problem.size] * Lambda_[j];
  const double inwards = (mode == RowMode::kUpper ? xi : -xi) / bounds.scale;
  return inwards > tolerance ? RowMode::kHeld : mode;
}

int ModeSolver::correct(const ScaledProblem& problem, double tolerance, std::span<RowMode> modes) const {
  int count = 0;
  for (int r = 0; r < problem.size; ++r) {
    const RowMode mode = corrected(problem, r, modes[r], tolerance);
    if (mode == modes[r]) continue;
    modes[r] = mode;
    ++count;
  }
  return count;
}

}  // namespace freeplay::complementarity

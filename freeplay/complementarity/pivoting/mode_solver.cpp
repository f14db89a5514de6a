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
  has_factors_ = false;
  factored_modes_.resize(n);
  for (std::vector<double>* vector : {&rhs_, &x_, &correction_, &weight_, &Lambda_, &slopes_}) vector->resize(n);
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

namespace {

// Of a row at a bound: Lambda = offset + slope Lambda_N. An open normal row has Lambda = 0.
double slope_of(const ScaledRow& row, RowMode mode) {
  if (mode == RowMode::kHeld || row.kind == RowKind::kNonNegative) return 0;
  return mode == RowMode::kUpper ? row.hi1 : row.lo1;
}

}  // namespace

// Whether K and its factors are those of the last time. A step asks for the same modes with the same matrix again and
// again, at other free velocities. Notes what K is going to be if they are not.
bool ModeSolver::is_factored(const ScaledProblem& problem, std::span<const RowMode> modes, double rank_tolerance) {
  if (!keeps_factors_) return false;
  bool is_same = has_factors_ && rank_tolerance_ == rank_tolerance;
  for (int r = 0; r < problem.size; ++r) {
    const double slope = slope_of(problem.rows[r], modes[r]);
    is_same = is_same && modes[r] == factored_modes_[r] && slope == slopes_[r];
    factored_modes_[r] = modes[r];
    slopes_[r] = slope;
  }
  has_factors_ = true;
  rank_tolerance_ = rank_tolerance;
  return is_same;
}

// K x = rhs: the held rows of  H z + h = 0,  with the others substituted.
void ModeSolver::write_matrix(const ScaledProblem& problem, std::span<const RowMode> modes, int k) {
  const int n = problem.size;
  const std::vector<ScaledRow>& rows = problem.rows;
  const double* H = problem.H.data();
  for (int j = 0; j < k; ++j) {
    const double* column = H + held_[j] * n;
    for (int i = 0; i < k; ++i) K_[i + j * k] = column[held_[i]];
    weight_[j] = rows[held_[j]].scale;  // minimum norm in the impulses themselves
  }
  for (int p = 0; p < n; ++p) {
    const double slope = slope_of(rows[p], modes[p]);
    const int normal = rows[p].normal >= 0 ? position_[rows[p].normal] : -1;
    if (slope == 0 || normal < 0) continue;
    const double* column = H + p * n;
    double* target = K_.data() + normal * k;
    for (int i = 0; i < k; ++i) target[i] += column[held_[i]] * slope;
  }
}

void ModeSolver::write_right_hand_side(const ScaledProblem& problem, std::span<const RowMode> modes, int k) {
  const int n = problem.size;
  for (int j = 0; j < k; ++j) rhs_[j] = -problem.h[held_[j]];
  for (int p = 0; p < n; ++p) {
    const ScaledRow& row = problem.rows[p];
    if (modes[p] == RowMode::kHeld || row.kind == RowKind::kNonNegative) continue;
    const double offset = modes[p] == RowMode::kUpper ? row.hi0 : row.lo0;
    if (offset == 0) continue;
    const double* column = problem.H.data() + p * n;
    for (int i = 0; i < k; ++i) rhs_[i] -= column[held_[i]] * offset;
  }
}

// Writes x_, with one step of iterative refinement, unless what is left is the rounding of the right-hand side already.
// Returns the ratio of the pivots.
double ModeSolver::solve_system(int k) {
  constexpr double kRounding = 2 * std::numeric_limits<double>::epsilon();
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
  if (!is_factored(problem, modes, rank_tolerance)) {
    write_matrix(problem, modes, k);
    if (k > 0) solver_.factor(K_.data(), k, rank_tolerance, weight_.data());
  }
  write_right_hand_side(problem, modes, k);
  Result result;
  if (k > 0) result.pivot_ratio = solve_system(k);
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

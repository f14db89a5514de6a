#include "freeplay/complementarity/pivoting/dual_active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::complementarity {

namespace {

constexpr int kMostRowsOfFactor = 400;  // rows: the factor is dense
constexpr double kDependent = 1e-12;    // of G_pp: what is left of a row that the active ones can replace
constexpr double kViolated = 1e-14;     // of the largest velocity: rounding of G Lambda + c
constexpr int kIterationsPerRow = 20;   // each row joins and leaves a few times at most

class DualActiveSet final : public Solver {
 public:
  std::string_view name() const override { return "dual-active-set"; }
  SolverTraits traits() const override {
    return {.takes_friction = false, .needs_symmetry = true, .largest_problem = kMostRowsOfFactor};
  }

  void reserve(int wanted) override {
    const int rows = std::min(wanted, kMostRowsOfFactor);
    if (xi_.size() >= rows) return;
    G_ = L_ = MatX::Zero(rows, rows);
    for (VecX* v : {&xi_, &response_, &candidate_}) *v = VecX::Zero(rows);
    active_.reserve(static_cast<std::size_t>(rows));
    tail_.reserve(static_cast<std::size_t>(rows));
    is_.reserve(static_cast<std::size_t>(rows));
  }

  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& /*guess*/,
                    VecRef Lambda) override {
    n_ = problem.size();
    const bool takes_sets = std::all_of(problem.blocks.begin(), problem.blocks.end(), [](const ImpulseBlock& block) {
      return block.set == ImpulseSet::kFree || block.set == ImpulseSet::kNonNegative;
    });
    if (!takes_sets || n_ > kMostRowsOfFactor || !problem.G.has_entries())
      return {.status = SolveStatus::kNotSupported, .solver = name()};
    reserve(n_);
    is_.assign(static_cast<std::size_t>(n_), RowState::kOpen);
    active_.clear();
    Lambda.setZero();
    G_.topLeftCorner(n_, n_).setZero();
    for (int i = 0; i < n_; ++i) problem.G.for_each_in_row(i, [&](int j, double value) { G_(j, i) = value; });
    xi_.head(n_) = problem.c;

    int iterations = 0;
    for (const ImpulseBlock& block : problem.blocks) {
      if (block.set != ImpulseSet::kFree) continue;
      state(block.row) = RowState::kHeld;
      iterations += enforce(block.row, Lambda);
    }
    const double rounding = kViolated * max_abs(problem.c);
    const int most = kIterationsPerRow * (n_ + 1);
    for (int row = most_violated(rounding); row >= 0 && iterations < most; row = most_violated(rounding)) {
      state(row) = RowState::kClosed;
      iterations += enforce(row, Lambda);
    }
    refine(problem, Lambda);
    return certify(problem, options, Lambda, name(), iterations);
  }

 private:
  enum class RowState : std::uint8_t {
    kOpen,
    kClosed,
    kHeld,      // bilateral: never leaves
    kRedundant  // depends on rows that cannot make room: natural_residual() tells whether it holds all the same
  };
  RowState& state(int row) { return is_[static_cast<std::size_t>(row)]; }
  int active(int k) const { return active_[static_cast<std::size_t>(k)]; }
  int active_count() const { return static_cast<int>(active_.size()); }

  int most_violated(double rounding) {
    int worst = -1;
    double deepest = 0;
    for (int i = 0; i < n_; ++i) {
      if (state(i) != RowState::kOpen || !(xi_[i] < -rounding)) continue;
      const double depth = -xi_[i] / std::sqrt(std::max(G_(i, i), std::numeric_limits<double>::min()));
      if (depth > deepest) {
        deepest = depth;
        worst = i;
      }
    }
    return worst;
  }

  // Brings row p to xi_p = 0 along the multipliers that keep the active rows there. Returns the number of steps.
  int enforce(int p, VecRef Lambda) {
    const double sign = xi_[p] > 0 ? -1 : 1;  // a bilateral row may need to pull
    double impulse = 0;
    int steps = 0;
    while (true) {
      ++steps;
      const int k = active_count();
      for (int i = 0; i < k; ++i) response_[i] = G_(active(i), p);
      solve_active(response_);  // active impulses per unit of the new one, with opposite sign
      double curvature = G_(p, p);
      for (int i = 0; i < k; ++i) curvature -= response_[i] * G_(active(i), p);
      const bool is_dependent = !(curvature > kDependent * G_(p, p));

      int leaving = -1;
      double partial = std::numeric_limits<double>::infinity();
      for (int i = 0; i < k; ++i) {
        const double falls = sign * response_[i];
        if (state(active(i)) == RowState::kHeld || !(falls > 0)) continue;
        const double step = Lambda[active(i)] / falls;
        if (step < partial) {
          partial = step;
          leaving = i;
        }
      }
      const double full = is_dependent ? std::numeric_limits<double>::infinity() : std::abs(xi_[p]) / curvature;
      if (is_dependent && leaving < 0) {
        Lambda[p] = 0;  // nothing can make room: the row is redundant, or the problem has no solution
        if (impulse != 0) add_impulse(p, -impulse, Lambda);
        state(p) = RowState::kRedundant;
        return steps;
      }
      const double step = std::min(partial, full);
      impulse += sign * step;
      add_impulse(p, sign * step, Lambda);
      for (int i = 0; i < k; ++i) add_impulse(active(i), -sign * step * response_[i], Lambda);
      if (full <= partial) {
        append(p);
        xi_[p] = 0;
        return steps;
      }
      Lambda[active(leaving)] = 0;
      state(active(leaving)) = RowState::kOpen;
      drop(leaving);
    }
  }

  void add_impulse(int row, double impulse, VecRef Lambda) {
    Lambda[row] += impulse;
    xi_.head(n_) += impulse * G_.col(row).head(n_);
  }

  // x <- G_AA^-1 x with G_AA = L L^T.
  void solve_active(VecX& x) const {
    const int k = active_count();
    if (k == 0) return;
    const auto L = L_.topLeftCorner(k, k).triangularView<Eigen::Lower>();
    L.solveInPlace(x.head(k));
    L.transpose().solveInPlace(x.head(k));
  }

  void append(int p) {
    const int k = active_count();
    double rest = G_(p, p);
    for (int i = 0; i < k; ++i) {
      double value = G_(active(i), p);
      for (int j = 0; j < i; ++j) value -= L_(i, j) * L_(k, j);
      L_(k, i) = value / L_(i, i);
      rest -= L_(k, i) * L_(k, i);
    }
    L_(k, k) = std::sqrt(std::max(rest, std::numeric_limits<double>::min()));
    active_.push_back(p);
  }

  // The rows behind the one that leaves are factored anew: there are few.
  void drop(int position) {
    const std::size_t first = static_cast<std::size_t>(position);
    tail_.assign(active_.begin() + position + 1, active_.end());
    active_.resize(first);
    for (const int row : tail_) append(row);
  }

  // The impulses of the final set once more from c: without the rounding of the way there.
  void refine(const LocalProblem& problem, VecRef Lambda) {
    const int k = active_count();
    for (int i = 0; i < k; ++i) candidate_[i] = -problem.c[active(i)];
    solve_active(candidate_);
    for (int i = 0; i < k; ++i) {
      if (state(active(i)) == RowState::kClosed && candidate_[i] < 0) return;
    }
    for (int i = 0; i < k; ++i) Lambda[active(i)] = candidate_[i];
  }

  int n_ = 0;
  MatX G_, L_;
  VecX xi_, response_, candidate_;
  std::vector<int> active_, tail_;
  std::vector<RowState> is_;
};

}  // namespace

std::unique_ptr<Solver> make_dual_active_set() {
  return std::make_unique<DualActiveSet>();
}

}  // namespace freeplay::complementarity

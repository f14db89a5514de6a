#include "freeplay/complementarity/pivoting/enumerative.h"

#include <algorithm>
#include <cmath>

#include "freeplay/complementarity/pivoting/mode_solver.h"
#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::complementarity {
namespace {

// 4^8 combinations of eight planar contacts: some tenths of a second at worst.
constexpr int kMostRowsEnumerated = 16;
constexpr double kMostModes = 1e5;

// Counts through the combinations of modes like an odometer, the last row fastest.
class ModeCounter {
 public:
  void reserve(int rows) {
    digit_.resize(std::max(digit_.size(), static_cast<std::size_t>(rows)));
    modes_.resize(digit_.size());
  }

  void start(const ScaledProblem& problem) {
    reserve(problem.size);
    for (int r = 0; r < problem.size; ++r) set(problem, r, 0);
  }
  bool advance(const ScaledProblem& problem) {
    for (int r = problem.size - 1; r >= 0; --r) {
      if (digit_[r] + 1 < choices(problem, r)) {
        set(problem, r, digit_[r] + 1);
        for (int later = r + 1; later < problem.size; ++later) set(problem, later, 0);
        return true;
      }
    }
    return false;
  }
  std::span<const RowMode> modes() const { return modes_; }

  // The number of combinations: of a contact, those of its open tangents plus those of its closed ones.
  double count(const ScaledProblem& problem) {
    reserve(problem.size);
    double result = 1;
    for (int r = 0; r < problem.size; ++r) {
      if (problem.rows[r].kind == RowKind::kNonNegative) {
        double open = 1, closed = 1;
        for (int t = r + 1; t < problem.size; ++t) {
          if (problem.rows[t].normal != r) continue;
          closed *= most_choices(problem.rows[t].kind);
          if (!problem.is_pinned_when_open(t)) open *= most_choices(problem.rows[t].kind);
        }
        result *= open + closed;
      } else if (problem.rows[r].normal < 0) {
        result *= most_choices(problem.rows[r].kind);
      }
    }
    return result;
  }

 private:
  static int most_choices(RowKind kind) {
    switch (kind) {
      case RowKind::kFree:
      case RowKind::kFixed:
        return 1;
      case RowKind::kNonNegative:
      case RowKind::kBelow:
      case RowKind::kAbove:
        return 2;
      case RowKind::kBetween:
        return 3;
    }
    return 1;
  }
  // The normal row stands before its tangents, so its mode is settled when theirs are counted.
  int choices(const ScaledProblem& problem, int r) const {
    const bool pinned = problem.is_pinned_when_open(r) && modes_[problem.rows[r].normal] == RowMode::kLower;
    return pinned ? 1 : most_choices(problem.rows[r].kind);
  }
  void set(const ScaledProblem& problem, int r, int digit) {
    digit_[r] = digit;
    switch (problem.rows[r].kind) {
      case RowKind::kFree:
        modes_[r] = RowMode::kHeld;
        break;
      case RowKind::kFixed:
        modes_[r] = RowMode::kLower;
        break;
      case RowKind::kNonNegative:
      case RowKind::kBelow:
        modes_[r] = digit == 0 ? RowMode::kLower : RowMode::kHeld;
        break;
      case RowKind::kAbove:
        modes_[r] = digit == 0 ? RowMode::kUpper : RowMode::kHeld;
        break;
      case RowKind::kBetween:
        modes_[r] = digit == 0 ? RowMode::kLower : digit == 1 ? RowMode::kUpper : RowMode::kHeld;
        break;
    }
  }

  std::vector<int> digit_;
  std::vector<RowMode> modes_;
};

class Enumerative final : public Solver {
 public:
  std::string_view name() const override { return "enumerative"; }
  SolverTraits traits() const override { return {.largest_problem = kMostRowsEnumerated}; }

  void reserve(int rows) override {
    scaled_.reserve(rows);
    counter_.reserve(rows);
    mode_solver_.reserve(rows);
    if (best_.size() < rows) {
      candidate_.resize(rows);
      best_.resize(rows);
    }
  }

  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& /*guess*/,
                    VecRef Lambda) override {
    const int n = problem.size();
    if (!ScaledProblem::takes(problem, kMostRowsEnumerated)) return refuse();
    reserve(n);
    const bool is_finite = scaled_.assign(problem);
    if (counter_.count(scaled_) > kMostModes) return refuse();
    Lambda.setZero();
    if (!is_finite || zero_solves(problem)) return certify(problem, options, Lambda, name(), 0);

    auto candidate_view = candidate_.head(n);
    auto best_view = best_.head(n);
    best_view.setZero();
    double best = natural_residual(problem, best_view).absolute;
    int tried = 0;
    const auto try_modes = [&](double rank_tolerance) {
      const ModeSolver::Result result = mode_solver_.solve(scaled_, counter_.modes(), rank_tolerance, candidate_view);
      // The residual is no smaller than the violation: most combinations end here.
      if (result.violation < best) {
        const double residual = natural_residual(problem, candidate_view).absolute;
        if (residual < best) {
          best = residual;
          best_view = candidate_view;
        }
      }
      return result.pivot_ratio;
    };
    counter_.start(scaled_);
    do {
      ++tried;
      const double pivot_ratio = try_modes(ModeSolver::kRankTolerance);
      if (best <= options.tolerance) break;
      if (pivot_ratio < ModeSolver::kDoubtfulRank) try_modes(ModeSolver::kDoubtfulRank);
    } while (best > options.tolerance && counter_.advance(scaled_));
    Lambda = best_view;
    return certify(problem, options, Lambda, name(), tried);
  }

 private:
  SolveReport refuse() const { return {.status = SolveStatus::kNotSupported, .solver = name()}; }

  ScaledProblem scaled_;
  ModeCounter counter_;
  ModeSolver mode_solver_;
  VecX candidate_, best_;
};

}  // namespace

std::unique_ptr<Solver> make_enumerative() {
  return std::make_unique<Enumerative>();
}

std::vector<VecX> all_solutions(const LocalProblem& problem, double tolerance) {
  std::vector<VecX> solutions;
  ScaledProblem scaled;
  ModeCounter counter;
  if (!ScaledProblem::takes(problem, kMostRowsEnumerated) || !scaled.assign(problem) ||
      counter.count(scaled) > kMostModes)
    return solutions;
  ModeSolver mode_solver;
  VecX Lambda(problem.size());
  const auto is_known = [&] {
    return std::any_of(solutions.begin(), solutions.end(), [&](const VecX& other) {
      for (int r = 0; r < scaled.size; ++r) {
        if (scaled.rows[r].norm * std::abs(other[r] - Lambda[r]) > 100 * tolerance) return false;
      }
      return true;
    });
  };
  counter.start(scaled);
  do {
    for (const double rank_tolerance : {ModeSolver::kRankTolerance, ModeSolver::kDoubtfulRank}) {
      const double violation = mode_solver.solve(scaled, counter.modes(), rank_tolerance, Lambda).violation;
      if (violation <= tolerance && natural_residual(problem, Lambda).absolute <= tolerance && !is_known()) {
        solutions.push_back(Lambda);
      }
    }
  } while (counter.advance(scaled));
  return solutions;
}

}  // namespace freeplay::complementarity

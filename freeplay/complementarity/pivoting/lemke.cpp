#include "freeplay/complementarity/pivoting/lemke.h"

#include <algorithm>

#include "freeplay/complementarity/pivoting/lemke_tableau.h"
#include "freeplay/complementarity/pivoting/linear_complementarity.h"
#include "freeplay/complementarity/pivoting/mode_solver.h"
#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::complementarity {
namespace {

constexpr int kMostRowsOfTableau = 400;  // rows: beyond that a dense tableau costs minutes

// Attempt 0 is the fast one. A tableau of up to eight contacts keeps its digits for the few pivots it takes; longer
// ones are recomputed from time to time. Later attempts recompute at (nearly) every pivot.
LemkeTableau::Options attempt_options(int attempt, int size, int velocity_rows) {
  LemkeTableau::Options options;
  options.velocity_rows = velocity_rows;
  options.refresh_every = attempt == 0 ? (size <= 24 ? 0 : 32) : 1 + size / 64;
  if (attempt == 2) options.cover = LemkeTableau::Cover::kVelocities;
  if (attempt > 2) {
    options.cover = LemkeTableau::Cover::kSpread;
    options.variant = attempt - 3;
  }
  return options;
}

class Lemke final : public Solver {
 public:
  explicit Lemke(const LemkeEffort& effort) : effort_(effort) {}

  std::string_view name() const override { return "lemke"; }
  SolverTraits traits() const override { return {.largest_problem = kMostRowsOfTableau}; }

  // More than that it is asked for only with bilateral rows, which do not count.
  void reserve(int wanted) override { make_room(std::min(wanted, kMostRowsOfTableau)); }

  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                    VecRef Lambda) override {
    const int n = problem.size();
    if (!ScaledProblem::takes(problem, kMostRowsOfTableau))
      return {.status = SolveStatus::kNotSupported, .solver = name()};
    if (zero_solves(problem)) {
      Lambda.setZero();
      return certify(problem, options, Lambda, name(), 0);
    }
    make_room(n);
    const bool is_finite = scaled_.assign(problem);
    if (!scaled_.has_same_matrix()) mode_solver_.begin_matrix();
    if (!is_finite) {
      Lambda.setZero();
      return certify(problem, options, Lambda, name(), 0);
    }
    if (guess.is_given()) {
      const SolveReport report = solve_by_guess(problem, options, guess, Lambda);
      if (report.status == SolveStatus::kSolved) return report;
    }
    Lambda.setZero();
    if (effort_.attempts == 0) return certify(problem, options, Lambda, name(), 0);
    lcp_.build(scaled_);
    Best best{problem, options, Lambda};
    for (int attempt = 0; attempt < effort_.attempts && !try_pivots(attempt, best); ++attempt) {
      if (lcp_.size() == 0) break;
    }
    best.report.iterations = best.pivots;
    return best.report;
  }

 private:
  // The best of several candidates, judged by the certificate alone.
  struct Best {
    const LocalProblem& problem;
    const SolverOptions& options;
    VecRef Lambda;
    SolveReport report = {};
    int pivots = 0;  // of all attempts
    bool is_any = false;

    // True if the best one so far solves the problem.
    bool consider(ConstVecRef candidate) {
      const SolveReport judged = certify(problem, options, candidate, "lemke", pivots);
      if (!is_any || judged.residual < report.residual) {
        is_any = true;
        report = judged;
        Lambda = candidate;
      }
      return report.status == SolveStatus::kSolved;
    }
  };

  // A guess is worth its modes: one linear system tells whether they still hold, and which do not. A step changes a few
  // of them at most; corrected all at once, they are mostly right after one or two more systems, which cost far less
  // than pivots. Where they go round in circles, the pivots decide.
  SolveReport solve_by_guess(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                             VecRef Lambda) {
    constexpr double kClear = 0.1;  // of the tolerance; less says nothing about a mode
    modes_of(guess);
    auto guess_view = candidate_.head(problem.size());
    for (int corrections = 0; corrections <= effort_.corrections; ++corrections) {
      mode_solver_.solve(scaled_, modes_, ModeSolver::kRankTolerance, guess_view);
      if (mode_solver_.correct(scaled_, kClear * options.tolerance, modes_) == 0) break;
    }
    const SolveReport report = certify(problem, options, guess_view, name(), 0);
    if (report.status == SolveStatus::kSolved) Lambda = guess_view;
    return report;
  }

  // One run of the tableau, and up to three readings of where it ended. True if one of them solves the problem.
  bool try_pivots(int attempt, Best& best) {
    auto candidate_view = candidate_.head(best.problem.size());
    const bool found = tableau_.run(lcp_.A(), lcp_.b(), attempt_options(attempt, lcp_.size(), lcp_.velocity_rows()));
    best.pivots += tableau_.pivots();
    // After a ray the modes are tried all the same: z0 may be zero but for rounding.
    lcp_.modes(scaled_, tableau_.is_basic(), modes_);
    const ModeSolver::Result result = mode_solver_.solve(scaled_, modes_, ModeSolver::kRankTolerance, candidate_view);
    if (best.consider(candidate_view)) return true;
    if (result.pivot_ratio < ModeSolver::kDoubtfulRank) {
      mode_solver_.solve(scaled_, modes_, ModeSolver::kDoubtfulRank, candidate_view);
      if (best.consider(candidate_view)) return true;
    }
    if (!found) return false;
    // A degenerate basis may hold a bound twice (lo = hi); the modes cannot express that, x can.
    lcp_.impulses(scaled_, tableau_.x(), candidate_view);
    return best.consider(candidate_view);
  }

  void make_room(int rows) {
    scaled_.reserve(rows);
    lcp_.reserve(rows);
    tableau_.reserve(2 * rows);
    mode_solver_.reserve(rows);
    if (candidate_.size() < rows) {
      modes_.resize(static_cast<std::size_t>(rows));
      candidate_.resize(rows);
    }
  }
  void modes_of(const ImpulseGuess& Lambda) {
    constexpr double kAtBound = 1e-9;  // relative to the width of the interval
    for (int i = 0; i < scaled_.size; ++i) {
      const ScaledRow& row = scaled_.rows[static_cast<std::size_t>(i)];
      RowMode& mode = modes_[static_cast<std::size_t>(i)];
      mode = RowMode::kHeld;
      if (row.kind == RowKind::kFree) continue;
      if (row.kind == RowKind::kNonNegative) {
        if (!(Lambda[i] > 0)) mode = RowMode::kLower;
        continue;
      }
      const auto scaled = [&](int r) { return Lambda[r] / scaled_.rows[static_cast<std::size_t>(r)].scale; };
      const double normal = row.normal < 0 ? 0 : scaled(row.normal);
      const double lo = row.lo0 + row.lo1 * normal, hi = row.hi0 + row.hi1 * normal, value = scaled(i);
      const double margin = row.kind == RowKind::kBetween ? kAtBound * (hi - lo) : 0;
      if (row.kind == RowKind::kFixed || (row.kind != RowKind::kAbove && value <= lo + margin)) {
        mode = RowMode::kLower;
      } else if (row.kind != RowKind::kBelow && value >= hi - margin) {
        mode = RowMode::kUpper;
      }
    }
  }

  LemkeEffort effort_;
  ScaledProblem scaled_;
  LinearComplementarity lcp_;
  LemkeTableau tableau_;
  ModeSolver mode_solver_;
  std::vector<RowMode> modes_;
  VecX candidate_;
};

}  // namespace

std::unique_ptr<Solver> make_lemke() {
  return make_lemke(LemkeEffort{});
}

std::unique_ptr<Solver> make_lemke(const LemkeEffort& effort) {
  return std::make_unique<Lemke>(effort);
}

}  // namespace freeplay::complementarity

// The linear problem that is left when every row's mode is known (open, sliding, sticking, ...).
#pragma once

#include <span>
#include <vector>

#include "freeplay/complementarity/linear/rank_revealing_solver.h"
#include "freeplay/complementarity/pivoting/scaled_problem.h"

namespace freeplay::complementarity {

class ModeSolver {
 public:
  // Directions below this fraction of the largest pivot (of the scaled problem) cannot be told from zero: rounding
  // leaves about 1e-15. There the solution of minimum norm is taken: of two sticking contacts with the same tangent
  // only the sum of the friction impulses is determined.
  static constexpr double kRankTolerance = 1e-12;
  // Below this one a second reading, with the doubtful directions left out, is worth a try.
  static constexpr double kDoubtfulRank = 1e-7;

  struct Result {
    double violation = 0;  // largest distance of Lambda from its set, times |G_ii|: the natural residual is no smaller
    double pivot_ratio = 1;  // of the linear system
  };

  void reserve(int rows);

  // The problems from here on have one matrix: while the modes stay the same, its factors do. Without this call, and
  // before the first one, every solve() makes its own.
  void begin_matrix() {
    keeps_factors_ = true;
    has_factors_ = false;
  }

  // Solves  xi = 0  in the held rows,  Lambda = bound  in the others, with one step of iterative refinement, and brings
  // what violates its set back onto it. modes: one per row. Writes Lambda (unscaled). Allocates nothing.
  Result solve(const ScaledProblem& problem, std::span<const RowMode> modes, double rank_tolerance, VecRef Lambda);

  // After solve(): gives the rows that contradict their mode by more than `tolerance` (in the unit of xi) the mode that
  // they point to, and says how many there were. 0: the modes are those of a solution.
  int correct(const ScaledProblem& problem, double tolerance, std::span<RowMode> modes) const;

 private:
  RowMode corrected(const ScaledProblem& problem, int row, RowMode mode, double tolerance) const;
  int number_held(std::span<const RowMode> modes, int n);
  bool is_factored(const ScaledProblem& problem, std::span<const RowMode> modes, double rank_tolerance);
  void write_matrix(const ScaledProblem& problem, std::span<const RowMode> modes, int k);
  void write_right_hand_side(const ScaledProblem& problem, std::span<const RowMode> modes, int k);
  double solve_system(int k);
  double write_impulses(const std::vector<ScaledRow>& rows, std::span<const RowMode> modes, int n, VecRef Lambda);

  bool keeps_factors_ = false, has_factors_ = false;
  // What the factors belong to, besides the matrix: modes, and how the rows at a bound depend on their normal rows.
  double rank_tolerance_ = 0;
  std::vector<RowMode> factored_modes_;
  std::vector<double> slopes_;

  RankRevealingSolver solver_;
  std::vector<int> held_;      // rows with xi = 0
  std::vector<int> position_;  // of a row in held_, or -1
  std::vector<double> K_, rhs_, x_, correction_, weight_, Lambda_;
};

}  // namespace freeplay::complementarity

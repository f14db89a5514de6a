// Contact problems that own their data, for tests.
#pragma once

#include <limits>
#include <vector>

#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::test {

struct ContactProblem {
  MatX G;
  VecX c;
  std::vector<ImpulseBlock> blocks;

  LocalProblem view() const { return {G, c, blocks}; }
  int size() const { return static_cast<int>(c.size()); }

  // Sets are added in the order of the rows.
  ContactProblem& free_rows(int count = 1) {
    for (int k = 0; k < count; ++k) blocks.push_back({.set = ImpulseSet::kFree, .row = next_row()});
    return *this;
  }
  ContactProblem& unilateral() {
    blocks.push_back({.set = ImpulseSet::kNonNegative, .row = next_row()});
    return *this;
  }
  ContactProblem& interval(double lo, double hi) {
    blocks.push_back({.set = ImpulseSet::kInterval, .row = next_row(), .lo0 = lo, .hi0 = hi});
    return *this;
  }
  ContactProblem& friction(int normal_row, double mu) {
    blocks.push_back(
        {.set = ImpulseSet::kInterval, .row = next_row(), .normal_row = normal_row, .lo1 = -mu, .hi1 = mu});
    return *this;
  }
  // Rows (N, T) of one planar contact with Coulomb friction.
  ContactProblem& contact(double mu) {
    unilateral();
    return friction(next_row() - 1, mu);
  }
  // Rows (N, T1, T2) of one contact in space.
  ContactProblem& spatial_contact(double mu) {
    unilateral();
    const int row = next_row();
    blocks.push_back({.set = ImpulseSet::kDisc, .row = row, .size = 2, .normal_row = row - 1, .mu = mu});
    return *this;
  }

 private:
  int next_row() const { return blocks.empty() ? 0 : blocks.back().row + blocks.back().size; }
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Solves with a solver of the registry without a guess.
struct Solved {
  SolveReport report;
  VecX Lambda;
};
inline Solved solve_with(std::string_view solver, const ContactProblem& problem, double tolerance = 1e-9) {
  const std::unique_ptr<Solver> instance = find_solver(solver)->make();
  Solved result{{}, VecX::Zero(problem.size())};
  result.report = instance->solve(problem.view(), {.tolerance = tolerance}, ImpulseGuess::none(), result.Lambda);
  return result;
}

}  // namespace freeplay::test

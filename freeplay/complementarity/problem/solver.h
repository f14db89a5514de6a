// The seam between the contact problem and the algorithms that solve it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/complementarity/problem/local_problem.h"

namespace freeplay::complementarity {

struct SolverTraits {
  bool takes_friction = true;
  bool takes_discs = false;     // spatial friction
  bool needs_symmetry = false;  // of G
  bool is_relaxed = false;      // solves a convexified problem: never for results
  int largest_problem = 0;      // rows, kFree ones not counted, that may be asked of it; 0: no limit
};

// The factor r of  Lambda = prox_C(Lambda - r xi)  of prox-jacobi, row by row. For symmetric positive semidefinite G
// without friction the iteration converges if and only if every eigenvalue of r G lies below 2.
enum class RFactor : std::uint8_t {
  kSpectral,  // one number for D G D close to the bound, 1.9 / lambda_max, lambda_max estimated by power iteration
  kRowSum,    // 1 / sum_j |(D G D)_ij|, the smallest of a contact: below the bound by Gershgorin's theorem; cautious
              // (of a matrix-free G nobody knows these sums: kSpectral)
  kDiagonal   // 1 / |G_ii|_2 of each contact: fast where contacts hardly know of each other, may diverge elsewhere
};

// Solved is what has a natural residual of at most
//   max(tolerance, relative_tolerance * velocity_magnitude()).
// A solver aims at the first; the second is what rounding leaves where impulses or velocities are large.
struct SolverOptions {
  double tolerance = 1e-9;            // in the unit of xi (m/s)
  double relative_tolerance = 1e-12;  // of the numbers that the velocities are sums of
  RFactor r_factor = RFactor::kSpectral;
  // How many threads may work on a large pile together; 0: one per core. The same bits for any number.
  int threads = 1;
};

// Where a solver may start: at the impulses of a similar problem, such as the iteration or the step before, or from
// nothing. A guess can change how soon a solution is found and, where there are several, which one; it never changes
// what counts as solved. Zeros are a guess too: that nothing acts. A view, which may look at the vector of the answer.
class ImpulseGuess {
 public:
  static ImpulseGuess none() { return {}; }
  // One impulse per row. Not for expressions: they have no storage to look at.
  template <class Derived>
  static ImpulseGuess from(const Eigen::MatrixBase<Derived>& Lambda) {
    static_assert(Derived::IsVectorAtCompileTime);
    ImpulseGuess guess;
    guess.Lambda_ = guess.modes_ = Lambda.derived().data();
    return guess;
  }
  // The same impulses, of which the modes count: what was open, stuck, or slid, and where to. Where contacts are
  // redundant, an answer that is found from these holds nothing of what they once pressed on each other; the impulses
  // themselves are tried after that. To a solver that knows no start by modes it is no guess.
  template <class Derived>
  static ImpulseGuess modes_of(const Eigen::MatrixBase<Derived>& Lambda) {
    ImpulseGuess guess = from(Lambda);
    guess.Lambda_ = nullptr;
    return guess;
  }

  bool is_given() const { return Lambda_ != nullptr; }
  // One impulse per row whose modes may be a start; null without a guess.
  const double* modes() const { return modes_; }
  double operator[](int row) const { return Lambda_[row]; }
  // Lambda = the guess; zero without one.
  void write(VecRef Lambda) const {
    for (Eigen::Index i = 0; i < Lambda.size(); ++i) Lambda[i] = is_given() ? Lambda_[i] : 0;
  }

 private:
  const double* Lambda_ = nullptr;
  const double* modes_ = nullptr;
};

enum class SolveStatus : std::uint8_t {
  kSolved,       // natural_residual is within the tolerance, absolute or relative (SolverOptions)
  kNotSolved,    // Lambda is the best that was found
  kNotSupported  // a set or a size that this solver does not take; Lambda is untouched
};

struct SolveReport {
  SolveStatus status = SolveStatus::kNotSolved;
  double residual = 0;  // natural residual of the Lambda returned, as it is
  double limit = 0;     // up to which it counts as solved; above SolverOptions::tolerance where only that was met
  double relative_residual = 0;
  int worst_row = -1;
  int iterations = 0;       // pivots, bases or sweeps
  std::string_view solver;  // that delivered Lambda (of a chain: the one that succeeded)
};

// The only way to make a report: status and residuals are those of natural_residual().
SolveReport certify(const LocalProblem& problem, const SolverOptions& options, const ConstVecRef& Lambda,
                    std::string_view solver, int iterations);

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;
  virtual SolverTraits traits() const = 0;
  // Makes room for problems of up to `rows` rows; solve() then allocates nothing, with these exceptions:
  //   - the first problem of a thread whose G is not dense, or whose contacts have their rows apart (natural_residual)
  //   - a matrix-free G of which a solver needs the entries
  //   - a G of more than 256 rows that is dense all the same, in the iterative solvers
  //   - Newton's method with more than 96 rows that do not stay at a bound
  //   - auto with more than 48 rows, most of them bilateral, where the rows or their couplings are others than before
  //   - lemke with more than 400 rows, and as the last resort of auto with more than 48
  virtual void reserve(int rows) = 0;
  // Writes Lambda: the answer, or the best that was found. What stood there before plays no part, and neither do the
  // problems solved before: the same problem and guess give the same bits. The report's residual is that of
  // natural_residual(). Numbers of a guess that are not finite are taken for zero.
  [[nodiscard]] virtual SolveReport solve(const LocalProblem& problem, const SolverOptions& options,
                                          const ImpulseGuess& guess, VecRef Lambda) = 0;
};

struct SolverEntry {
  std::string name;
  std::string description;
  std::unique_ptr<Solver> (*make)();
};
// Every solver there is; `freeplay list solvers` prints it.
const std::vector<SolverEntry>& solver_registry();
const SolverEntry* find_solver(std::string_view name);

}  // namespace freeplay::complementarity

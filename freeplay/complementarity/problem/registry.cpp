#include <algorithm>
#include <cmath>

#include "freeplay/complementarity/iterative/auto_solver.h"
#include "freeplay/complementarity/iterative/gauss_seidel.h"
#include "freeplay/complementarity/iterative/island_solver.h"
#include "freeplay/complementarity/iterative/newton/newton_method.h"
#include "freeplay/complementarity/iterative/prox_jacobi.h"
#include "freeplay/complementarity/iterative/proximal_point.h"
#include "freeplay/complementarity/iterative/relaxed_cone.h"
#include "freeplay/complementarity/pivoting/dual_active_set.h"
#include "freeplay/complementarity/pivoting/enumerative.h"
#include "freeplay/complementarity/pivoting/lemke.h"
#include "freeplay/complementarity/problem/natural_residual.h"
#include "freeplay/complementarity/problem/solver.h"

namespace freeplay::complementarity {
namespace {

std::unique_ptr<Solver> make_nsgs() {
  return std::make_unique<IslandSolver>("nsgs", std::make_unique<ExactGaussSeidel>());
}
std::unique_ptr<Solver> make_prox_gauss_seidel() {
  return std::make_unique<IslandSolver>("prox-gauss-seidel", std::make_unique<ProxGaussSeidel>());
}
std::unique_ptr<Solver> make_proximal_point() {
  return std::make_unique<IslandSolver>("proximal-point", std::make_unique<ProximalPoint>());
}
std::unique_ptr<Solver> make_semismooth_newton() {
  return std::make_unique<IslandSolver>("semismooth-newton", std::make_unique<NewtonMethod>());
}

}  // namespace

const std::vector<SolverEntry>& solver_registry() {
  static const std::vector<SolverEntry> entries = {
      {"auto", "pivoting where the problem is small and planar, otherwise Newton; falls back until it is solved",
       &make_auto_solver},
      {"dual-active-set", "Goldfarb and Idnani's dual method for the quadratic program; contact without friction",
       &make_dual_active_set},
      {"enumerative", "every combination of contact modes in a fixed order; exact, for few contacts",
       &make_enumerative},
      {"lemke", "complementary pivoting on the linear complementarity problem of planar contact", &make_lemke},
      {"nsgs", "Gauss-Seidel over the contacts, each solved exactly", &make_nsgs},
      {"prox-gauss-seidel", "the augmented Lagrangian of the 2012 paper, contact after contact",
       &make_prox_gauss_seidel},
      {"prox-jacobi", "the augmented Lagrangian of the 2012 paper, all contacts at once; takes matrix-free operators",
       &make_prox_jacobi},
      {"proximal-point", "a sequence of regularised problems, each by Newton; robust for redundant and ill-posed ones",
       &make_proximal_point},
      {"relaxed-cone", "convexified friction: solves a relaxed problem, lifts what slides; for teaching only",
       &make_relaxed_cone},
      {"semismooth-newton", "Newton on the prox equation (Alart-Curnier, then natural map) with line search",
       &make_semismooth_newton},
  };
  return entries;
}

const SolverEntry* find_solver(std::string_view name) {
  for (const SolverEntry& entry : solver_registry()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

SolveReport certify(const LocalProblem& problem, const SolverOptions& options, const ConstVecRef& Lambda,
                    std::string_view solver, int iterations) {
  const NaturalResidual residual = natural_residual(problem, Lambda);
  SolveReport report;
  report.limit = options.tolerance;
  // What is not finite stays unsolved: its residual is infinite.
  if (residual.absolute > options.tolerance && std::isfinite(residual.absolute)) {
    report.limit = std::max(report.limit, options.relative_tolerance * velocity_magnitude(problem, Lambda));
  }
  report.status =
      residual.absolute <= report.limit && std::isfinite(report.limit) ? SolveStatus::kSolved : SolveStatus::kNotSolved;
  report.residual = residual.absolute;
  report.relative_residual = residual.relative();
  report.worst_row = residual.worst_row;
  report.iterations = iterations;
  report.solver = solver;
  return report;
}

}  // namespace freeplay::complementarity

#include "freeplay/complementarity/auto_solver.h"
#include "freeplay/complementarity/enumerative.h"
#include "freeplay/complementarity/lemke.h"
#include "freeplay/complementarity/natural_residual.h"
#include "freeplay/complementarity/proximal_point.h"
#include "freeplay/complementarity/semismooth_newton.h"
#include "freeplay/complementarity/solver.h"

namespace freeplay {

const std::vector<SolverEntry>& solver_registry() {
  static const std::vector<SolverEntry> entries = {
      {"auto", "lemke, then enumerative where lemke finds nothing and the problem is small", &make_auto_solver},
      {"enumerative", "every combination of contact modes in a fixed order; exact, for few contacts",
       &make_enumerative},
      {"lemke", "complementary pivoting on the linear complementarity problem of planar contact", &make_lemke},
      {"proximal-point", "a sequence of regularised problems, each by Newton; robust for redundant and ill-posed ones",
       &make_proximal_point},
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
  report.status = residual.absolute <= options.tolerance ? SolveStatus::kSolved : SolveStatus::kNotSolved;
  report.residual = residual.absolute;
  report.relative_residual = residual.relative();
  report.worst_row = residual.worst_row;
  report.iterations = iterations;
  report.solver = solver;
  return report;
}

}  // namespace freeplay

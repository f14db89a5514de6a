// A friction-contact problem solved and judged: what `freeplay solve` prints, as data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "freeplay/complementarity/problem/natural_residual.h"
#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/io/problem/contact_problem.h"

namespace freeplay::app {

struct ContactError {
  int contact = 0;
  double residual = 0;
};

struct ContactSolution {
  bool is_solved = false, is_supported = true;
  NaturalResidual residual;
  std::string delivered_by;
  int iterations = 0, islands = 0;
  double cpu_seconds = 0, wall_seconds = 0;
  int open = 0, stick = 0, slip = 0;
  std::vector<double> r, u, lambda;
  std::vector<ContactError> worst;  // of a failure
};

// Reads a file whatever is wrong with it. Throws ModelError, IoError.
ContactProblem read_problem_safely(const std::filesystem::path& path);

// Throws UsageError for a name that is none.
const SolverEntry& solver_named(const std::string& name);

// Never throws for numerical reasons. `tolerance`: of the relative natural residual.
ContactSolution solve_contact_problem(const ContactProblem& problem, const SolverEntry& entry, double tolerance);

// Why it is not solved; empty if it is. And what may help.
std::string failure_of(const ContactSolution& solution, const std::string& solver, double tolerance);
std::string cure_of_failure(const SolverEntry& entry);

}  // namespace freeplay::app

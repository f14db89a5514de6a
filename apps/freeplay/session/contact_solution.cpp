#include "session/contact_solution.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "freeplay/complementarity/iterative/grouped_problem.h"
#include "freeplay/io/problem/contact_problem_file.h"
#include "session/trial_run.h"
#include "text/error_report.h"

namespace freeplay::app {

namespace {

double cpu_seconds_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int island_count(const LocalProblem& problem) {
  GroupedProblem grouped;
  return grouped.assign(problem) ? grouped.island_count() : 0;
}

// Within the velocity that the tolerance leaves undecided: open, if the contact's impulse moves it by no more than
// that; stick, if it is closed and slides no faster.
void count_modes(const ContactProblem& problem, const LocalProblem& local, double undecided_m_s,
                 ContactSolution& solution) {
  const int first_block = problem.bilateral_count();
  ContactGroups groups;
  groups.assign(local.blocks);
  for (int contact = 0; contact < problem.contact_count(); ++contact) {
    const std::size_t normal = static_cast<std::size_t>(contact) * problem.dimension;
    const double norm = contact_norm(local, groups, first_block + 2 * contact);
    const double sliding = problem.dimension == 2 ? std::abs(solution.u[normal + 1])
                                                  : std::hypot(solution.u[normal + 1], solution.u[normal + 2]);
    if (norm * solution.r[normal] <= undecided_m_s)
      ++solution.open;
    else if (sliding <= undecided_m_s)
      ++solution.stick;
    else
      ++solution.slip;
  }
}

// The natural residual of one contact: that of the problem in which all other impulses are given.
double contact_residual(const ContactProblem& problem, const LocalProblem& local, const ContactSolution& solution,
                        int contact) {
  const int size = problem.dimension, first = contact * size;
  std::vector<int> rows;
  for (int k = 0; k < size; ++k) rows.push_back(problem.bilateral_count() + first + k);
  MatX G(size, size);
  local.G.diagonal_block(rows, G.data());
  const VecX r = Eigen::Map<const VecX>(solution.r.data() + first, size);
  const VecX c = Eigen::Map<const VecX>(solution.u.data() + first, size) - G * r;
  std::vector<ImpulseBlock> blocks;
  for (int k = 0; k < 2; ++k) {
    blocks.push_back(local.blocks[problem.bilateral_count() + 2 * contact + k]);
    blocks.back().row = k;
  }
  blocks[1].normal_row = 0;
  return natural_residual({G, c, blocks}, r).absolute;
}

std::vector<ContactError> worst_contacts(const ContactProblem& problem, const LocalProblem& local,
                                         const ContactSolution& solution) {
  constexpr std::size_t kShown = 5;
  std::vector<ContactError> errors;
  for (int contact = 0; contact < problem.contact_count(); ++contact) {
    errors.push_back({contact, contact_residual(problem, local, solution, contact)});
  }
  std::stable_sort(errors.begin(), errors.end(),
                   [](const ContactError& a, const ContactError& b) { return a.residual > b.residual; });
  errors.resize(std::min(errors.size(), kShown));
  return errors;
}

}  // namespace

// HDF5 1.10 follows some damaged addresses into memory that is not there. Reading takes milliseconds; so it is tried
// where a crash does no harm.
ContactProblem read_problem_safely(const std::filesystem::path& path) {
  constexpr TrialLimits kLimits{60, std::uint64_t{64} << 30};
  if (!survives_trial([&] { read_contact_problem(path); }, kLimits)) {
    throw ModelError({Diagnostic{
        {path.string()}, {}, "is damaged in a way that HDF5 cannot cope with", "write or copy the file again", {}}});
  }
  return read_contact_problem(path);
}

const SolverEntry& solver_named(const std::string& name) {
  if (const SolverEntry* entry = find_solver(name)) return *entry;
  std::vector<std::string> known;
  for (const SolverEntry& candidate : solver_registry()) known.push_back(candidate.name);
  throw UsageError::unknown("solver", name, known);
}

ContactSolution solve_contact_problem(const ContactProblem& problem, const SolverEntry& entry, double tolerance) {
  const ContactLocalProblem owner(problem);
  const LocalProblem local = owner.view();
  const std::unique_ptr<Solver> solver = entry.make();
  VecX Lambda = VecX::Zero(local.size());  // one that does not take the problem leaves it as it is
  ContactSolution solution;

  // The solver is given an absolute tolerance. The scale of the relative one is not known before its answer is, but
  // never smaller than |c|.
  const auto wall_start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds_now();
  const SolveReport report =
      solver->solve(local, {.tolerance = tolerance * max_abs(local.c)}, ImpulseGuess::none(), Lambda);
  solution.cpu_seconds = cpu_seconds_now() - cpu_start;
  solution.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();

  solution.is_supported = report.status != SolveStatus::kNotSupported;
  solution.iterations = report.iterations;
  solution.delivered_by = report.solver;
  solution.residual = natural_residual(local, Lambda);
  solution.is_solved = solution.is_supported && solution.residual.relative() <= tolerance;
  solution.islands = island_count(local);

  VecX xi(local.size());
  local.G.apply(Lambda, xi);
  xi += local.c;
  const int p = problem.bilateral_count();
  solution.lambda.assign(Lambda.data(), Lambda.data() + p);
  solution.r.assign(Lambda.data() + p, Lambda.data() + Lambda.size());
  solution.u.assign(xi.data() + p, xi.data() + xi.size());
  count_modes(problem, local, tolerance * solution.residual.scale, solution);
  if (!solution.is_solved) solution.worst = worst_contacts(problem, local, solution);
  return solution;
}

std::string failure_of(const ContactSolution& solution, const std::string& solver, double tolerance) {
  if (solution.is_solved) return {};
  if (!solution.is_supported) return fmt::format("{} does not take this kind or size of problem", solver);
  return fmt::format("the relative residual is {:.3g}, above the tolerance {:.3g}", solution.residual.relative(),
                     tolerance);
}

std::string cure_of_failure(const SolverEntry& entry) {
  if (entry.make()->traits().is_relaxed)
    return "this solver relaxes Coulomb's law by design, and the residual is that of the law";
  return entry.name == "auto" ? "auto tried all it has; a larger --tol may be what the data allow"
                              : "`--solver auto` tries the most; `freeplay list solvers` shows the others";
}

}  // namespace freeplay::app

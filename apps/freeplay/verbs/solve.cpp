#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "freeplay/complementarity/iterative/grouped_problem.h"
#include "freeplay/complementarity/problem/natural_residual.h"
#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/io/problem/contact_problem_file.h"
#include "text/error_report.h"
#include "text/json_output.h"
#include "text/terminal.h"
#include "text/text_table.h"
#include "verbs/trial_run.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

struct ContactError {
  int contact = 0;
  double residual = 0;
};

struct Solution {
  bool is_solved = false, is_supported = true;
  NaturalResidual residual;
  std::string delivered_by;
  int iterations = 0, islands = 0;
  double cpu_seconds = 0, wall_seconds = 0;
  int open = 0, stick = 0, slip = 0;
  std::vector<double> r, u, lambda;
  std::vector<ContactError> worst;  // of a failure
};

// HDF5 1.10 follows some damaged addresses into memory that is not there. Reading takes milliseconds; so it is tried
// where a crash does no harm.
ContactProblem read_problem(const std::filesystem::path& path) {
  constexpr TrialLimits kLimits{60, std::uint64_t{64} << 30};
  if (!survives_trial([&] { read_contact_problem(path); }, kLimits)) {
    throw ModelError({Diagnostic{
        {path.string()}, {}, "is damaged in a way that HDF5 cannot cope with", "write or copy the file again", {}}});
  }
  return read_contact_problem(path);
}

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
void count_modes(const ContactProblem& problem, const LocalProblem& local, double undecided_m_s, Solution& solution) {
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
double contact_residual(const ContactProblem& problem, const LocalProblem& local, const Solution& solution,
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
                                         const Solution& solution) {
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

Solution solve_problem(const ContactProblem& problem, const SolverEntry& entry, double tolerance) {
  const ContactLocalProblem owner(problem);
  const LocalProblem local = owner.view();
  const std::unique_ptr<Solver> solver = entry.make();
  VecX Lambda(local.size());
  Solution solution;

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

std::string failure_of(const Solution& solution, const SolveArguments& arguments) {
  if (solution.is_solved) return {};
  if (!solution.is_supported) return fmt::format("{} does not take this kind or size of problem", arguments.solver);
  return fmt::format("the relative residual is {:.3g}, above the tolerance {:.3g}", solution.residual.relative(),
                     arguments.tolerance);
}

void print_table(const SolveArguments& arguments, const ContactProblem& problem, const Solution& solution) {
  const Painter paint(stdout);
  TextTable table("lrl");
  const auto row = [&](const char* label, std::string value, std::string unit = {}) {
    table.add({paint.dim(label), std::move(value), std::move(unit)});
  };
  const auto number = [](double value) { return fmt::format("{:.3g}", value); };
  row("dimension", std::to_string(problem.dimension));
  row("contacts", grouped(problem.contact_count()),
      paint.dim(fmt::format("in {}", counted(solution.islands, "island"))));
  if (problem.bilateral_count() > 0) row("bilateral rows", grouped(problem.bilateral_count()));
  row("rows", grouped(static_cast<long long>(problem.q.size()) + problem.bilateral_count()));
  row("entries", grouped(static_cast<long long>(problem.W.value.size())));
  row("iterations", grouped(solution.iterations));
  row("residual", number(solution.residual.absolute));
  row("relative residual", number(solution.residual.relative()),
      paint.dim(fmt::format("tolerance {:.3g}", arguments.tolerance)));
  row("open", grouped(solution.open), "contacts");
  row("stick", grouped(solution.stick), "contacts");
  row("slip", grouped(solution.slip), "contacts");
  row("CPU time", number(solution.cpu_seconds), "s");
  row("wall time", number(solution.wall_seconds), "s");
  std::string solver = arguments.solver;
  if (!solution.delivered_by.empty() && solution.delivered_by != solver) solver += ": " + solution.delivered_by;
  fmt::print("{}  {}  {}\n", paint.bold(arguments.problem.filename().string()),
             solution.is_solved ? paint.green("solved") : paint.red("failed"), paint.dim(solver));
  fmt::print("{}", table.text(2, 1));
  if (!solution.worst.empty()) {
    fmt::print("worst contacts\n");
    TextTable worst("rl");
    for (const ContactError& error : solution.worst) worst.add({grouped(error.contact), number(error.residual)});
    fmt::print("{}", worst.text());
  }
  if (arguments.solution) fmt::print("{}\n", arguments.solution->string());
}

void print_json_text(const SolveArguments& arguments, const ContactProblem& problem, const Solution& solution,
                     ExitCode code) {
  nlohmann::ordered_json json = {{"status", solution.is_solved ? "solved" : "failed"},
                                 {"message", failure_of(solution, arguments)},
                                 {"residual", solution.residual.absolute},
                                 {"relative_residual", solution.residual.relative()},
                                 {"tolerance", arguments.tolerance},
                                 {"iterations", solution.iterations},
                                 {"cpu_seconds", solution.cpu_seconds},
                                 {"wall_seconds", solution.wall_seconds},
                                 {"solver", arguments.solver},
                                 {"delivered_by", solution.delivered_by},
                                 {"dimension", problem.dimension},
                                 {"contacts", problem.contact_count()},
                                 {"bilateral_rows", problem.bilateral_count()},
                                 {"entries", problem.W.value.size()},
                                 {"islands", solution.islands},
                                 {"open", solution.open},
                                 {"stick", solution.stick},
                                 {"slip", solution.slip},
                                 {"worst_contacts", nlohmann::ordered_json::array()},
                                 {"exit_code", static_cast<int>(code)},
                                 {"problem", arguments.problem.string()},
                                 {"solution", nullptr}};
  for (const ContactError& error : solution.worst) {
    json["worst_contacts"].push_back({{"contact", error.contact}, {"residual", error.residual}});
  }
  if (arguments.solution) json["solution"] = arguments.solution->string();
  print_json(json);
}

}  // namespace

ExitCode solve(const SolveArguments& arguments) {
  const SolverEntry* entry = find_solver(arguments.solver);
  if (entry == nullptr) {
    std::vector<std::string> known;
    for (const SolverEntry& candidate : solver_registry()) known.push_back(candidate.name);
    throw UsageError::unknown("solver", arguments.solver, known);
  }
  if (!(arguments.tolerance > 0 && arguments.tolerance < 1)) {
    throw UsageError(fmt::format("--tol {} is not a relative residual between 0 and 1", arguments.tolerance),
                     "write --tol 1e-8");
  }
  std::error_code ignored;
  if (arguments.solution && std::filesystem::equivalent(*arguments.solution, arguments.problem, ignored)) {
    throw UsageError("--solution would replace the problem", "give it a file of its own");
  }
  const ContactProblem problem = read_problem(arguments.problem);
  const Solution solution = solve_problem(problem, *entry, arguments.tolerance);
  const ExitCode code = solution.is_solved ? ExitCode::kOk : ExitCode::kSolverGaveUp;
  if (arguments.solution) write_contact_solution(*arguments.solution, solution.r, solution.u, solution.lambda);
  if (!solution.is_solved) {
    const Painter paint(stderr);
    fmt::print(stderr, "{} {}: {}\n", paint.red("error:"), arguments.problem.string(), failure_of(solution, arguments));
    const char* hint = entry->make()->traits().is_relaxed
                           ? "this solver relaxes Coulomb's law by design, and the residual is that of the law"
                       : arguments.solver == "auto"
                           ? "auto tried all it has; a larger --tol may be what the data allow"
                           : "`--solver auto` tries the most; `freeplay list solvers` shows the others";
    fmt::print(stderr, "    {} {}\n", paint.cyan("hint:"), hint);
  }
  if (arguments.json)
    print_json_text(arguments, problem, solution, code);
  else
    print_table(arguments, problem, solution);
  return code;
}

}  // namespace freeplay::app

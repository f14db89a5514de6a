#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/io/problem/contact_problem_file.h"
#include "session/contact_solution.h"
#include "terminal/json_output.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

void print_table(const SolveArguments& arguments, const ContactProblem& problem, const ContactSolution& solution) {
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

void print_json_text(const SolveArguments& arguments, const ContactProblem& problem, const ContactSolution& solution,
                     ExitCode code) {
  nlohmann::ordered_json json = {{"status", solution.is_solved ? "solved" : "failed"},
                                 {"message", failure_of(solution, arguments.solver, arguments.tolerance)},
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
  const SolverEntry& entry = solver_named(arguments.solver);
  if (!(arguments.tolerance > 0 && arguments.tolerance < 1)) {
    throw UsageError(fmt::format("--tol {} is not a relative residual between 0 and 1", arguments.tolerance),
                     "write --tol 1e-8");
  }
  std::error_code ignored;
  if (arguments.solution && std::filesystem::equivalent(*arguments.solution, arguments.problem, ignored)) {
    throw UsageError("--solution would replace the problem", "give it a file of its own");
  }
  const ContactProblem problem = read_problem_safely(arguments.problem);
  const ContactSolution solution = solve_contact_problem(problem, entry, arguments.tolerance);
  const ExitCode code = solution.is_solved ? ExitCode::kOk : ExitCode::kSolverGaveUp;
  if (arguments.solution) write_contact_solution(*arguments.solution, solution.r, solution.u, solution.lambda);
  if (!solution.is_solved) {
    const Painter paint(stderr);
    fmt::print(stderr, "{} {}: {}\n", paint.red("error:"), arguments.problem.string(),
               failure_of(solution, arguments.solver, arguments.tolerance));
    fmt::print(stderr, "    {} {}\n", paint.cyan("hint:"), cure_of_failure(entry));
  }
  if (arguments.json)
    print_json_text(arguments, problem, solution, code);
  else
    print_table(arguments, problem, solution);
  return code;
}

}  // namespace freeplay::app

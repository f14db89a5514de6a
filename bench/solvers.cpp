// One of our solvers on one problem file, for bench/solvers.py, which runs this once per pair:
//
//   bench_solvers SOLVER PROBLEM CAP    CAP: seconds of CPU time after which the process ends itself
//
// On stdout: a line with the status, CPU seconds per solve, iterations and the solver that delivered, then the bytes of
// r.
#include <fmt/format.h>
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/core/error.h"
#include "freeplay/io/problem/contact_problem_file.h"

namespace freeplay::bench {
namespace {

constexpr double kTolerance = 1e-8;  // on the relative residual
// A solve shorter than this is repeated until all of them together are as long: clocks are coarse. The peers do so too.
constexpr double kMeasured_s = 0.02;
constexpr int kMaxRepetitions = 1000;

double cpu_seconds_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// SIGPROF, which ends the process, once it has used this much CPU time; 0 disarms.
void end_after(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(timer.it_value.tv_sec)));
  setitimer(ITIMER_PROF, &timer, nullptr);
}

const char* text_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::kSolved:
      return "solved";
    case SolveStatus::kNotSolved:
      return "failed";
    case SolveStatus::kNotSupported:
      return "unsupported";
  }
  return "failed";
}

int run(const char* solver_name, const char* path, double cap_s) {
  const SolverEntry* entry = find_solver(solver_name);
  if (entry == nullptr) {
    fmt::print(stderr, "There is no solver '{}'.\n", solver_name);
    return 2;
  }
  const ContactProblem problem = read_contact_problem(path);
  const ContactLocalProblem owner(problem);
  const LocalProblem local = owner.view();
  const SolverOptions options{.tolerance = kTolerance * local.c.cwiseAbs().maxCoeff()};

  VecX Lambda(local.size());
  std::unique_ptr<Solver> solver = entry->make();
  end_after(cap_s);
  const double first_start = cpu_seconds_now();
  const SolveReport report = solver->solve(local, options, ImpulseGuess::none(), Lambda);
  const double first_s = cpu_seconds_now() - first_start;
  end_after(0);

  double per_solve_s = first_s;
  if (first_s < kMeasured_s) {  // each time a new solver, from the same start
    std::vector<std::unique_ptr<Solver>> solvers;
    std::vector<VecX> answers;
    for (int k = 0; k < kMaxRepetitions; ++k) {
      solvers.push_back(entry->make());
      answers.emplace_back(local.size());
    }
    const double start = cpu_seconds_now();
    int done = 0;
    double elapsed_s = 0;
    while (done < kMaxRepetitions && elapsed_s < kMeasured_s) {
      static_cast<void>(solvers[done]->solve(local, options, ImpulseGuess::none(), answers[done]));
      ++done;
      elapsed_s = cpu_seconds_now() - start;
    }
    per_solve_s = elapsed_s / done;
  }
  fmt::print("{} {:.9g} {} {}\n", text_of(report.status), per_solve_s, report.iterations, report.solver);
  const int contact_rows = local.size() - owner.bilateral_count();
  std::fwrite(Lambda.data() + owner.bilateral_count(), sizeof(double), static_cast<std::size_t>(contact_rows), stdout);
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: bench_solvers SOLVER PROBLEM CAP_SECONDS (./dev bench solvers runs it)\n");
    return 2;
  }
  try {
    return freeplay::bench::run(argv[1], argv[2], std::atof(argv[3]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

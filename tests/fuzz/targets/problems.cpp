#include "freeplay/complementarity/problem/natural_residual.h"
#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/core/error.h"
#include "freeplay/io/problem/contact_problem_file.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/contained.h"
#include "fuzz/targets/file_input.h"
#include "fuzz/targets/targets.h"
#include "session/trial_run.h"
#include "unit/io/contact_problem_examples.h"

namespace freeplay::test::fuzz {

namespace {

// Larger ones take their time rightly.
constexpr std::size_t kMostRows = 60;

void solve(const ContactProblem& problem) {
  const ContactLocalProblem owner(problem);
  const LocalProblem local = owner.view();
  constexpr double kTolerance = 1e-8;
  VecX Lambda = VecX::Zero(local.size());
  for (const char* name : {"auto", "nsgs"}) {
    const SolverEntry* entry = find_solver(name);
    if (entry == nullptr) report_finding("a solver is gone");
    const SolveReport report =
        entry->make()->solve(local, {.tolerance = kTolerance * max_abs(local.c)}, ImpulseGuess::none(), Lambda);
    if (report.status != SolveStatus::kSolved) continue;
    // Judged anew, by the one function that may.
    if (!(natural_residual(local, Lambda).absolute <= kTolerance * max_abs(local.c)))
      report_finding("what is called solved is not");
  }
}

}  // namespace

int fuzz_problem(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = write_input("problem.hdf5", data, size);
  const ChildEnd end = run_contained([&] {
    try {
      const ContactProblem problem = read_contact_problem(path);
      if (problem.q.size() + problem.s.size() <= kMostRows) solve(problem);
    } catch (const ModelError&) {
    } catch (const IoError&) {
    }
  });
  // `freeplay solve` tries to read it in a child process, and refuses what that does not survive.
  constexpr app::TrialLimits kLimits{10, std::uint64_t{4} << 30};
  if (end == ChildEnd::kByHdf5 && app::survives_trial([&] { read_contact_problem(path); }, kLimits))
    report_finding("a crash or no end, on a file that the command's own trial survives");
  return 0;
}

std::vector<std::string> problem_seeds() {
  std::vector<std::string> seeds;
  const std::filesystem::path path = scratch_folder() / "seed.hdf5";
  for (const ContactProblem& problem : {contact_test::open_stick_slip(), contact_test::unsolvable(),
                                        contact_test::sliding_in_space(), contact_test::with_bilateral_row()}) {
    write_contact_problem(path, problem);
    seeds.push_back(bytes_of_file(path));
  }
  return seeds;
}

}  // namespace freeplay::test::fuzz

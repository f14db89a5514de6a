// Problems that nobody here wrote (../shared/data/friction-contact, from the project's root). "Solved" is computed
// anew, from the numbers of the file and the definition in docs/theory/contact.md, and with no code of the solvers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/io/problem/contact_problem_file.h"
#include "freeplay/math/eigenvalues.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shared_files() {
  std::vector<fs::path> files;
  std::error_code missing;
  const fs::path folder = fs::path(test_dir()) / "../../shared/data/friction-contact";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Residual {
  double absolute = 0, scale = 0;
  double relative() const { return scale > 0 ? absolute / scale : absolute; }
};

// e = (r - prox(r - rho u)) / rho per contact, rho = 1 / |W_ii|_2, one number for the normal and one for the tangents.
Residual residual_of(const ContactProblem& problem, const VecX& r) {
  const int n = problem.W.rows, size = problem.dimension;
  std::vector<double> product(static_cast<std::size_t>(n), 0.0);
  std::vector<Mat3> diagonal(problem.mu.size(), Mat3::Zero());  // the third row of a contact in the plane is zero
  for (int j = 0; j < n; ++j) {
    for (int k = problem.W.begin[j]; k < problem.W.begin[j + 1]; ++k) {
      const int i = problem.W.row[k];
      product[i] += problem.W.value[k] * r[j];
      if (i / size == j / size) diagonal[i / size](i % size, j % size) += problem.W.value[k];
    }
  }
  Residual result;
  for (int i = 0; i < n; ++i) result.scale = std::max({result.scale, std::abs(product[i]), std::abs(problem.q[i])});
  for (std::size_t contact = 0; contact < problem.mu.size(); ++contact) {
    const double norm = std::sqrt(symmetric_eigenvalues(diagonal[contact].transpose() * diagonal[contact])[2]);
    const double rho = norm > 0 ? 1 / norm : 1;
    const std::size_t first = contact * static_cast<std::size_t>(size);
    const auto r_of = [&](std::size_t k) { return r[static_cast<Eigen::Index>(first + k)]; };
    const auto u_of = [&](std::size_t k) { return product[first + k] + problem.q[first + k]; };
    const double e_N = (r_of(0) - std::max(0.0, r_of(0) - rho * u_of(0))) / rho;
    const double radius = problem.mu[contact] * std::max(0.0, r_of(0));
    VecX z(size - 1), r_T(size - 1);
    for (int k = 0; k < size - 1; ++k) {
      r_T[k] = r_of(static_cast<std::size_t>(k) + 1);
      z[k] = r_T[k] - rho * u_of(static_cast<std::size_t>(k) + 1);
    }
    const VecX projected = z.norm() > radius ? VecX(z * (radius / z.norm())) : z;
    result.absolute = std::max({result.absolute, std::abs(e_N), (r_T - projected).norm() / rho});
  }
  return result;
}

struct Outcome {
  SolveReport report;
  Residual residual;
  double seconds = 0;
};

Outcome solve(const ContactProblem& problem, const SolverEntry& entry, double tolerance) {
  const ContactLocalProblem owner(problem);
  const LocalProblem local = owner.view();
  VecX r = VecX::Zero(local.size());
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  outcome.report = entry.make()->solve(local, {.tolerance = tolerance * max_abs(local.c)}, ImpulseGuess::none(), r);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.residual = residual_of(problem, r);
  return outcome;
}

constexpr double kTolerance = 1e-8;
constexpr int kLargestTableau = 1000;  // rows; Lemke's method keeps a dense one and takes minutes beyond

class SharedProblems : public testing::Test {
 protected:
  void SetUp() override {
    files_ = shared_files();
    if (files_.empty()) GTEST_SKIP() << "there is no folder ../shared/data/friction-contact beside the project";
  }
  std::vector<fs::path> files_;
};

TEST_F(SharedProblems, NoSolverCallsSolvedWhatIsNot) {
  for (const SolverEntry& entry : solver_registry()) {
    const SolverTraits traits = entry.make()->traits();
    if (traits.is_relaxed) continue;  // solves another problem, and says so
    int solved = 0, taken = 0;
    double seconds = 0;
    for (const fs::path& file : files_) {
      const ContactProblem problem = read_contact_problem(file);
      if (entry.name == "lemke" && problem.W.rows > kLargestTableau) continue;
      const Outcome outcome = solve(problem, entry, kTolerance);
      if (outcome.report.status == SolveStatus::kNotSupported) continue;
      ++taken;
      seconds += outcome.seconds;
      // The two computations round differently, by some units in the last place of what is added up.
      const double rounding = 1e-13 * outcome.residual.scale;
      EXPECT_NEAR(outcome.report.residual, outcome.residual.absolute, rounding + 1e-6 * outcome.residual.absolute)
          << entry.name << " " << file.filename();
      if (outcome.report.status != SolveStatus::kSolved) continue;
      ++solved;
      EXPECT_LE(outcome.residual.relative(), kTolerance + 1e-13) << entry.name << " " << file.filename();
    }
    fmt::print("{:20} solved {:2} of {:2} in {:.2f} s\n", entry.name, solved, taken, seconds);
  }
}

TEST_F(SharedProblems, AutoSolvesAllButOneAtMost) {
  int solved = 0;
  for (const fs::path& file : files_) {
    const Outcome outcome = solve(read_contact_problem(file), *find_solver("auto"), kTolerance);
    const bool is_solved = outcome.residual.relative() <= kTolerance;
    solved += is_solved ? 1 : 0;
    fmt::print("{:45} {:20} {:6} iterations {:9.2e} {:7.3f} s{}\n", file.filename().string(), outcome.report.solver,
               outcome.report.iterations, outcome.residual.relative(), outcome.seconds,
               is_solved ? "" : "  not solved");
  }
  EXPECT_GE(solved, static_cast<int>(files_.size()) - 1);
}

}  // namespace

}  // namespace freeplay::test

#include "freeplay/complementarity/iterative/prox_jacobi.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/complementarity/iterative/grouped_problem.h"
#include "freeplay/complementarity/problem/natural_residual.h"

namespace freeplay::complementarity {
namespace {

constexpr int kMaxIterations = 100000;
constexpr int kPatienceOfJacobi = 20000;  // iterations without progress after which it gives up
constexpr double kProgressOfJacobi = 0.99;
constexpr int kPowerIterations = 40;
constexpr double kBelowBound = 1.9;  // of 2
constexpr double kRunaway = 10;      // times the best residual

class ProxJacobi final : public Solver {
 public:
  std::string_view name() const override { return "prox-jacobi"; }
  SolverTraits traits() const override { return {.takes_discs = true}; }
  void reserve(int rows) override {
    contacts_.reserve(rows);
    for (VecX* vector : {&z_, &v_, &xi_, &Lambda_, &r_, &best_}) {
      if (vector->size() < rows) vector->resize(rows);
    }
  }

  SolveReport solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                    VecRef Lambda) override {
    if (zero_solves(problem)) {
      Lambda.setZero();
      return certify(problem, options, Lambda, name(), 0);
    }
    reserve(problem.size());
    guess.write(Lambda);
    int iterations = 0;
    if (contacts_.assign_contacts(problem)) iterations = iterate(problem, options, Lambda);
    return certify(problem, options, Lambda, name(), iterations);
  }

 private:
  int iterate(const LocalProblem& problem, const SolverOptions& options, VecRef Lambda) {
    const int n = problem.size();
    auto z = z_.head(n), v = v_.head(n), best = best_.head(n);
    contacts_.gather(Lambda, z);
    for (int i = 0; i < n; ++i) {
      if (!std::isfinite(z[i])) z[i] = 0;
    }
    best = z;
    choose_r(problem, options.r_factor);
    double best_residual = std::numeric_limits<double>::infinity(), goal = best_residual;
    double least = best_residual;  // since r was last changed
    int iteration = 0, last_progress = 0;
    for (;; ++iteration) {
      velocity(problem, z, v);
      const double residual = contacts_.residual(z, v);
      if (residual < best_residual) {
        best_residual = residual;
        best = z;
      }
      if (residual < goal) {
        goal = kProgressOfJacobi * residual;
        last_progress = iteration;
      }
      if (residual <= 0.5 * options.tolerance || iteration >= kMaxIterations ||
          iteration - last_progress > kPatienceOfJacobi) {
        break;
      }
      least = std::min(least, residual);
      if (!(residual <= kRunaway * least)) {
        r_.head(n) *= 0.5;
        z = best;
        least = std::numeric_limits<double>::infinity();
        velocity(problem, z, v);
      }
      contacts_.prox_step(v, r_.head(n), z);
    }
    contacts_.scatter(best, Lambda);
    return iteration;
  }

  void velocity(const LocalProblem& problem, const ConstVecRef& z, VecRef v) {
    const int n = problem.size();
    auto Lambda = Lambda_.head(n), xi = xi_.head(n);
    contacts_.scatter(z, Lambda);
    problem.G.apply(Lambda, xi);
    xi += problem.c;
    contacts_.gather_velocity(xi, v);
  }

  void choose_r(const LocalProblem& problem, RFactor strategy) {
    const int n = problem.size();
    auto r = r_.head(n);
    if (strategy == RFactor::kRowSum && problem.G.has_entries()) {
      // Rows of D G D: D is needed in the order of the problem's rows.
      auto D = Lambda_.head(n), sum = xi_.head(n);
      r.setOnes();
      contacts_.scatter(r, D);
      for (int i = 0; i < n; ++i) {
        sum[i] = 0;
        problem.G.for_each_in_row(i, [&](int j, double value) { sum[i] += D[i] * std::abs(value) * D[j]; });
        sum[i] = sum[i] > 0 ? 1 / sum[i] : 1;
      }
      for (const GroupedContact& contact : contacts_.contacts) {  // gather() would divide by D
        double smallest = std::numeric_limits<double>::infinity();
        for (int k = 0; k < contact.size; ++k) {
          smallest = std::min(smallest, sum[contacts_.source_row(contact.row + k)]);
        }
        for (int k = 0; k < contact.size; ++k) r[contact.row + k] = smallest;
      }
      return;
    }
    r.setConstant(strategy == RFactor::kDiagonal ? 1 : kBelowBound / largest_eigenvalue(problem));
  }

  // Of D G D, by power iteration from a start that is no eigenvector of anything likely.
  double largest_eigenvalue(const LocalProblem& problem) {
    const int n = problem.size();
    auto x = r_.head(n), y = v_.head(n), Lambda = Lambda_.head(n), xi = xi_.head(n);
    for (int i = 0; i < n; ++i) x[i] = 1 + 0.1 * std::sin(1.0 + i);
    double value = 1;
    for (int k = 0; k < kPowerIterations; ++k) {
      x /= x.norm();
      contacts_.scatter(x, Lambda);
      problem.G.apply(Lambda, xi);
      contacts_.gather_velocity(xi, y);
      value = y.norm();
      if (!(value > 0) || !std::isfinite(value)) return 1;
      x = y;
    }
    return value;
  }

  GroupedProblem contacts_;
  VecX z_, v_, xi_, Lambda_, r_, best_;
};

}  // namespace

std::unique_ptr<Solver> make_prox_jacobi() {
  return std::make_unique<ProxJacobi>();
}

}  // namespace freeplay::complementarity

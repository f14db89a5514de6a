#include "freeplay/complementarity/iterative/proximal_point.h"

#include <algorithm>
#include <limits>

namespace freeplay::complementarity {
namespace {

constexpr double kInnerTolerance = 1e-2;  // of the residual reached: more digits would be thrown away
constexpr int kInnerIterations = 25;
constexpr double kGain = 0.9;                  // of the residual
constexpr int kPatienceOfProximalPoint = 600;  // outer iterations without it
constexpr double kLongestGuess = 20;           // in steps
// Of the numbers that velocities are sums of: what is smaller is rounding, and asking an inner problem for less would
// make it fail. That matters where redundant contacts that stick contradict each other by very little: the share of
// the load then has to move far, by a step of that contradiction over alpha, and alpha has to fall below 1e-8.
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

void ProximalPoint::reserve(int rows) {
  newton_.reserve(rows);
  for (VecX* vector : {&centre_, &next_, &step_, &best_, &v_}) {
    if (vector->size() < rows) vector->resize(rows);
  }
}

bool ProximalPoint::solve_inner(const GroupedProblem& problem, double tolerance, double alpha, double guess_length,
                                int& iterations) {
  const int n = problem.size();
  auto next = next_.head(n);
  const auto attempt = [&](NewtonIteration::Map map) {
    const NewtonIteration::Result result = newton_.run(
        problem,
        {.map = map, .max_iterations = kInnerIterations, .tolerance = tolerance, .alpha = alpha, .centre = &centre_},
        next);
    iterations = result.iterations;
    return result.has_converged;
  };
  int spent = 0;
  if (guess_length > 0) {
    next = centre_.head(n) + guess_length * step_.head(n);
    if (attempt(NewtonIteration::Map::kAlartCurnier)) return true;
    spent += iterations;
  }
  for (const NewtonIteration::Map map : {NewtonIteration::Map::kAlartCurnier, NewtonIteration::Map::kNatural}) {
    next = centre_.head(n);
    if (attempt(map)) return true;
    spent += iterations;
  }
  iterations = spent;
  return false;
}

int ProximalPoint::run(const GroupedProblem& problem, double tolerance, VecRef z) {
  const int n = problem.size();
  reserve(n);
  auto centre = centre_.head(n), next = next_.head(n), step = step_.head(n), v = v_.head(n);
  centre = z;
  double alpha = pace_.first_alpha, step_alpha = 0;
  double best = std::numeric_limits<double>::infinity(), milestone = best;
  int total = 0, last_milestone = 0;
  for (int k = 0; k < pace_.outer_iterations; ++k) {
    problem.velocity(centre, v);
    const double residual = problem.residual(centre, v);
    if (residual < best) {
      best = residual;
      z = centre;
    }
    if (residual <= tolerance) break;
    if (residual <= kGain * milestone) {
      milestone = residual;
      last_milestone = k;
    }
    if (k - last_milestone > kPatienceOfProximalPoint) break;
    int iterations = 0;
    const double guess_length = step_alpha > 0 ? std::min(step_alpha / alpha, kLongestGuess) : 0;
    const double wanted =
        std::max(kInnerTolerance * residual * std::min(1.0, alpha), 1e-3 * tolerance * std::min(1.0, alpha));
    const double inner = std::max(wanted, std::min(kInnerTolerance * residual, kRounding * problem.magnitude(centre)));
    const bool has_converged = solve_inner(problem, inner, alpha, guess_length, iterations);
    total += iterations;
    if (has_converged) {
      step = next - centre;
      centre = next;
      step_alpha = alpha;
      alpha *= iterations <= pace_.easy ? pace_.easy_fall : pace_.fall;
    } else {
      alpha *= pace_.rise;
    }
  }
  return total;
}

}  // namespace freeplay::complementarity

#include "freeplay/complementarity/iterative/newton/newton_method.h"

namespace freeplay::complementarity {

void NewtonMethod::reserve(int rows) {
  newton_.reserve(rows);
  for (VecX* vector : {&start_, &v_}) {
    if (vector->size() < rows) vector->resize(rows);
  }
}

int NewtonMethod::run(const GroupedProblem& island, double tolerance, VecRef z) {
  const int n = island.size();
  reserve(n);
  auto candidate = start_.head(n), v = v_.head(n);
  candidate = z;
  NewtonIteration::Options options{.max_iterations = max_iterations_, .tolerance = tolerance};
  int iterations = newton_.run(island, options, z).iterations;
  island.velocity(z, v);
  const double residual = island.residual(z, v);
  if (residual <= tolerance) return iterations;
  options.map = NewtonIteration::Map::kNatural;
  iterations += newton_.run(island, options, candidate).iterations;
  island.velocity(candidate, v);
  if (island.residual(candidate, v) < residual) z = candidate;
  return iterations;
}

}  // namespace freeplay::complementarity

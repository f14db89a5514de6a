#include "freeplay/complementarity/semismooth_newton.h"

#include "freeplay/complementarity/iterative_solver.h"
#include "freeplay/complementarity/newton_iteration.h"

namespace freeplay {
namespace {

class SemismoothNewton final : public IterativeSolver {
 public:
  std::string_view name() const override { return "semismooth-newton"; }

 private:
  static constexpr int kIterations = 100;  // of each form

  void reserve_rows(int rows) override {
    newton_.reserve(rows);
    for (VecX* vector : {&start_, &v_}) {
      if (vector->size() < rows) vector->resize(rows);
    }
  }

  int run(const GroupedProblem& island, double tolerance, VecRef z) override {
    const int n = island.size();
    reserve_rows(n);
    start_.head(n) = z;
    NewtonIteration::Options options{.max_iterations = kIterations, .tolerance = tolerance};
    int iterations = newton_.run(island, options, z).iterations;
    const double residual = residual_of(island, z);
    if (residual <= tolerance) return iterations;
    options.map = NewtonIteration::Map::kNatural;
    iterations += newton_.run(island, options, start_.head(n)).iterations;
    if (residual_of(island, start_.head(n)) < residual) z = start_.head(n);
    return iterations;
  }

  double residual_of(const GroupedProblem& island, const ConstVecRef& z) {
    island.velocity(z, v_.head(island.size()));
    return island.residual(z, v_.head(island.size()));
  }

  NewtonIteration newton_;
  VecX start_, v_;
};

}  // namespace

std::unique_ptr<Solver> make_semismooth_newton() {
  return std::make_unique<SemismoothNewton>();
}

}  // namespace freeplay

#include "freeplay/complementarity/proximal_point.h"

#include "freeplay/complementarity/iterative_solver.h"
#include "freeplay/complementarity/proximal_iteration.h"

namespace freeplay {
namespace {

class ProximalPoint final : public IterativeSolver {
 public:
  std::string_view name() const override { return "proximal-point"; }

 private:
  void reserve_rows(int rows) override { iteration_.reserve(rows); }
  int run(const GroupedProblem& island, double tolerance, VecRef z) override {
    return iteration_.run(island, tolerance, z);
  }

  ProximalIteration iteration_;
};

}  // namespace

std::unique_ptr<Solver> make_proximal_point() {
  return std::make_unique<ProximalPoint>();
}

}  // namespace freeplay

#include "freeplay/complementarity/iterative/relaxed_cone.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/complementarity/iterative/gauss_seidel.h"

namespace freeplay::complementarity {
namespace {

// Onto |T| <= mu N: inside, beyond the tip, or to the nearest generator.
void project_onto_cone(double mu, int tangents, double* z) {
  const double T = tangents == 1 ? std::abs(z[1]) : std::hypot(z[1], z[2]);
  if (T <= mu * z[0]) return;
  const double N = std::max(0.0, (z[0] + mu * T) / (1 + mu * mu));
  const double factor = T > 0 ? mu * N / T : 0;
  z[0] = N;
  for (int k = 1; k <= tangents; ++k) z[k] *= factor;
}

class ConeGaussSeidel final : public ProxGaussSeidel {
  static bool is_cone(std::span<const GroupedSet> sets) {
    if (sets.size() != 2) return false;
    const GroupedSet& T = sets[1];
    return T.set == ImpulseSet::kDisc ? T.r0 == 0 && !T.is_cut()
                                      : T.lo0 == 0 && T.hi0 == 0 && T.lo1 == -T.hi1 && T.hi1 >= 0;
  }
  // What is no cone (a stop, dry friction of a joint, a bilateral row) keeps its law.
  void project(std::span<const GroupedSet> sets, int size, double* y) const override {
    if (is_cone(sets)) {
      project_onto_cone(sets[1].set == ImpulseSet::kDisc ? sets[1].mu : sets[1].hi1, size - 1, y);
    } else {
      ProxGaussSeidel::project(sets, size, y);
    }
  }

  double residual(const GroupedProblem& island, const ConstVecRef& z, const ConstVecRef& v) const override {
    double largest = 0;
    for (const GroupedContact& contact : island.contacts) {
      double y[GroupedProblem::kMaxContactRows];
      for (int k = 0; k < contact.size; ++k) y[k] = z[contact.row + k] - v[contact.row + k];
      project(island.sets_of(contact), contact.size, y);
      double square = 0;
      for (int k = 0; k < contact.size; ++k) square += (z[contact.row + k] - y[k]) * (z[contact.row + k] - y[k]);
      if (!std::isfinite(square)) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, std::sqrt(square) / contact.scale);
    }
    return largest;
  }

  void start(const SolverOptions&) override { worst_ = 0; }
  SolveStatus grade(SolveStatus, double tolerance) const override {
    return worst_ <= tolerance ? SolveStatus::kSolved : SolveStatus::kNotSolved;
  }
  void reserve(int rows) override {
    ProxGaussSeidel::reserve(rows);
    if (v_.size() < rows) v_.resize(rows);
  }
  int run(const GroupedProblem& island, double tolerance, VecRef z) override {
    const int sweeps = ProxGaussSeidel::run(island, tolerance, z);
    island.velocity(z, v_.head(z.size()));
    worst_ = std::max(worst_, residual(island, z, v_.head(z.size())));
    return sweeps;
  }

  double worst_ = 0;  // residual of the relaxed problem, over the islands
  VecX v_;
};

}  // namespace

std::unique_ptr<Solver> make_relaxed_cone() {
  return std::make_unique<IslandSolver>("relaxed-cone", std::make_unique<ConeGaussSeidel>(),
                                        SolverTraits{.takes_discs = true, .is_relaxed = true});
}

}  // namespace freeplay::complementarity

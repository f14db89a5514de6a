#include "freeplay/complementarity/iterative/gauss_seidel.h"

#include <algorithm>
#include <limits>

#include "freeplay/complementarity/iterative/one_contact.h"

namespace freeplay::complementarity {
namespace {

constexpr int kMaxSweeps = 100000;
constexpr int kCheckEvery = 10;  // sweeps between looks at the residual, which cost as much as a sweep
constexpr int kPatience = 5000;  // sweeps without progress after which it gives up
constexpr double kProgress = 0.99;

}  // namespace

void GaussSeidel::reserve(int rows) {
  for (VecX* vector : {&v_, &best_}) {
    if (vector->size() < rows) vector->resize(rows);
  }
}

int GaussSeidel::run(const GroupedProblem& island, double tolerance, VecRef z) {
  const int n = island.size();
  reserve(n);
  auto best = best_.head(n);
  best = z;
  double best_residual = std::numeric_limits<double>::infinity(), goal = best_residual;
  int last_progress = 0;
  for (int sweep = 0;; ++sweep) {
    if (sweep % kCheckEvery == 0 || sweep <= 2) {
      island.velocity(z, v_.head(n));
      const double now = residual(island, z, v_.head(n));
      if (now < best_residual) {
        best_residual = now;
        best = z;
      }
      if (now < goal) {
        goal = kProgress * now;
        last_progress = sweep;
      }
      if (now <= tolerance || sweep >= kMaxSweeps || sweep - last_progress > kPatience) {
        z = best;
        return sweep;
      }
    }
    sweep_over(island, z);
  }
}

void GaussSeidel::sweep_over(const GroupedProblem& island, VecRef z) {
  const int contacts = static_cast<int>(island.contacts.size());
  for (int i = 0; i < contacts; ++i) {
    const GroupedContact& contact = island.contacts[i];
    const double* K = island.H.values(*island.H.find(i, i));
    double b[GroupedProblem::kMaxContactRows];
    island.H.apply_row(i, z.data(), b);
    for (int k = 0; k < contact.size; ++k) {
      b[k] += island.h[contact.row + k];
      for (int j = 0; j < contact.size; ++j) b[k] -= K[k + j * contact.size] * z[contact.row + j];
    }
    update(island.sets_of(contact), contact.size, K, b, z.data() + contact.row);
  }
}

void ExactGaussSeidel::update(std::span<const GroupedSet> sets, int size, const double* K, const double* b, double* z) {
  static_cast<void>(solve_one_contact(sets, size, K, b, z));  // where it fails it is a prox step
}

void ProxGaussSeidel::update(std::span<const GroupedSet> sets, int size, const double* K, const double* b, double* z) {
  double y[GroupedProblem::kMaxContactRows];
  for (int i = 0; i < size; ++i) {
    y[i] = z[i] - b[i];
    for (int j = 0; j < size; ++j) y[i] -= K[i + j * size] * z[j];
  }
  project(sets, size, y);
  std::copy_n(y, size, z);
}

void ProxGaussSeidel::project(std::span<const GroupedSet> sets, int, double* y) const {
  project_contact(sets, y[0], y, y);
}

}  // namespace freeplay::complementarity

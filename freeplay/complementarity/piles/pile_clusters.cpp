#include "freeplay/complementarity/piles/pile_clusters.h"

#include <algorithm>

namespace freeplay::complementarity {
namespace {

// How much larger the cluster around a contact is that was above the tolerance in so many clusters before.
int growth_after(int hits) {
  return hits < 2 ? 1 : hits < 5 ? 2 : hits < 12 ? 4 : 8;
}

}  // namespace

int PileClusters::solve(const PileForm& form, double tolerance, int clusters, int size, VecRef Lambda) {
  const std::vector<double>& residuals = form.residuals();
  is_done_.assign(residuals.size(), 0);
  int iterations = 0;
  for (int k = 0; k < clusters; ++k) {
    int worst = -1;
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      if (is_done_[i] != 0 || !(residuals[i] > tolerance)) continue;
      if (worst < 0 || residuals[i] > residuals[static_cast<std::size_t>(worst)]) worst = static_cast<int>(i);
    }
    if (worst < 0) break;
    gather(form, worst, size * growth_after(hits_[static_cast<std::size_t>(worst)]));
    for (const int i : members_) {
      if (residuals[static_cast<std::size_t>(i)] > tolerance) ++hits_[static_cast<std::size_t>(i)];
    }
    // Clusters do not touch each other in one round: the velocities that the form knows are those before it.
    iterations += solve_one(form, tolerance, Lambda);
    for (const int i : members_) {
      for (const int tree : form.contacts()[static_cast<std::size_t>(i)].trees) {
        if (tree < 0) continue;
        for (const int j : form.at_tree(tree)) is_done_[static_cast<std::size_t>(j)] = 1;
      }
    }
  }
  return iterations;
}

void PileClusters::gather(const PileForm& form, int seed, int size) {
  is_member_.assign(form.contacts().size(), 0);
  members_.assign(1, seed);
  front_.assign(1, seed);
  is_member_[static_cast<std::size_t>(seed)] = 1;
  while (!front_.empty() && static_cast<int>(members_.size()) < size) {
    next_.clear();
    for (const int i : front_) {
      for (const int tree : form.contacts()[static_cast<std::size_t>(i)].trees) {
        if (tree < 0) continue;
        for (const int j : form.at_tree(tree)) {
          const std::size_t at = static_cast<std::size_t>(j);
          if (is_member_[at] != 0 || is_done_[at] != 0 || static_cast<int>(members_.size()) >= size) continue;
          is_member_[at] = 1;
          members_.push_back(j);
          next_.push_back(j);
        }
      }
    }
    front_.swap(next_);
  }
  std::sort(members_.begin(), members_.end());
}

// xi = G x + c with the impulses outside held: c is what the velocities leave when those of the cluster are taken out.
int PileClusters::solve_one(const PileForm& form, double tolerance, VecRef Lambda) {
  rows_.clear();
  blocks_.clear();
  for (const int i : members_) {
    const PileContact& contact = form.contacts()[static_cast<std::size_t>(i)];
    const int row = static_cast<int>(rows_.size());
    blocks_.push_back({ImpulseSet::kNonNegative, row});
    if (contact.tangents > 0) {
      ImpulseBlock friction{contact.tangents == 2 ? ImpulseSet::kDisc : ImpulseSet::kInterval, row + 1,
                            contact.tangents, row};
      friction.mu = friction.hi1 = contact.mu;
      friction.lo1 = -contact.mu;
      blocks_.push_back(friction);
    }
    for (int k = 0; k <= contact.tangents; ++k) rows_.push_back(contact.row + k);
  }
  const int n = static_cast<int>(rows_.size());
  G_.resize(n, n);
  c_.resize(n);
  x_.resize(n);
  z_.resize(n);
  for (int j = 0; j < n; ++j) {
    const int row = rows_[static_cast<std::size_t>(j)];
    for (int i = 0; i <= j; ++i) G_(i, j) = G_(j, i) = form.B().dot(rows_[static_cast<std::size_t>(i)], row);
    x_[j] = Lambda[row];
    c_[j] = form.xi_of(row);
  }
  c_.noalias() -= G_ * x_;
  const LocalProblem problem{G_, c_, blocks_};
  if (!grouped_.assign(problem)) return 0;
  grouped_.gather(x_, z_);
  const double goal = 0.1 * tolerance;
  const VecX start = z_;
  const auto residual = [&] {
    VecX v(n);
    grouped_.velocity(z_, v);
    return grouped_.residual(z_, v);
  };
  const double before = residual();
  int iterations = newton_.run(grouped_, goal, z_);
  if (residual() > goal) {
    const VecX by_newton = z_;
    const double of_newton = residual();
    z_ = start;
    iterations += proximal_point_.run(grouped_, goal, z_);
    if (residual() > of_newton) z_ = by_newton;
  }
  if (residual() >= before) return iterations;
  grouped_.scatter(z_, x_);
  for (int j = 0; j < n; ++j) Lambda[rows_[static_cast<std::size_t>(j)]] = x_[j];
  return iterations;
}

}  // namespace freeplay::complementarity

#include "freeplay/complementarity/piles/pile_solver.h"

#include <algorithm>
#include <cmath>

namespace freeplay::complementarity {
namespace {

constexpr double kShare = 0.98;  // of the tolerance: the certificate sums in another order
// Single precision holds velocities to about 1e-6 of the largest; sweeps in it aim no lower than this part.
constexpr double kSingle = 3e-5;
constexpr int kMostSweeps = 3000;
constexpr int kFirstSweeps = 12;  // over all contacts before any are left alone
constexpr int kChunk = 12;        // sweeps between looks at the residual
constexpr int kRings = 2;
constexpr double kSeed = 0.6;    // of the tolerance: from here on a contact is not left alone
constexpr double kFew = 0.6;     // share of the contacts below which the others are left alone
constexpr double kTrigger = 1.2;  // of the goal: the largest change in a sweep at which a look pays off
constexpr int kBeforeClusters = 150, kFewAbove = 30, kClusters = 12, kClusterSize = 60, kLargestCluster = 480;

}  // namespace

bool PileSolver::keep_if_better(const ConstVecRef& Lambda) {
  if (!(residual_ < best_residual_)) return false;
  best_residual_ = residual_;
  best_ = Lambda;
  return true;
}

int PileSolver::mark_unsolved(double above, int rings) {
  const std::vector<PileContact>& contacts = form_.contacts();
  is_near_.assign(static_cast<std::size_t>(form_.trees()), 0);
  const auto mark = [](std::vector<char>& trees, const PileContact& contact) {
    for (const int tree : contact.trees) {
      if (tree >= 0) trees[static_cast<std::size_t>(tree)] = 1;
    }
  };
  const auto touches = [&](const PileContact& contact) {
    return std::any_of(contact.trees.begin(), contact.trees.end(),
                       [&](int tree) { return tree >= 0 && is_near_[static_cast<std::size_t>(tree)] != 0; });
  };
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (form_.residuals()[i] > above) mark(is_near_, contacts[i]);
  }
  for (int ring = 0; ring < rings; ++ring) {
    next_ = is_near_;
    for (const PileContact& contact : contacts) {
      if (touches(contact)) mark(next_, contact);
    }
    is_near_.swap(next_);
  }
  int count = 0;
  is_swept_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    is_swept_[i] = touches(contacts[i]) ? 1 : 0;
    count += is_swept_[i];
  }
  return count;
}

template <class Scalar>
int PileSolver::improve(PileSweeps<Scalar>& sweeps, double goal, int most_sweeps, VecRef Lambda) {
  const int count = static_cast<int>(form_.contacts().size());
  sweeps.assign(form_);
  is_swept_.assign(static_cast<std::size_t>(count), 1);
  sweeps.start(form_, Lambda, is_swept_);
  int done = 0, rounds = 0, cluster_size = kClusterSize;
  double work = 0;
  while (work < most_sweeps && residual_ > goal) {
    const int chunk = done == 0 ? kFirstSweeps : kChunk;
    const double cap = done < kBeforeClusters ? 0.8 : rounds % 2 == 0 ? 0.6 : 0.8;
    const int swept = sweeps.run(chunk, kTrigger * goal, cap);
    done += swept;
    work += static_cast<double>(swept) * sweeps.active() / count;
    sweeps.write(form_, Lambda);
    residual_ = form_.evaluate(Lambda);
    keep_if_better(Lambda);
    if (residual_ <= goal) break;
    if (done >= kBeforeClusters * (1 + rounds)) {
      ++rounds;
      const auto above = std::count_if(form_.residuals().begin(), form_.residuals().end(),
                                       [&](double e) { return e > goal; });
      if (above <= kFewAbove) {
        clusters_.solve(form_, goal, kClusters, cluster_size, Lambda);
        if (rounds % 3 == 0) cluster_size = std::min(2 * cluster_size, kLargestCluster);
        residual_ = form_.evaluate(Lambda);
        keep_if_better(Lambda);
        if (residual_ <= goal) break;
        mark_unsolved(kSeed * goal, kRings);
        sweeps.start(form_, Lambda, is_swept_);
        continue;
      }
    }
    // Contacts far from all that is not solved are left alone; where one outside is not, the list is made anew.
    bool is_outside = false;
    for (int i = 0; i < count && !is_outside; ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      is_outside = is_swept_[at] == 0 && form_.residuals()[at] > goal;
    }
    next_ = is_swept_;
    const std::vector<char> before = is_swept_;
    const int wanted = mark_unsolved(kSeed * goal, kRings);
    if (is_outside || wanted < kFew * sweeps.active())
      sweeps.start(form_, Lambda, is_swept_);
    else
      is_swept_ = before;
  }
  return done;
}

SolveReport PileSolver::solve(const LocalProblem& problem, const SolverOptions& options, const ImpulseGuess& guess,
                              VecRef Lambda) {
  if (!form_.assign(problem)) {
    SolveReport report;
    report.status = SolveStatus::kNotSupported;
    report.solver = name();
    return report;
  }
  guess.write(Lambda);
  for (Eigen::Index i = 0; i < Lambda.size(); ++i) {
    if (!std::isfinite(Lambda[i])) Lambda[i] = 0;
  }
  const double goal = kShare * options.tolerance;
  residual_ = form_.evaluate(Lambda);
  best_residual_ = kInfinity;
  keep_if_better(Lambda);
  int iterations = 0;
  if (residual_ > goal) {
    double fastest = 0;
    for (Eigen::Index i = 0; i < problem.c.size(); ++i) fastest = std::max(fastest, std::abs(problem.c[i]));
    const double lowest = kSingle * fastest;
    iterations = goal >= lowest ? improve(single_, goal, kMostSweeps, Lambda) : improve(double_, goal, kMostSweeps, Lambda);
    Lambda = best_;
  }
  return certify(problem, options, Lambda, name(), iterations);
}

}  // namespace freeplay::complementarity

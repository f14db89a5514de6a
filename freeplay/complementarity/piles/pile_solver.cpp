#include "freeplay/complementarity/piles/pile_solver.h"

#include <algorithm>
#include <cmath>

namespace freeplay::complementarity {
namespace {

constexpr double kShare = 0.98;  // of the tolerance: the certificate sums in another order
// Of the largest velocity: single precision loses about 1e-6 of it, and is left where the tolerance comes near to that.
constexpr double kSingle = 3e-5;
// Of the goal. A guess is taken as it is only from here on: velocities within the tolerance would else stay as they are
// from step to step, and a pile at rest would creep with them. Where the guess is within the tolerance, so that the
// pile is about to rest, some more sweeps bring it there: then each step after that costs one evaluation.
constexpr double kQuiet = 0.01;
constexpr int kLeastSweeps = 5;
constexpr double kSweepsToRest = 60;
constexpr double kMostSweeps = 3000;  // over all contacts
constexpr int kSweepsAtOnce = 25;  // sweeps between looks at the residual, each of which costs as much as two of them
constexpr int kPatienceOfLooks = 12;  // of all sweeps up to now this part goes by before the next look
constexpr double kTrigger = 1.2;      // of the goal: the largest change in a sweep at which a look pays off earlier
// Momentum. Without a cap it fails at times; a smaller one helps where the larger one goes round in circles.
constexpr double kCap = 0.8, kOtherCap = 0.6;
// Contacts are left alone from which all above this part of the tolerance are farther than the rings.
constexpr double kSeed = 0.6;
constexpr double kLook = 2;      // sweeps over all contacts that a look at the residuals costs
constexpr int kMostRounds = 20;  // of clusters
// Contacts from which on several threads are faster than one: they meet some twenty times in a sweep.
constexpr std::size_t kPlacesOfTeam = 4096;
constexpr int kClusters = 12, kClusterSize = 60;

}  // namespace

struct PileSolver::Habits {
  double most_sweeps;  // over all contacts
  int rings;           // kSeed
  double few;          // share of those swept up to now: above, it does not pay to choose anew
  // Newton's method: after so many sweeps, and again after as many, where no more contacts than this are left.
  int before_clusters, few_above;
};
namespace {
// Each choice of contacts takes the momentum away, and a cluster costs a hundred sweeps: to a coarse tolerance it is
// faster to go on with nearly all contacts. To a fine one sweeps alone take thousands.
constexpr PileSolver::Habits kCoarse{kMostSweeps, 5, 0.1, 150, 10}, kFine{kMostSweeps, 3, 0.6, 60, 60},
    kToRest{kSweepsToRest, 5, 0.1, 150, 10};
}  // namespace

void PileSolver::reserve(int rows) {
  if (best_.size() < rows) best_.resize(rows);
}

core::ThreadTeam* PileSolver::team() {
  if (threads_ == 1 || form_.packs().size() < kPlacesOfTeam) return nullptr;
  if (!team_) team_ = std::make_unique<core::ThreadTeam>(threads_);
  return team_->size() > 1 ? team_.get() : nullptr;
}

void PileSolver::look(const ConstVecRef& Lambda) {
  residual_ = form_.evaluate(Lambda, team());
  if (!(residual_ < best_residual_)) return;
  best_residual_ = residual_;
  best_.head(Lambda.size()) = Lambda;
}

int PileSolver::mark_unsolved(double above, int rings) {
  const std::vector<PileContact>& contacts = form_.contacts();
  const auto mark = [](std::vector<char>& trees, const PileContact& contact) {
    for (const int tree : contact.trees) {
      if (tree >= 0) trees[static_cast<std::size_t>(tree)] = 1;
    }
  };
  const auto touches = [&](const PileContact& contact) {
    return std::any_of(contact.trees.begin(), contact.trees.end(),
                       [&](int tree) { return tree >= 0 && is_near_[static_cast<std::size_t>(tree)] != 0; });
  };
  is_near_.assign(static_cast<std::size_t>(form_.trees()), 0);
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
  is_wanted_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    is_wanted_[i] = touches(contacts[i]) ? 1 : 0;
    count += is_wanted_[i];
  }
  return count;
}

bool PileSolver::choose_swept(double goal, double active_share, const Habits& habits) {
  bool is_outside = false;
  for (std::size_t i = 0; i < is_swept_.size() && !is_outside; ++i)
    is_outside = is_swept_[i] == 0 && form_.residuals()[i] > goal;
  const double wanted = mark_unsolved(kSeed * goal, habits.rings);
  if (!is_outside && wanted >= habits.few * active_share * static_cast<double>(is_swept_.size())) return false;
  is_swept_.swap(is_wanted_);
  return true;
}

template <class Scalar>
int PileSolver::improve(PileSweeps<Scalar>& sweeps, double goal, const Habits& habits, VecRef Lambda) {
  sweeps.assign(form_);
  clusters_.start(form_);
  is_swept_.assign(form_.contacts().size(), 1);
  sweeps.start(form_, Lambda, is_swept_);
  int done = sweeps.run({.least = kLeastSweeps, .most = kLeastSweeps, .cap = kCap}, team()), rounds = 0;
  sweeps.write(form_, Lambda);
  look(Lambda);
  for (double work = done; work < habits.most_sweeps && residual_ > goal;) {
    const int swept = sweeps.run({.least = std::min(kSweepsAtOnce, 2 + done / kPatienceOfLooks),
                                  .most = kSweepsAtOnce,
                                  .enough_m_s = kTrigger * goal,
                                  .cap = rounds % 2 == 0 ? kCap : kOtherCap},
                                 team());
    done += swept;
    work += swept * sweeps.active_share() + kLook;
    sweeps.write(form_, Lambda);
    look(Lambda);
    if (residual_ <= goal) break;
    bool is_new = choose_swept(goal, sweeps.active_share(), habits);
    if (done >= habits.before_clusters * (1 + rounds)) {
      ++rounds;
      const auto above = std::count_if(form_.residuals().begin(), form_.residuals().end(),
                                       [&](double residual) { return residual > goal; });
      if (above <= habits.few_above && rounds <= kMostRounds) {
        clusters_.solve(form_, goal, kClusters, kClusterSize, Lambda);
        look(Lambda);
        mark_unsolved(kSeed * goal, habits.rings);
        is_swept_.swap(is_wanted_);
        is_new = true;
      }
    }
    if (is_new) sweeps.start(form_, Lambda, is_swept_);
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
  reserve(problem.size());
  guess.write(Lambda);
  for (Eigen::Index i = 0; i < Lambda.size(); ++i) {
    if (!std::isfinite(Lambda[i])) Lambda[i] = 0;
  }
  const double goal = kShare * options.tolerance;
  best_residual_ = kInfinity;
  look(Lambda);
  int iterations = 0;
  if (residual_ > kQuiet * goal) {
    const bool comes_to_rest = residual_ <= goal;
    const bool is_single = !comes_to_rest && goal >= kSingle * max_abs(problem.c);
    iterations = comes_to_rest ? improve(double_, kQuiet * goal, kToRest, Lambda)
                 : is_single   ? improve(single_, goal, kCoarse, Lambda)
                               : improve(double_, goal, kFine, Lambda);
    if (best_residual_ < kInfinity) Lambda = best_.head(Lambda.size());
  }
  return certify(problem, options, Lambda, name(), iterations);
}

}  // namespace freeplay::complementarity

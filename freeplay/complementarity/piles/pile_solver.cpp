#include "freeplay/complementarity/piles/pile_solver.h"

#include <algorithm>
#include <cmath>

namespace freeplay::complementarity {
namespace {

constexpr double kShare = 0.98;  // of the tolerance: the certificate sums in another order
// Of the largest velocity: single precision loses about 1e-6 of it, and is left where the tolerance comes near to that.
constexpr double kSingle = 3e-5;
// Of the goal. Below it a step is solved, and what it leaves is only polished: velocities within the tolerance would
// else stay as they are from step to step, and a pile at rest would creep with them.
constexpr double kQuiet = 0.01;
// Of the largest velocity. A guess is taken as it is only from here on, where nothing is left but rounding.
constexpr double kNothingLeft = 1e-12;
constexpr int kLeastSweeps = 5;
// Of the impulses of a guess: what contacts forget in a step in which they are this many times the goal from being
// solved (forget_some). At the goal itself a pile would go on forgetting, by what the step before left, and never rest.
constexpr double kForgotten = 0.05, kStruck = 2;
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
constexpr PileSolver::Habits kCoarse{kMostSweeps, 5, 0.1, 150, 10}, kFine{kMostSweeps, 3, 0.6, 60, 60};
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

// The impulses of redundant contacts are not unique. An impact leaves large ones, and those near to them that solve the
// steps after it would press walls apart with many times the weight of a pile, without an end: nothing of the motion
// speaks against them. So what is struck forgets.
void PileSolver::forget_some(double above, VecRef Lambda) {
  mark_unsolved(above, kFine.rings);
  for (std::size_t i = 0; i < is_wanted_.size(); ++i) {
    if (is_wanted_[i] == 0) continue;
    const PileContact& contact = form_.contacts()[i];
    Lambda.segment(contact.row, 1 + contact.tangents) *= 1 - kForgotten;
  }
  best_residual_ = kInfinity;
  look(Lambda);
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

int PileSolver::polish(double quiet, double enough, VecRef Lambda) {
  mark_unsolved(enough, kFine.rings);
  is_swept_.swap(is_wanted_);
  double_.assign(form_);
  double_.start(form_, Lambda, is_swept_);
  const int done = double_.run({.least = kLeastSweeps, .most = kLeastSweeps, .cap = kCap}, team());
  double_.write(form_, Lambda);
  look(Lambda);
  if (residual_ > quiet) Lambda = best_.head(Lambda.size());
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
  set_threads(options.threads);
  guess.write(Lambda);
  for (Eigen::Index i = 0; i < Lambda.size(); ++i) {
    if (!std::isfinite(Lambda[i])) Lambda[i] = 0;
  }
  const double goal = kShare * options.tolerance, largest = max_abs(problem.c);
  best_residual_ = kInfinity;
  look(Lambda);
  int iterations = 0;
  if (residual_ > kQuiet * goal) {
    if (residual_ > kStruck * goal) forget_some(kStruck * goal, Lambda);
    const bool is_single = goal >= kSingle * largest;
    iterations = is_single ? improve(single_, goal, kCoarse, Lambda) : improve(double_, goal, kFine, Lambda);
    if (best_residual_ < kInfinity) Lambda = best_.head(Lambda.size());
  } else if (residual_ > kNothingLeft * largest) {
    iterations = polish(kQuiet * goal, kNothingLeft * largest, Lambda);
  }
  return certify(problem, options, Lambda, name(), iterations);
}

}  // namespace freeplay::complementarity

#include "freeplay/complementarity/piles/pile_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
constexpr int kSweepsAtOnce = 12;     // sweeps between looks at the residual
constexpr int kPatienceOfLooks = 20;  // of all sweeps up to now this part goes by before the next look
constexpr double kTrigger = 1.2;      // of the goal: the largest change in a sweep at which a look pays off earlier
// Momentum. Without a cap it fails at times; a smaller one helps where the larger one goes round in circles.
constexpr double kCap = 0.8, kOtherCap = 0.6;
// Where so many rounds of sweeps and clusters have not settled the contacts the two alternate less boldly.
constexpr int kBoldRounds = 3;
constexpr double kLateCap = 0.2;
// Contacts are left alone from which all above this part of the tolerance are farther than the rings.
constexpr double kSeed = 0.6;
constexpr double kLook = 2,
                 kJudge = 0.5;   // sweeps over all contacts that a look at the residuals costs, and a judgement
constexpr int kMostRounds = 20;  // of clusters
// Contacts from which on several threads are faster than one: they meet some twenty times in a sweep.
constexpr std::size_t kPlacesOfTeam = 4096;
constexpr int kClusters = 12, kClusterSize = 60;

}  // namespace

struct PileSolver::Habits {
  double most_sweeps;  // over all contacts
  int rings;           // kSeed
  double few;          // share of those swept up to now: above, it does not pay to choose anew
  // Newton's method: after so many sweeps, and again after as many, where no more contacts than this are left; in the
  // k-th round k times as many.
  int before_clusters, few_above;
};
namespace {
double cap_of(int rounds) {
  if (rounds < kBoldRounds) return rounds % 2 == 0 ? kCap : kOtherCap;
  return rounds % 2 == 0 ? kOtherCap : kLateCap;
}

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

int PileSolver::mark_unsolved(double above, int rings, int enough) {
  const std::vector<double>& residuals = form_.residuals();
  const auto count_above =
      std::count_if(residuals.begin(), residuals.end(), [&](double residual) { return residual > above; });
  if (count_above >= enough) return static_cast<int>(count_above);
  const std::span<const std::array<int, 2>> trees = form_.trees_of_contacts();
  const auto mark = [](std::vector<char>& marks, const std::array<int, 2>& of_contact) {
    for (const int tree : of_contact) marks[static_cast<std::size_t>(tree)] = 1;
  };
  const auto touches = [&](const std::array<int, 2>& of_contact) {
    return (is_near_[static_cast<std::size_t>(of_contact[0])] | is_near_[static_cast<std::size_t>(of_contact[1])]) != 0;
  };
  is_near_.assign(static_cast<std::size_t>(form_.trees()) + 1, 0);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (residuals[i] > above) mark(is_near_, trees[i]);
  }
  is_near_.back() = 0;  // two bodies on the ground are no neighbours for that
  int count = 0;
  for (int ring = 0; ring < rings; ++ring) {
    next_ = is_near_;
    count = 0;
    for (const std::array<int, 2>& of_contact : trees) {
      if (!touches(of_contact)) continue;
      mark(next_, of_contact);
      ++count;
    }
    next_.back() = 0;
    if (count >= enough) return count;
    is_near_.swap(next_);
  }
  count = 0;
  is_wanted_.resize(trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    is_wanted_[i] = touches(trees[i]) ? 1 : 0;
    count += is_wanted_[i];
  }
  return count;
}

bool PileSolver::choose_swept(double goal, double active_share, const Habits& habits) {
  bool is_outside = false;
  for (std::size_t i = 0; i < is_swept_.size() && !is_outside; ++i)
    is_outside = is_swept_[i] == 0 && form_.residuals()[i] > goal;
  const int most = static_cast<int>(std::ceil(habits.few * active_share * static_cast<double>(is_swept_.size())));
  const int wanted = mark_unsolved(kSeed * goal, habits.rings, is_outside ? std::numeric_limits<int>::max() : most);
  if (!is_outside && wanted >= most) return false;
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
  form_.go_to(Lambda, team());
}

// While all contacts are swept the sweeps judge themselves, in their own precision, and cheaply. That is enough to go
// on by; what ends them, and what other contacts or clusters start from, is a look in double precision.
template <class Scalar>
bool PileSolver::judge(PileSweeps<Scalar>& sweeps, double goal, bool must_look, VecRef Lambda) {
  if (sweeps.has_all()) residual_ = sweeps.judge(form_, team());
  if (sweeps.has_all() && residual_ > goal && !must_look) return false;
  sweeps.write(form_, Lambda);
  look(Lambda);
  return true;
}

template <class Scalar>
int PileSolver::improve(PileSweeps<Scalar>& sweeps, double goal, const Habits& habits, VecRef Lambda) {
  sweeps.assign(form_);
  clusters_.start(form_);
  is_swept_.assign(form_.contacts().size(), 1);
  sweeps.start(form_, Lambda, is_swept_);
  int done = sweeps.run({.least = kLeastSweeps, .most = kLeastSweeps, .cap = kCap}, team()), rounds = 0;
  bool is_exact = judge(sweeps, goal, false, Lambda);
  for (double work = done; work < habits.most_sweeps && residual_ > goal;) {
    const int swept = sweeps.run({.least = std::min(kSweepsAtOnce, 2 + done / kPatienceOfLooks),
                                  .most = kSweepsAtOnce,
                                  .enough_m_s = kTrigger * goal,
                                  .cap = cap_of(rounds)},
                                 team());
    done += swept;
    const bool is_time_for_clusters = done >= habits.before_clusters * (1 + rounds);
    is_exact = judge(sweeps, goal, is_time_for_clusters, Lambda);
    work += swept * sweeps.active_share() + (is_exact ? kLook : kJudge);
    if (residual_ <= goal) break;
    bool is_new = choose_swept(goal, sweeps.active_share(), habits);
    if (is_new && !is_exact) is_exact = judge(sweeps, goal, true, Lambda);
    if (is_time_for_clusters) {
      ++rounds;
      is_new = solve_clusters(goal, habits, rounds, Lambda) || is_new;
    }
    if (is_new) sweeps.start(form_, Lambda, is_swept_);
  }
  if (!is_exact) judge(sweeps, goal, true, Lambda);
  return done;
}

bool PileSolver::solve_clusters(double goal, const Habits& habits, int rounds, VecRef Lambda) {
  const auto above = std::count_if(form_.residuals().begin(), form_.residuals().end(),
                                   [&](double residual) { return residual > goal; });
  if (above > habits.few_above * rounds || rounds > kMostRounds) return false;
  clusters_.solve(form_, goal, kClusters, kClusterSize, Lambda);
  look(Lambda);
  mark_unsolved(kSeed * goal, habits.rings);
  is_swept_.swap(is_wanted_);
  return true;
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

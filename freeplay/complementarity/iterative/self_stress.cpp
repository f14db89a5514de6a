#include "freeplay/complementarity/iterative/self_stress.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::complementarity {
namespace {

constexpr int kMostSteps = 400;
constexpr double kFall = 0.2, kSlowest = 0.97;  // of alpha, from step to step
constexpr int kNewtonIterations = 50;
constexpr double kAccuracyOfPath = 1e-4;  // of alpha z
constexpr double kBalanced = 1e-8;        // |H d|, where diagonal blocks of H have norm 1
constexpr double kRoundingOfProducts = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

bool SelfStress::follow(const GroupedProblem& problem, double alpha, double last_alpha) {
  const double tolerance =
      std::max(kAccuracyOfPath * alpha * problem.impulse_size(z_), kRoundingOfProducts * problem.magnitude(z_));
  // As if z grew as 1 / alpha, and as if it stood still.
  for (const double growth : {last_alpha / alpha, 1.0}) {
    for (const NewtonIteration::Map map : {NewtonIteration::Map::kAlartCurnier, NewtonIteration::Map::kNatural}) {
      trial_ = growth * z_;
      const NewtonIteration::Options options{
          .map = map, .max_iterations = kNewtonIterations, .tolerance = tolerance, .alpha = alpha, .centre = &centre_};
      if (!newton_.run(problem, options, trial_).has_converged) continue;
      z_ = trial_;
      return true;
    }
  }
  return false;
}

// z = d / alpha + what stays bounded, so that the difference of two of them is d alone, up to alpha^2; brought onto the
// cones, from which rounding and that rest may have taken it.
bool SelfStress::take_direction(const GroupedProblem& problem) {
  trial_ = z_ - last_;
  for (const GroupedContact& contact : problem.contacts) {
    double* d = trial_.data() + contact.row;
    for (GroupedSet set : problem.sets_of(contact)) {
      set.lo0 = set.lo0 < -std::numeric_limits<double>::max() ? set.lo0 : 0;  // bounds that do not grow with d are none
      set.hi0 = set.hi0 > std::numeric_limits<double>::max() ? set.hi0 : 0;
      set.r0 = 0;
      if (set.is_cut()) set.cut = 0;
      project_contact({&set, 1}, set.is_bound ? d[0] : 0, d, d);
    }
  }
  const double size = trial_.norm();
  if (!(size > 0)) return false;
  trial_ /= size;
  const Eigen::Map<const VecX> h(problem.h.data(), trial_.size());
  problem.velocity(trial_, velocity_);
  return max_abs(velocity_ - h) <= kBalanced && h.dot(trial_) < 0;
}

bool SelfStress::find(const GroupedProblem& problem, double tolerance) {
  z_ = last_ = centre_ = velocity_ = trial_ = VecX::Zero(problem.size());
  double alpha = 1, last_alpha = 1, fall = kFall;
  for (int k = 0; k < kMostSteps; ++k) {
    if (!follow(problem, alpha, last_alpha)) {
      fall = std::sqrt(fall);
      if (fall > kSlowest) return false;
      alpha = k == 0 ? alpha / fall : last_alpha * fall;
      continue;
    }
    // alpha z is what c lacks for z to be a solution.
    if (!(alpha * problem.impulse_size(z_) > tolerance)) return false;
    if (alpha < last_alpha && take_direction(problem)) return true;
    last_ = z_;
    last_alpha = alpha;
    fall = std::max(kFall, fall * fall);
    alpha *= fall;
  }
  return false;
}

bool SelfStress::find(const LocalProblem& problem, double tolerance, VecRef d) {
  if (!problem_.assign(problem) || !find(problem_, tolerance)) return false;
  problem_.scatter(trial_, d);
  return true;
}

}  // namespace freeplay::complementarity

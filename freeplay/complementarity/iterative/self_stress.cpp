#include "freeplay/complementarity/iterative/self_stress.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::complementarity {
namespace {

constexpr int kMostSteps = 200;
constexpr double kFall = 0.2, kSlowest = 0.9;  // of alpha, from step to step
constexpr int kNewtonIterations = 50;
constexpr double kAccuracy = 1e-4;  // of alpha z
constexpr double kSettled = 1e-2;   // change of alpha z by a step, relative: z now grows as 1 / alpha
constexpr double kBalanced = 1e-8;  // |H d|, where diagonal blocks of H have norm 1
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

bool SelfStress::follow(double alpha, double last_alpha) {
  double shift = 0;
  for (const GroupedContact& contact : problem_.contacts) {
    for (int k = 0; k < contact.size; ++k) shift = std::max(shift, std::abs(z_[contact.row + k]) / contact.scale);
  }
  const double tolerance = std::max(kAccuracy * alpha * shift, kRounding * problem_.magnitude(z_));
  // As if z grew as 1 / alpha, and as if it stood still.
  for (const double growth : {last_alpha / alpha, 1.0}) {
    for (const NewtonIteration::Map map : {NewtonIteration::Map::kAlartCurnier, NewtonIteration::Map::kNatural}) {
      trial_ = growth * z_;
      const NewtonIteration::Options options{
          .map = map, .max_iterations = kNewtonIterations, .tolerance = tolerance, .alpha = alpha, .centre = &centre_};
      if (!newton_.run(problem_, options, trial_).has_converged) continue;
      z_ = trial_;
      return true;
    }
  }
  return false;
}

bool SelfStress::find(const LocalProblem& problem, double tolerance, VecRef d) {
  if (!problem_.assign(problem)) return false;
  const int n = problem_.size();
  z_ = centre_ = shift_ = VecX::Zero(n);
  trial_.resize(n);
  const Eigen::Map<const VecX> h(problem_.h.data(), n);
  double alpha = 1, last_alpha = 1, fall = kFall;
  for (int k = 0; k < kMostSteps; ++k) {
    if (!follow(alpha, last_alpha)) {
      fall = std::sqrt(fall);
      if (fall > kSlowest) return false;
      alpha = k == 0 ? alpha / fall : last_alpha * fall;
      continue;
    }
    double missing = 0;  // alpha z is what c lacks for z to be a solution
    for (const GroupedContact& contact : problem_.contacts) {
      for (int i = 0; i < contact.size; ++i) {
        missing = std::max(missing, alpha * std::abs(z_[contact.row + i]) / contact.scale);
      }
    }
    if (!(missing > tolerance)) return false;
    const bool has_settled = (alpha * z_ - shift_).norm() <= kSettled * alpha * z_.norm();
    shift_ = alpha * z_;
    if (has_settled) {
      trial_ = z_ / z_.norm();
      problem_.velocity(trial_, centre_);  // H d + h
      const bool is_balanced = max_abs(centre_ - h) <= kBalanced;
      centre_.setZero();
      if (is_balanced && h.dot(trial_) < 0) {
        problem_.scatter(trial_, d);
        return true;
      }
    }
    last_alpha = alpha;
    fall = std::max(kFall, fall * fall);
    alpha *= fall;
  }
  return false;
}

}  // namespace freeplay::complementarity

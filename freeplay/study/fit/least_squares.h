// The least sum of squares of residuals that come from runs: the method of Levenberg (1944) and Marquardt (1963) within
// bounds, with derivatives by central differences. Its evaluations come in batches, which may be computed at the same
// time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::study {

// Residuals at several points. An empty vector: there are none, such as where a run fails. nullopt: stop.
using ResidualFunction = std::function<std::optional<std::vector<VecX>>(const std::vector<VecX>& points)>;

struct LeastSquaresOptions {
  VecX start, low, high;  // bounds may be infinite; start lies within
  VecX scale;             // of each parameter, positive: about the change that matters
  int most_iterations = 60;
  double difference = 1e-4;  // steps of the derivatives, in scales
  double tolerance = 1e-6;   // a step that is shorter, in scales, or gain that is less, as a share of the sum, is none
};

struct LeastSquares {
  enum class End : std::uint8_t { kConverged, kTooManyIterations, kRugged, kNoStart, kNoDerivative, kStopped };
  End end = End::kNoStart;
  VecX point, residuals;
  MatX jacobian;   // of the residuals by the parameters, at `point`
  double sum = 0;  // of squares
  int iterations = 0;
};

// kRugged: no step is better, although the derivatives promise one; the sum has jumps or kinks there. `watch`, which
// may be empty, is called after each iteration.
LeastSquares fit_least_squares(const LeastSquaresOptions& options, const ResidualFunction& residuals,
                               const std::function<void(const LeastSquares&)>& watch = {});

// What residuals with independent errors of one variance say about the parameters: covariance s^2 (J' J)^-1 with s^2 =
// sum/(n - p), p free parameters. Parameters at a bound are fixed there: their rows are zero.
struct FitCovariance {
  MatX covariance;
  int degrees_of_freedom = 0;
  std::vector<bool> is_determined;  // false: the residuals do not change with it, or only with others together
};
FitCovariance covariance_of(const LeastSquares& fit, const LeastSquaresOptions& options);

// Between minus and plus this lies a share of 95 % of Student's distribution.
double student_bound_95(int degrees_of_freedom);

}  // namespace freeplay::study

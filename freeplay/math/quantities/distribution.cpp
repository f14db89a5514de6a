#include "freeplay/math/quantities/distribution.h"

#include <cmath>
#include <numbers>

namespace freeplay::math {

namespace {

// Of the standard normal distribution, p <= 1/2: a rational function that is right to three digits (Abramowitz and
// Stegun 26.2.23), then Newton's method, whose correction by the second derivative (Halley) triples the digits.
double lower_normal_quantile(double p) {
  const double t = std::sqrt(-2 * std::log(p));
  const double numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const double denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  double x = numerator / denominator - t;
  for (int k = 0; k < 2; ++k) {
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    const double newton = (below - p) / density;
    x -= newton / (1 + 0.5 * x * newton);
  }
  return x;
}

}  // namespace

double Distribution::mean() const {
  switch (kind) {
    case Kind::kNormal:
      return a;
    case Kind::kUniform:
      return 0.5 * (a + b);
    case Kind::kTriangular:
      return (a + b + c) / 3;
  }
  return a;
}

double Distribution::standard_deviation() const {
  switch (kind) {
    case Kind::kNormal:
      return b;
    case Kind::kUniform:
      return (b - a) / std::sqrt(12.0);
    case Kind::kTriangular:
      return std::sqrt((a * a + b * b + c * c - a * b - a * c - b * c) / 18);
  }
  return 0;
}

double Distribution::quantile(double p) const {
  switch (kind) {
    case Kind::kNormal:
      return p <= 0.5 ? a + b * lower_normal_quantile(p) : a - b * lower_normal_quantile(1 - p);
    case Kind::kUniform:
      return a + p * (b - a);
    case Kind::kTriangular: {
      const double below = (b - a) / (c - a);  // the share of values below the most likely one
      return p < below ? a + std::sqrt(p * (c - a) * (b - a)) : c - std::sqrt((1 - p) * (c - a) * (c - b));
    }
  }
  return a;
}

}  // namespace freeplay::math

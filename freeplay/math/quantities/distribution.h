// How a number scatters: a dimension within its tolerance, a coefficient that nobody knows well.
#pragma once

#include <cstdint>

#include "freeplay/core/layers.h"

namespace freeplay::math {

struct Distribution {
  enum class Kind : std::uint8_t { kNormal, kUniform, kTriangular };
  Kind kind = Kind::kNormal;
  // kNormal: mean and standard deviation; kUniform: from, to; kTriangular: from, most likely, to.
  double a = 0, b = 0, c = 0;

  static Distribution normal(double mean, double deviation) { return {Kind::kNormal, mean, deviation}; }
  static Distribution uniform(double from, double to) { return {Kind::kUniform, from, to}; }
  static Distribution triangular(double from, double most_likely, double to) {
    return {Kind::kTriangular, from, most_likely, to};
  }

  double mean() const;
  double standard_deviation() const;
  // The value that a share p of all is below, 0 < p < 1: with p drawn evenly, values of this distribution.
  double quantile(double p) const;
};

}  // namespace freeplay::math

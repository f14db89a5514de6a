// A sum of expressions by plain factors, and a constant: a coordinate in turned and shifted axes.
#pragma once

#include <span>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::math {

// factors[0] * terms[0] + factors[1] * terms[1] + ... + constant; as many factors as terms, at least one, all of the
// dimension of the constant. Throws ExpressionError if it would need more intermediate values than an expression has.
Expression weighted_sum(std::span<const double> factors, std::span<const Expression> terms, Quantity constant);

}  // namespace freeplay::math

// The functions of the expression language. Internal to freeplay/math.
#pragma once

#include <span>
#include <string_view>

#include "freeplay/math/expressions/expression_op.h"

namespace freeplay::math {

// What a function demands of the dimensions of its arguments, and what it returns.
enum class DimensionRule {
  kPlain,       // plain numbers (or angles) -> a plain number
  kAnyToPlain,  // one of any dimension -> a plain number
  kKeeps,       // all of one dimension -> that dimension
  kRatio,       // all of one dimension -> a plain number
  kSquareRoot,  // one of any dimension -> half its exponents
};

// The number of arguments is that of the operation: two if is_binary(op), else one.
struct ExpressionFunction {
  std::string_view name;
  ExpressionOp op;
  DimensionRule rule;
};

std::span<const ExpressionFunction> expression_functions();
const ExpressionFunction* find_function(std::string_view name);  // nullptr if unknown

inline constexpr std::string_view kPiName = "pi";

}  // namespace freeplay::math

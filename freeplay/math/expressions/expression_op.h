// The instructions of a compiled expression. Internal to freeplay/math: shared by the parser, which folds constants
// with them, and by the evaluation.
#pragma once

#include <cstdint>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::math {

enum class ExpressionOp : std::uint8_t {
  // Push one value.
  kConstant,
  kVariable,
  // Replace the top of the stack.
  kNegate,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kExp,
  kLog,
  kSqrt,
  kAbs,
  kSign,
  kStep,
  kFloor,
  kSampled,  // a function given by samples: the expression holds it, apply() does not know it
  // Replace the two on top by one. kAdd must stay first: see is_binary().
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kAtan2,
  kMin,
  kMax,
  kHypot,
  kMod,
};

constexpr bool is_binary(ExpressionOp op) {
  return op >= ExpressionOp::kAdd;
}

// One operation on numbers, exactly as evaluate() performs it. A NaN operand gives a NaN, in min and step too.
double apply(ExpressionOp op, double x);
double apply(ExpressionOp op, double a, double b);

// The same with first and second derivatives in t, by the chain rule. At a kink (abs, min, max, mod) the derivative is
// that of the active branch; at a jump (sign, step, floor) it is 0.
TimeJet apply(ExpressionOp op, const TimeJet& x);
TimeJet apply(ExpressionOp op, const TimeJet& a, const TimeJet& b);

}  // namespace freeplay::math

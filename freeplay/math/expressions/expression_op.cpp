#include "freeplay/math/expressions/expression_op.h"

#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/jet_rules.h"

namespace freeplay::math {

using Op = ExpressionOp;

double apply(Op op, double x) {
  switch (op) {
    case Op::kNegate:
      return -x;
    case Op::kSin:
      return std::sin(x);
    case Op::kCos:
      return std::cos(x);
    case Op::kTan:
      return std::tan(x);
    case Op::kAsin:
      return std::asin(x);
    case Op::kAcos:
      return std::acos(x);
    case Op::kAtan:
      return std::atan(x);
    case Op::kSinh:
      return std::sinh(x);
    case Op::kCosh:
      return std::cosh(x);
    case Op::kTanh:
      return std::tanh(x);
    case Op::kExp:
      return std::exp(x);
    case Op::kLog:
      return std::log(x);
    case Op::kSqrt:
      return std::sqrt(x);
    case Op::kAbs:
      return std::abs(x);
    case Op::kSign:
      return x > 0 ? 1 : (x < 0 ? -1 : x);
    case Op::kStep:
      return x >= 0 ? 1 : (x < 0 ? 0 : x);
    case Op::kFloor:
      return std::floor(x);
    default:
      break;
  }
  FREEPLAY_ASSERT(false && "a unary operation");
  return 0;
}

double apply(Op op, double a, double b) {
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return a / b;
    case Op::kPower:
      return std::pow(a, b);
    case Op::kAtan2:
      return std::atan2(a, b);
    case Op::kMin:
      return first_is_min(a, b) ? a : b;
    case Op::kMax:
      return first_is_max(a, b) ? a : b;
    case Op::kHypot:
      return std::hypot(a, b);
    case Op::kMod:
      return a - b * std::floor(a / b);
    default:
      break;
  }
  FREEPLAY_ASSERT(false && "a binary operation");
  return 0;
}

TimeJet apply(Op op, const TimeJet& x) {
  return apply_to_jet(op, x);
}

TimeJet apply(Op op, const TimeJet& a, const TimeJet& b) {
  return apply_to_jet(op, a, b);
}

}  // namespace freeplay::math

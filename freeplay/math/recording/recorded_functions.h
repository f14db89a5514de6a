// Elementary functions of recorded numbers, beside those of recorded.h.
#pragma once

#include "freeplay/math/recording/recorded.h"

namespace freeplay::math {

inline Recorded apply(ExpressionOp op, const Recorded& x) {
  return Tape::unary(op, x);
}
inline Recorded apply(ExpressionOp op, const Recorded& a, const Recorded& b) {
  return Tape::binary(op, a, b);
}
inline Recorded cosh(const Recorded& x) {
  return Tape::unary(ExpressionOp::kCosh, x);
}
inline Recorded sinh(const Recorded& x) {
  return Tape::unary(ExpressionOp::kSinh, x);
}
inline Recorded floor(const Recorded& x) {
  return Tape::unary(ExpressionOp::kFloor, x);
}
inline Recorded pow(const Recorded& a, const Recorded& b) {
  return Tape::binary(ExpressionOp::kPower, a, b);
}
inline Recorded atan2(const Recorded& a, const Recorded& b) {
  return Tape::binary(ExpressionOp::kAtan2, a, b);
}
inline Recorded hypot(const Recorded& a, const Recorded& b) {
  return Tape::binary(ExpressionOp::kHypot, a, b);
}

}  // namespace freeplay::math

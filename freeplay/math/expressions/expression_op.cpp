#include "freeplay/math/expressions/expression_op.h"

#include <cmath>

#include "freeplay/core/error.h"

namespace freeplay::math {

namespace {

using Op = ExpressionOp;

// The active branch of min and max. A NaN wins, so that it is not hidden from the caller who checks the result.
bool first_is_min(double a, double b) {
  return a <= b || std::isnan(a);
}
bool first_is_max(double a, double b) {
  return a >= b || std::isnan(a);
}

// Of two functions that are equal now, which is less right afterwards: so that the derivatives of min(t, T) and
// max(t, T) at t = T are those from the right, and fit each other.
bool is_behind(const TimeJet& a, const TimeJet& b) {
  return a.rate != b.rate ? a.rate < b.rate : a.acceleration < b.acceleration;
}

bool is_steady(const TimeJet& x) {
  return x.rate == 0 && x.acceleration == 0;
}

// f(x(t)) from f, f' and f'' at x. An argument that does not change gives zero rates even where f' is infinite
// (the square root of a channel that is 0), instead of 0 * inf.
TimeJet chain(const TimeJet& x, double f, double df, double ddf) {
  if (is_steady(x)) return {f, 0, 0};
  return {f, df * x.rate, ddf * x.rate * x.rate + df * x.acceleration};
}

TimeJet product(const TimeJet& a, const TimeJet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration};
}

// From a = q b:  a' = q' b + q b',  a'' = q'' b + 2 q' b' + q b''.
TimeJet quotient(const TimeJet& a, const TimeJet& b) {
  const double q = a.value / b.value;
  const double rate = (a.rate - q * b.rate) / b.value;
  return {q, rate, (a.acceleration - 2 * rate * b.rate - q * b.acceleration) / b.value};
}

// n x^(n-1) and the like: a vanishing coefficient wins over 0^(negative), so that t^1 has f'' = 0 at t = 0.
double monomial(double coefficient, double x, double exponent) {
  return coefficient == 0 ? 0 : coefficient * std::pow(x, exponent);
}

TimeJet power(const TimeJet& a, const TimeJet& b) {
  const double f = std::pow(a.value, b.value), n = b.value;
  if (is_steady(b)) return chain(a, f, monomial(n, a.value, n - 1), monomial(n * (n - 1), a.value, n - 2));
  // f = exp(w) with w = b log a, hence f' = f w' and f'' = f (w'' + w'^2). Needs a > 0.
  const TimeJet w = product(b, apply(Op::kLog, a));
  return {f, f * w.rate, f * (w.acceleration + w.rate * w.rate)};
}

// theta = atan2(y, x):  theta' = (x y' - y x') / r^2.
TimeJet atan2(const TimeJet& y, const TimeJet& x) {
  const double theta = std::atan2(y.value, x.value);
  if (is_steady(y) && is_steady(x)) return {theta, 0, 0};
  const double r2 = x.value * x.value + y.value * y.value;
  const double rate = (x.value * y.rate - y.value * x.rate) / r2;
  const double r_dr = x.value * x.rate + y.value * y.rate;
  return {theta, rate, (x.value * y.acceleration - y.value * x.acceleration - 2 * rate * r_dr) / r2};
}

// From h^2 = a^2 + b^2:  h h' = a a' + b b',  h h'' + h'^2 = a a'' + a'^2 + b b'' + b'^2.
TimeJet hypot(const TimeJet& a, const TimeJet& b) {
  const double h = std::hypot(a.value, b.value);
  if (is_steady(a) && is_steady(b)) return {h, 0, 0};
  const double rate = (a.value * a.rate + b.value * b.rate) / h;
  const double sum = a.value * a.acceleration + a.rate * a.rate + b.value * b.acceleration + b.rate * b.rate;
  return {h, rate, (sum - rate * rate) / h};
}

}  // namespace

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
  const double f = apply(op, x.value);
  switch (op) {
    case Op::kNegate:
      return {f, -x.rate, -x.acceleration};
    case Op::kSin:
      return chain(x, f, std::cos(x.value), -f);
    case Op::kCos:
      return chain(x, f, -std::sin(x.value), -f);
    case Op::kTan:
      return chain(x, f, 1 + f * f, 2 * f * (1 + f * f));
    case Op::kAsin: {
      const double df = 1 / std::sqrt(1 - x.value * x.value);
      return chain(x, f, df, x.value * df * df * df);
    }
    case Op::kAcos: {
      const double df = -1 / std::sqrt(1 - x.value * x.value);
      return chain(x, f, df, x.value * df * df * df);
    }
    case Op::kAtan: {
      const double df = 1 / (1 + x.value * x.value);
      return chain(x, f, df, -2 * x.value * df * df);
    }
    case Op::kSinh:
      return chain(x, f, std::cosh(x.value), f);
    case Op::kCosh:
      return chain(x, f, std::sinh(x.value), f);
    case Op::kTanh:
      return chain(x, f, 1 - f * f, -2 * f * (1 - f * f));
    case Op::kExp:
      return chain(x, f, f, f);
    case Op::kLog:
      return chain(x, f, 1 / x.value, -1 / (x.value * x.value));
    case Op::kSqrt:
      return chain(x, f, 0.5 / f, -0.25 / (f * x.value));
    case Op::kAbs:
      return x.value < 0 ? TimeJet{f, -x.rate, -x.acceleration} : TimeJet{f, x.rate, x.acceleration};
    default:
      return {f, 0, 0};  // sign, step, floor: constant on either side of their jumps
  }
}

TimeJet apply(Op op, const TimeJet& a, const TimeJet& b) {
  switch (op) {
    case Op::kAdd:
      return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
    case Op::kSubtract:
      return {a.value - b.value, a.rate - b.rate, a.acceleration - b.acceleration};
    case Op::kMultiply:
      return product(a, b);
    case Op::kDivide:
      return quotient(a, b);
    case Op::kPower:
      return power(a, b);
    case Op::kAtan2:
      return atan2(a, b);
    case Op::kMin:
      return a.value == b.value ? (is_behind(a, b) ? a : b) : (first_is_min(a.value, b.value) ? a : b);
    case Op::kMax:
      return a.value == b.value ? (is_behind(a, b) ? b : a) : (first_is_max(a.value, b.value) ? a : b);
    case Op::kHypot:
      return hypot(a, b);
    case Op::kMod: {
      const double turns = std::floor(a.value / b.value);
      return {a.value - b.value * turns, a.rate - b.rate * turns, a.acceleration - b.acceleration * turns};
    }
    default:
      break;
  }
  FREEPLAY_ASSERT(false && "a binary operation");
  return {};
}

}  // namespace freeplay::math

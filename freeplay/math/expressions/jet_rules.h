// The rules of differentiation, for whatever numbers a jet is made of: doubles, or numbers that record (RecordedJet). A
// jet has value, rate and acceleration. Internal to freeplay/math.
#pragma once

#include <cmath>
#include <type_traits>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/expression_op.h"

namespace freeplay::math {

template <class Jet>
using ScalarOf = decltype(Jet::value);

template <class Jet>
Jet apply_to_jet(ExpressionOp op, const Jet& x);

// The active branch of min and max. A NaN wins, so that it is not hidden from the caller who checks the result.
template <class S>
bool first_is_min(const S& a, const S& b) {
  return a <= b || a != a;  // NOLINT(misc-redundant-expression)
}
template <class S>
bool first_is_max(const S& a, const S& b) {
  return a >= b || a != a;  // NOLINT(misc-redundant-expression)
}

// Of two functions that are equal now, which is less right afterwards: so that the derivatives of min(t, T) and
// max(t, T) at t = T are those from the right, and fit each other.
template <class Jet>
bool is_behind(const Jet& a, const Jet& b) {
  return a.rate != b.rate ? a.rate < b.rate : a.acceleration < b.acceleration;
}

template <class Jet>
bool is_steady(const Jet& x) {
  return x.rate == 0 && x.acceleration == 0;
}

// f(x(t)) from f, f' and f'' at x. An argument that does not change gives zero rates even where f' is infinite
// (the square root of a channel that is 0), instead of 0 * inf.
template <class Jet, class S = ScalarOf<Jet>>
Jet chain(const Jet& x, const std::type_identity_t<S>& f, const std::type_identity_t<S>& df,
          const std::type_identity_t<S>& ddf) {
  if (is_steady(x)) return {f, 0, 0};
  return {f, df * x.rate, ddf * x.rate * x.rate + df * x.acceleration};
}

template <class Jet>
Jet product(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration};
}

// From a = q b:  a' = q' b + q b',  a'' = q'' b + 2 q' b' + q b''.
template <class Jet>
Jet quotient(const Jet& a, const Jet& b) {
  using S = ScalarOf<Jet>;
  const S q = a.value / b.value;
  const S rate = (a.rate - q * b.rate) / b.value;
  return {q, rate, (a.acceleration - 2 * rate * b.rate - q * b.acceleration) / b.value};
}

// n x^(n-1) and the like: a vanishing coefficient wins over 0^(negative), so that t^1 has f'' = 0 at t = 0.
template <class S>
S monomial(const S& coefficient, const S& x, const S& exponent) {
  using std::pow;
  return coefficient == 0 ? S(0) : coefficient * pow(x, exponent);
}

template <class Jet>
Jet power(const Jet& a, const Jet& b) {
  using S = ScalarOf<Jet>;
  using std::pow;
  const S f = pow(a.value, b.value), n = b.value;
  if (is_steady(b)) return chain(a, f, monomial<S>(n, a.value, n - 1), monomial<S>(n * (n - 1), a.value, n - 2));
  // f = exp(w) with w = b log a, hence f' = f w' and f'' = f (w'' + w'^2). Needs a > 0.
  const Jet w = product(b, apply_to_jet(ExpressionOp::kLog, a));
  return {f, f * w.rate, f * (w.acceleration + w.rate * w.rate)};
}

// theta = atan2(y, x):  theta' = (x y' - y x') / r^2.
template <class Jet>
Jet atan2_of(const Jet& y, const Jet& x) {
  using S = ScalarOf<Jet>;
  using std::atan2;
  const S theta = atan2(y.value, x.value);
  if (is_steady(y) && is_steady(x)) return {theta, 0, 0};
  const S r2 = x.value * x.value + y.value * y.value;
  const S rate = (x.value * y.rate - y.value * x.rate) / r2;
  const S r_dr = x.value * x.rate + y.value * y.rate;
  return {theta, rate, (x.value * y.acceleration - y.value * x.acceleration - 2 * rate * r_dr) / r2};
}

// From h^2 = a^2 + b^2:  h h' = a a' + b b',  h h'' + h'^2 = a a'' + a'^2 + b b'' + b'^2.
template <class Jet>
Jet hypot_of(const Jet& a, const Jet& b) {
  using S = ScalarOf<Jet>;
  using std::hypot;
  const S h = hypot(a.value, b.value);
  if (is_steady(a) && is_steady(b)) return {h, 0, 0};
  const S rate = (a.value * a.rate + b.value * b.rate) / h;
  const S sum = a.value * a.acceleration + a.rate * a.rate + b.value * b.acceleration + b.rate * b.rate;
  return {h, rate, (sum - rate * rate) / h};
}

template <class Jet>
Jet apply_to_jet(ExpressionOp op, const Jet& x) {
  using Op = ExpressionOp;
  using S = ScalarOf<Jet>;
  using std::cos, std::sin, std::sqrt, std::cosh, std::sinh;
  const S f = apply(op, x.value);
  switch (op) {
    case Op::kNegate:
      return {f, -x.rate, -x.acceleration};
    case Op::kSin:
      return chain(x, f, cos(x.value), -f);
    case Op::kCos:
      return chain(x, f, -sin(x.value), -f);
    case Op::kTan:
      return chain(x, f, 1 + f * f, 2 * f * (1 + f * f));
    case Op::kAsin: {
      const S df = 1 / sqrt(1 - x.value * x.value);
      return chain(x, f, df, x.value * df * df * df);
    }
    case Op::kAcos: {
      const S df = -1 / sqrt(1 - x.value * x.value);
      return chain(x, f, df, x.value * df * df * df);
    }
    case Op::kAtan: {
      const S df = 1 / (1 + x.value * x.value);
      return chain(x, f, df, -2 * x.value * df * df);
    }
    case Op::kSinh:
      return chain(x, f, cosh(x.value), f);
    case Op::kCosh:
      return chain(x, f, sinh(x.value), f);
    case Op::kTanh:
      return chain(x, f, 1 - f * f, -2 * f * (1 - f * f));
    case Op::kExp:
      return chain(x, f, f, f);
    case Op::kLog:
      return chain(x, f, 1 / x.value, -1 / (x.value * x.value));
    case Op::kSqrt:
      return chain(x, f, 0.5 / f, -0.25 / (f * x.value));
    case Op::kAbs:
      return x.value < 0 ? Jet{f, -x.rate, -x.acceleration} : Jet{f, x.rate, x.acceleration};
    default:
      return {f, 0, 0};  // sign, step, floor: constant on either side of their jumps
  }
}

template <class Jet>
Jet apply_to_jet(ExpressionOp op, const Jet& a, const Jet& b) {
  using Op = ExpressionOp;
  using S = ScalarOf<Jet>;
  using std::floor;
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
      return atan2_of(a, b);
    case Op::kMin:
      return a.value == b.value ? (is_behind(a, b) ? a : b) : (first_is_min(a.value, b.value) ? a : b);
    case Op::kMax:
      return a.value == b.value ? (is_behind(a, b) ? b : a) : (first_is_max(a.value, b.value) ? a : b);
    case Op::kHypot:
      return hypot_of(a, b);
    case Op::kMod: {
      const S turns = floor(a.value / b.value);
      return {a.value - b.value * turns, a.rate - b.rate * turns, a.acceleration - b.acceleration * turns};
    }
    default:
      break;
  }
  FREEPLAY_ASSERT(false && "a binary operation");
  return {};
}

}  // namespace freeplay::math

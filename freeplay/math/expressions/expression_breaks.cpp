// Instants at which an expression may jump or have a kink, and the periods of its sines, as far as its text tells.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/expressions/expression_op.h"

namespace freeplay::math {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// What is no later than t but for rounding.
double just_after(double t) {
  return t + 8 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

// The first instant after t at which a + b t reaches one of the levels; next_level(x, upward) is the one behind x.
template <class NextLevel>
double next_crossing(double a, double b, double t, NextLevel next_level) {
  constexpr int kMostRounded = 4;  // levels that are where x is, but for rounding
  double x = a + b * t;
  for (int k = 0; k < kMostRounded; ++k) {
    x = next_level(x, b > 0);
    const double at = (x - a) / b;
    if (!std::isfinite(at)) return kNever;
    if (at > just_after(t)) return at;
  }
  return kNever;
}

double next_multiple(double x, double of, bool upward) {
  const double whole = std::floor(x / of);
  if (upward) return (whole + 1) * of;
  return whole * of < x ? whole * of : (whole - 1) * of;
}

}  // namespace

struct Expression::LinearValue {
  bool is_known = false;
  double a = 0, b = 0;

  bool is_constant() const { return is_known && b == 0; }
  bool varies() const { return is_known && b != 0; }
};

// Calls visit(instruction, x, y) for each operation, with what is known of its operands; y is that of binary ones.
template <class Visit>
void Expression::walk_linear_values(Visit visit) const {
  using Op = ExpressionOp;
  LinearValue stack[kMaxStack];
  std::size_t size = 0;
  for (const Instruction& instruction : code_) {
    if (instruction.op == Op::kConstant) {
      stack[size++] = {true, instruction.value, 0};
      continue;
    }
    if (instruction.op == Op::kVariable) {
      stack[size++] = {instruction.variable == kTimeVariable, 0, 1};
      continue;
    }
    const LinearValue y = is_binary(instruction.op) ? stack[--size] : LinearValue{};
    LinearValue& x = stack[size - 1];
    visit(instruction, x, y);
    const bool are_known = x.is_known && (y.is_known || !is_binary(instruction.op));
    if (!are_known || instruction.op == Op::kSampled) {
      x.is_known = false;
    } else if (instruction.op == Op::kNegate) {
      x = {true, -x.a, -x.b};
    } else if (instruction.op == Op::kAdd) {
      x = {true, x.a + y.a, x.b + y.b};
    } else if (instruction.op == Op::kSubtract) {
      x = {true, x.a - y.a, x.b - y.b};
    } else if (instruction.op == Op::kMultiply && (x.b == 0 || y.b == 0)) {
      x = {true, x.a * y.a, x.a * y.b + x.b * y.a};
    } else if (instruction.op == Op::kDivide && y.b == 0) {
      x = {true, x.a / y.a, x.b / y.a};
    } else if (x.b == 0 && y.b == 0) {
      x = {true, is_binary(instruction.op) ? apply(instruction.op, x.a, y.a) : apply(instruction.op, x.a), 0};
    } else {
      x.is_known = false;
    }
  }
}

double Expression::next_break(double t) const {
  using Op = ExpressionOp;
  double first = kNever;
  const auto cross = [&](double a, double b, auto next_level) {
    first = std::min(first, next_crossing(a, b, t, next_level));
  };
  const auto next_zero = [](double x, bool upward) {
    return (upward ? x < 0 : x > 0) ? 0 : (upward ? kNever : -kNever);
  };
  walk_linear_values([&](const Instruction& instruction, const LinearValue& x, const LinearValue& y) {
    switch (instruction.op) {
      case Op::kAbs:
      case Op::kSign:
      case Op::kStep:
        if (x.varies()) cross(x.a, x.b, next_zero);
        break;
      case Op::kFloor:
        if (x.varies()) cross(x.a, x.b, [](double at, bool upward) { return next_multiple(at, 1, upward); });
        break;
      case Op::kMod:
        if (x.varies() && y.is_constant() && y.a != 0) {
          const double of = std::abs(y.a);
          cross(x.a, x.b, [of](double at, bool upward) { return next_multiple(at, of, upward); });
        }
        break;
      case Op::kMin:
      case Op::kMax:
        if (x.is_known && y.is_known && x.b != y.b) cross(x.a - y.a, x.b - y.b, next_zero);
        break;
      case Op::kSampled: {
        const SampledFunction& table = *sampled_[static_cast<std::size_t>(instruction.variable)];
        if (x.varies()) cross(x.a, x.b, [&](double at, bool upward) { return table.next_place(at, upward); });
        break;
      }
      default:
        break;
    }
  });
  return first;
}

double Expression::shortest_period() const {
  using Op = ExpressionOp;
  double shortest = kNever;
  walk_linear_values([&](const Instruction& instruction, const LinearValue& x, const LinearValue& /*y*/) {
    const bool repeats = instruction.op == Op::kSin || instruction.op == Op::kCos || instruction.op == Op::kTan;
    if (repeats && x.varies()) shortest = std::min(shortest, 2 * std::numbers::pi / std::abs(x.b));
  });
  return shortest;
}

}  // namespace freeplay::math

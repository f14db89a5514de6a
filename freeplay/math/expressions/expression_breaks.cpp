// Instants at which an expression may jump or have a kink, and the periods of its sines, as far as its text tells.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/expressions/expression_op.h"

namespace freeplay::math {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// What repeats faster is no function of time that steps could follow, but a mistake.
constexpr double kShortestPeriod = 1e-9;

// What is no later than t but for rounding.
double just_after(double t) {
  return t + std::max(8 * std::numeric_limits<double>::epsilon() * std::abs(t), 1e-300);
}

// The first instant after t at which a + b t reaches one of the levels; next_level(x, upward) is the one behind x.
template <class NextLevel>
double next_crossing(double a, double b, double t, NextLevel next_level) {
  constexpr int kMostRounded = 4;  // levels that are where x is, but for rounding
  double x = a + b * t;
  for (int k = 0; k < kMostRounded; ++k) {
    const double level = next_level(x, b > 0), at = (level - a) / b;
    if (!std::isfinite(at)) return kNever;
    if (at > just_after(t)) return at;
    x = level + (b > 0 ? 1 : -1) * 8 * std::numeric_limits<double>::epsilon() * std::abs(level);
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
  double at(double t) const { return a + b * t; }
};

// Of an operation whose operands are known, just behind t.
Expression::LinearValue Expression::linear_result(const Instruction& instruction, const LinearValue& x,
                                                  const LinearValue& y, double t) const {
  using Op = ExpressionOp;
  const auto times = [](double factor, const LinearValue& value) {
    return LinearValue{true, factor * value.a, factor * value.b};
  };
  switch (instruction.op) {
    case Op::kNegate:
      return times(-1, x);
    case Op::kAdd:
      return {true, x.a + y.a, x.b + y.b};
    case Op::kSubtract:
      return {true, x.a - y.a, x.b - y.b};
    case Op::kMultiply:
      if (x.b != 0 && y.b != 0) return {};
      return {true, x.a * y.a, x.a * y.b + x.b * y.a};
    case Op::kDivide:
      if (y.b != 0) return {};
      return {true, x.a / y.a, x.b / y.a};
    case Op::kAbs:
      return times(x.at(t) < 0 ? -1 : 1, x);
    case Op::kSign:
    case Op::kStep:
    case Op::kFloor:
      return {true, apply(instruction.op, x.at(t)), 0};
    case Op::kMin:
      return x.at(t) < y.at(t) ? x : y;
    case Op::kMax:
      return x.at(t) > y.at(t) ? x : y;
    case Op::kMod:
      return y.b == 0 ? LinearValue{true, x.a + apply(Op::kMod, x.at(t), y.a) - x.at(t), x.b} : LinearValue{};
    case Op::kSampled: {
      const SampledFunction& table = *sampled_[static_cast<std::size_t>(instruction.variable)];
      if (table.is_curved()) return {};
      const SampledFunction::Jet jet = table.at(x.at(t));
      return {true, jet.value + jet.slope * (x.a - x.at(t)), jet.slope * x.b};
    }
    default:
      if (x.b != 0 || y.b != 0) return {};
      return {true, is_binary(instruction.op) ? apply(instruction.op, x.a, y.a) : apply(instruction.op, x.a), 0};
  }
}

// Calls visit(instruction, x, y) for each operation, with what is known of its operands behind t; y is that of binary
// ones.
template <class Visit>
void Expression::walk_linear_values(double t, Visit visit) const {
  LinearValue stack[kMaxStack];
  std::size_t size = 0;
  for (const Instruction& instruction : code_) {
    if (instruction.op == ExpressionOp::kConstant) {
      stack[size++] = {true, instruction.value, 0};
      continue;
    }
    if (instruction.op == ExpressionOp::kVariable) {
      stack[size++] = {instruction.variable == kTimeVariable, 0, 1};
      continue;
    }
    const LinearValue y = is_binary(instruction.op) ? stack[--size] : LinearValue{true, 0, 0};
    LinearValue& x = stack[size - 1];
    visit(instruction, x, y);
    x = x.is_known && y.is_known ? linear_result(instruction, x, y, just_after(just_after(t))) : LinearValue{};
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
  const auto repeats = [](const LinearValue& x, double length) {
    return x.varies() && length > kShortestPeriod * std::abs(x.b);
  };
  walk_linear_values(t, [&](const Instruction& instruction, const LinearValue& x, const LinearValue& y) {
    switch (instruction.op) {
      case Op::kAbs:
      case Op::kSign:
      case Op::kStep:
        if (x.varies()) cross(x.a, x.b, next_zero);
        break;
      case Op::kFloor:
        if (repeats(x, 1)) cross(x.a, x.b, [](double at, bool upward) { return next_multiple(at, 1, upward); });
        break;
      case Op::kMod:
        if (y.is_constant() && repeats(x, std::abs(y.a))) {
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
        if (repeats(x, table.length()))
          cross(x.a, x.b, [&](double at, bool upward) { return table.next_place(at, upward); });
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
  walk_linear_values(0, [&](const Instruction& instruction, const LinearValue& x, const LinearValue& /*y*/) {
    const bool repeats = instruction.op == Op::kSin || instruction.op == Op::kCos || instruction.op == Op::kTan;
    const double period = 2 * std::numbers::pi / std::abs(x.b);
    if (repeats && x.varies() && period > kShortestPeriod) shortest = std::min(shortest, period);
  });
  return shortest;
}

}  // namespace freeplay::math

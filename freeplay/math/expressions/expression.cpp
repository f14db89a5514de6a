#include "freeplay/math/expressions/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/expression_op.h"
#include "freeplay/math/expressions/expression_parser.h"
#include "freeplay/math/recording/recorded_functions.h"

namespace freeplay::math {

namespace {

using Op = ExpressionOp;

using SampledFunctions = std::vector<std::shared_ptr<const SampledFunction>>;

double apply_sampled(const SampledFunction& function, double x) {
  return function.value(x);
}

TimeJet apply_sampled(const SampledFunction& function, const TimeJet& x) {
  const SampledFunction::Jet f = function.at(x.value);
  return {f.value, f.slope * x.rate, f.curvature * x.rate * x.rate + f.slope * x.acceleration};
}

Recorded apply_sampled(const SampledFunction& function, const Recorded& x) {
  FREEPLAY_ASSERT(function.can_be_recorded());
  return function.record(x);
}

// Runs the stack machine on numbers or on jets. The parser guarantees that kMaxStack suffices and that exactly one
// value remains; the loaders turn a constant and a variable into a Value.
template <class Value, class Code, class LoadConstant, class LoadVariable>
Value run(const Code& code, const SampledFunctions& sampled, LoadConstant load_constant, LoadVariable load_variable) {
  Value stack[Expression::kMaxStack];
  std::size_t size = 0;
  for (const auto& instruction : code) {
    if (instruction.op == Op::kConstant) {
      stack[size++] = load_constant(instruction.value);
    } else if (instruction.op == Op::kVariable) {
      stack[size++] = load_variable(instruction.variable);
    } else if (is_binary(instruction.op)) {
      --size;
      stack[size - 1] = apply(instruction.op, stack[size - 1], stack[size]);
    } else if (instruction.op == Op::kSampled) {
      stack[size - 1] = apply_sampled(*sampled[static_cast<std::size_t>(instruction.variable)], stack[size - 1]);
    } else {
      stack[size - 1] = apply(instruction.op, stack[size - 1]);
    }
  }
  return stack[0];
}

// "0.153 m", "5/s": what parse() reads back as the same quantity.
std::string quantity_text(const Quantity& quantity) {
  if (quantity.dimension.is_dimensionless()) return fmt::format("{}", quantity.value);
  const std::string unit = quantity.dimension.si_unit();
  const bool only_divides = unit.starts_with("1/");
  return only_divides ? fmt::format("{}{}", quantity.value, unit.substr(1))
                      : fmt::format("{} {}", quantity.value, unit);
}

}  // namespace

ExpressionError::ExpressionError(std::size_t offset, const std::string& message, std::string hint)
    : std::runtime_error(message), offset_(offset), hint_(std::move(hint)) {}

Expression Expression::constant(Quantity quantity) {
  Expression expression;
  expression.code_.push_back({Op::kConstant, 0, quantity.value});
  expression.dimension_ = quantity.dimension;
  expression.text_ = quantity_text(quantity);
  expression.bare_zero_ = false;
  return expression;
}

Expression Expression::variable(int index, Dimension dimension) {
  Expression expression;
  expression.code_.push_back({Op::kVariable, index, 0});
  expression.variables_ = {index};
  expression.dimension_ = dimension;
  expression.text_ = index == kTimeVariable ? "t" : "";
  expression.bare_zero_ = false;
  return expression;
}

Expression Expression::call(const NamedFunction& function, Expression argument) {
  FREEPLAY_ASSERT(argument.dimension_ == function.argument || argument.bare_zero_);
  if (argument.code_.empty()) argument.code_.push_back({Op::kConstant, 0, 0});
  argument.code_.push_back({Op::kSampled, static_cast<int>(argument.sampled_.size()), 0});
  argument.sampled_.push_back(function.samples);
  argument.dimension_ = function.value;
  argument.text_ = fmt::format("table({})", argument.text_);
  argument.bare_zero_ = false;
  return argument;
}

Expression Expression::parse(std::string_view text, const SymbolScope& scope) {
  return ExpressionParser(text, scope).parse();
}

bool Expression::is_constant() const {
  return variables_.empty();
}

double Expression::constant_value() const {
  FREEPLAY_ASSERT(is_constant());
  return evaluate({});
}

bool Expression::can_be_recorded() const {
  return std::ranges::all_of(sampled_, [](const auto& function) { return function->can_be_recorded(); });
}

const std::vector<int>& Expression::variables() const {
  return variables_;
}

bool Expression::is_linear_in_time() const {
  constexpr int kNotLinear = 2;
  std::vector<int> degrees;  // in t, of the values on the stack
  for (const Instruction& instruction : code_) {
    const ExpressionOp op = instruction.op;
    if (op == ExpressionOp::kConstant) {
      degrees.push_back(0);
    } else if (op == ExpressionOp::kVariable) {
      degrees.push_back(instruction.variable == kTimeVariable ? 1 : kNotLinear);
    } else if (!is_binary(op)) {
      if (op != ExpressionOp::kNegate && degrees.back() > 0) degrees.back() = kNotLinear;
    } else {
      const int right = degrees.back();
      degrees.pop_back();
      int& left = degrees.back();
      if (op == ExpressionOp::kAdd || op == ExpressionOp::kSubtract)
        left = std::max(left, right);
      else if (op == ExpressionOp::kMultiply)
        left = std::min(left + right, kNotLinear);
      else if (op != ExpressionOp::kDivide || right > 0)
        left = left + right > 0 ? kNotLinear : 0;
    }
  }
  return degrees.empty() || degrees.back() < kNotLinear;
}

double Expression::evaluate(std::span<const double> variables) const {
  if (code_.empty()) return 0;
  FREEPLAY_ASSERT(variables_.empty() || static_cast<std::size_t>(variables_.back()) < variables.size());
  return run<double>(
      code_, sampled_, [](double value) { return value; },
      [&](int index) { return variables[static_cast<std::size_t>(index)]; });
}

Recorded Expression::record(std::span<const Recorded> variables) const {
  if (code_.empty()) return 0.0;
  FREEPLAY_ASSERT(variables_.empty() || static_cast<std::size_t>(variables_.back()) < variables.size());
  return run<Recorded>(
      code_, sampled_, [](double value) { return Recorded(value); },
      [&](int index) { return variables[static_cast<std::size_t>(index)]; });
}

TimeJet Expression::evaluate_jet(std::span<const double> variables) const {
  if (code_.empty()) return {};
  FREEPLAY_ASSERT(variables_.empty() || static_cast<std::size_t>(variables_.back()) < variables.size());
  return run<TimeJet>(
      code_, sampled_,
      [](double value) {
        return TimeJet{value, 0, 0};
      },
      [&](int index) {
        return TimeJet{variables[static_cast<std::size_t>(index)], index == kTimeVariable ? 1.0 : 0.0, 0};
      });
}

TimeJet Expression::evaluate_jet(std::span<const double> variables, std::span<const double> rates) const {
  if (code_.empty()) return {};
  FREEPLAY_ASSERT(variables_.empty() || static_cast<std::size_t>(variables_.back()) < variables.size());
  FREEPLAY_ASSERT(rates.size() == variables.size());
  return run<TimeJet>(
      code_, sampled_,
      [](double value) {
        return TimeJet{value, 0, 0};
      },
      [&](int index) {
        return TimeJet{variables[static_cast<std::size_t>(index)], rates[static_cast<std::size_t>(index)], 0};
      });
}

Quantity parse_quantity(std::string_view text) {
  const Expression expression = Expression::parse(text, SymbolScope{});
  return {expression.constant_value(), expression.dimension()};
}

}  // namespace freeplay::math

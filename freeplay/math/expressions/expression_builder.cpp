#include "freeplay/math/expressions/expression_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/expression_lexer.h"

namespace freeplay::math {

namespace {

// "a length (m)"; the unit is left out where the description names it, and for plain numbers.
std::string with_unit(const Dimension& dimension) {
  const std::string words = dimension.describe(), unit = dimension.si_unit();
  const bool says_all = dimension.is_dimensionless() || words.ends_with(" " + unit);
  return says_all ? words : fmt::format("{} ({})", words, unit);
}

std::string exponent_limits() {
  return fmt::format("the exponents of a dimension are whole numbers of twelfths, at most {} in magnitude",
                     Dimension::kMaxExponent);
}

}  // namespace

ExpressionBuilder::ExpressionBuilder(std::string_view text) {
  result_.text_ = text;
}

Operand ExpressionBuilder::constant(Quantity quantity, bool is_bare_zero, TextRange range) {
  push(ExpressionOp::kConstant, 0, quantity.value, range);
  require_finite(range);
  return {quantity.dimension, range, true, is_bare_zero};
}

Operand ExpressionBuilder::variable(int index, const Dimension& dimension, TextRange range) {
  push(ExpressionOp::kVariable, index, 0, range);
  std::vector<int>& indices = result_.variables_;
  const auto place = std::ranges::lower_bound(indices, index);
  if (place == indices.end() || *place != index) indices.insert(place, index);
  return {dimension, range, false, false};
}

Operand ExpressionBuilder::negative(const Operand& x, TextRange range) {
  Operand result = emit_unary(ExpressionOp::kNegate, x, x.dimension, range);
  result.is_bare_zero = x.is_bare_zero;
  return result;
}

Operand ExpressionBuilder::sum(char symbol, std::size_t offset, const Operand& a, const Operand& b) {
  const TextRange range{a.range.begin, b.range.end};
  const Dimension dimension = common_dimension(a, b, fmt::format("the two sides of `{}`", symbol), offset, range);
  Operand result = emit_binary(symbol == '+' ? ExpressionOp::kAdd : ExpressionOp::kSubtract, a, b, dimension, range);
  result.is_bare_zero = a.is_bare_zero && b.is_bare_zero;
  return result;
}

Operand ExpressionBuilder::product(char symbol, std::size_t offset, const Operand& a, const Operand& b) {
  const TextRange range{a.range.begin, b.range.end};
  const Dimension dimension = symbol == '*' ? a.dimension * b.dimension : a.dimension / b.dimension;
  if (!dimension.within_limits()) {
    throw ExpressionError(offset, fmt::format("{} has no dimension that can be held", quoted_text(range)),
                          exponent_limits());
  }
  return emit_binary(symbol == '*' ? ExpressionOp::kMultiply : ExpressionOp::kDivide, a, b, dimension, range);
}

Operand ExpressionBuilder::power(const Operand& base, const Operand& exponent) {
  const TextRange range{base.range.begin, exponent.range.end};
  require_plain(exponent, "the exponent");
  if (base.dimension.is_dimensionless()) return emit_binary(ExpressionOp::kPower, base, exponent, {}, range);

  if (!exponent.is_constant) {
    throw ExpressionError(
        exponent.range.begin,
        fmt::format("{}: a varying power of {} has no fixed dimension", quoted_text(range), with_unit(base.dimension)),
        "raise a plain number, or use a constant exponent");
  }
  const std::optional<Dimension> dimension = base.dimension.power(result_.code_.back().value);
  if (!dimension) {
    throw ExpressionError(
        exponent.range.begin,
        fmt::format("{}: this power of {} has no dimension", quoted_text(range), with_unit(base.dimension)),
        exponent_limits());
  }
  return emit_binary(ExpressionOp::kPower, base, exponent, *dimension, range);
}

Operand ExpressionBuilder::call(const ExpressionFunction& function, std::span<const Operand> arguments,
                                TextRange range) {
  const Dimension dimension = call_dimension(function, arguments, range);
  Operand result = is_binary(function.op) ? emit_binary(function.op, arguments[0], arguments[1], dimension, range)
                                          : emit_unary(function.op, arguments[0], dimension, range);
  result.is_bare_zero =
      function.rule == DimensionRule::kKeeps && std::ranges::all_of(arguments, &Operand::is_bare_zero);
  return result;
}

Operand ExpressionBuilder::call(const NamedFunction& function, std::string_view name, const Operand& argument,
                                TextRange range) {
  if (argument.dimension != function.argument && !argument.is_bare_zero) {
    throw ExpressionError(
        argument.range.begin,
        fmt::format("the argument of `{}` is {}, but must be {}: {}", name, with_unit(argument.dimension),
                    with_unit(function.argument), quoted_text(argument.range)),
        "the table says what it is a function of");
  }
  if (argument.is_constant) {
    double& value = result_.code_.back().value;
    value = function.samples->value(value);
    require_finite(range);
  } else {
    result_.code_.push_back({ExpressionOp::kSampled, static_cast<int>(result_.sampled_.size()), 0});
    result_.sampled_.push_back(function.samples);
  }
  return {function.value, range, argument.is_constant, false};
}

Operand ExpressionBuilder::expression(const Expression& other, const Dimension& of_zero) {
  const Dimension& dimension = other.is_bare_zero() ? of_zero : other.dimension();
  if (other.is_constant()) return constant({other.constant_value(), dimension}, false, {});
  const int first_sampled = static_cast<int>(result_.sampled_.size());
  for (const Expression::Instruction& instruction : other.code_) {
    const ExpressionOp op = instruction.op;
    if (op == ExpressionOp::kVariable) {
      variable(instruction.variable, {}, {});
    } else if (op == ExpressionOp::kConstant) {
      push(op, 0, instruction.value, {});
    } else {
      if (is_binary(op)) --stack_size_;
      const bool is_sampled = op == ExpressionOp::kSampled;
      result_.code_.push_back({op, is_sampled ? first_sampled + instruction.variable : 0, instruction.value});
    }
  }
  result_.sampled_.insert(result_.sampled_.end(), other.sampled_.begin(), other.sampled_.end());
  return {dimension, {}, false, false};
}

Expression ExpressionBuilder::finish(const Operand& whole) && {
  FREEPLAY_ASSERT(stack_size_ == 1);
  result_.dimension_ = whole.dimension;
  result_.bare_zero_ = whole.is_bare_zero;
  return std::move(result_);
}

void ExpressionBuilder::push(ExpressionOp op, int variable, double value, TextRange range) {
  if (stack_size_ == Expression::kMaxStack) {
    throw ExpressionError(range.begin,
                          fmt::format("the expression needs more than {} intermediate values at {}",
                                      Expression::kMaxStack, quoted_text(range)),
                          "split it into parameters");
  }
  ++stack_size_;
  result_.code_.push_back({op, variable, value});
}

Operand ExpressionBuilder::emit_unary(ExpressionOp op, const Operand& x, const Dimension& result, TextRange range) {
  if (x.is_constant) {
    double& value = result_.code_.back().value;
    value = apply(op, value);
    require_finite(range);
  } else {
    result_.code_.push_back({op, 0, 0});
  }
  return {result, range, x.is_constant, false};
}

Operand ExpressionBuilder::emit_binary(ExpressionOp op, const Operand& a, const Operand& b, const Dimension& result,
                                       TextRange range) {
  const bool is_constant = a.is_constant && b.is_constant;
  if (is_constant) {
    const double right = result_.code_.back().value;
    result_.code_.pop_back();
    double& value = result_.code_.back().value;
    value = apply(op, value, right);
    require_finite(range);
  } else {
    result_.code_.push_back({op, 0, 0});
  }
  --stack_size_;
  return {result, range, is_constant, false};
}

void ExpressionBuilder::require_finite(TextRange range) const {
  const double value = result_.code_.back().value;
  if (std::fpclassify(value) == FP_SUBNORMAL) {
    throw ExpressionError(range.begin,
                          fmt::format("{} is {:.3g}, too small for double precision", quoted_text(range), value),
                          "numbers in SI units lie between 1e-307 and 1e308 in magnitude; write 0 if that is meant");
  }
  if (std::isfinite(value)) return;
  throw ExpressionError(range.begin, fmt::format("{} has no finite value", quoted_text(range)),
                        "look for a division by zero, an overflow, or an argument outside a function's range");
}

void ExpressionBuilder::require_plain(const Operand& x, const std::string& subject) const {
  if (x.dimension.is_dimensionless()) return;
  const std::string unit = x.dimension.si_unit();
  throw ExpressionError(x.range.begin,
                        fmt::format("{} is {}, but must be {}: {}", subject, with_unit(x.dimension),
                                    Dimension().describe(), quoted_text(x.range)),
                        x.dimension == dimensions::kTime ? "multiply the time by a frequency, as in `sin(2*pi*1Hz*t)`"
                                                         : fmt::format("divide it by a reference value in {}", unit));
}

Dimension ExpressionBuilder::common_dimension(const Operand& a, const Operand& b, const std::string& subject,
                                              std::size_t offset, TextRange range) const {
  if (a.dimension == b.dimension || b.is_bare_zero) return a.dimension;
  if (a.is_bare_zero) return b.dimension;
  const bool one_is_plain = a.dimension.is_dimensionless() || b.dimension.is_dimensionless();
  throw ExpressionError(
      offset,
      fmt::format("{} are {} and {}: {}", subject, with_unit(a.dimension), with_unit(b.dimension), quoted_text(range)),
      one_is_plain ? "give the plain number a unit" : "both must have the same dimension");
}

Dimension ExpressionBuilder::call_dimension(const ExpressionFunction& function, std::span<const Operand> arguments,
                                            TextRange range) const {
  const Operand& first = arguments.front();
  switch (function.rule) {
    case DimensionRule::kPlain:
      require_plain(first, fmt::format("the argument of `{}`", function.name));
      return {};
    case DimensionRule::kAnyToPlain:
      return {};
    case DimensionRule::kKeeps:
    case DimensionRule::kRatio: {
      const std::string subject = fmt::format("the arguments of `{}`", function.name);
      const Dimension common = common_dimension(first, arguments.back(), subject, range.begin, range);
      return function.rule == DimensionRule::kKeeps ? common : Dimension();
    }
    case DimensionRule::kSquareRoot: {
      const std::optional<Dimension> root = first.dimension.power(0.5);
      if (root) return *root;
      throw ExpressionError(first.range.begin,
                            fmt::format("{}: {} has no square root", quoted_text(range), with_unit(first.dimension)),
                            exponent_limits());
    }
  }
  FREEPLAY_ASSERT(false && "a dimension rule");
  return {};
}

std::string ExpressionBuilder::quoted_text(TextRange range) const {
  return quoted(std::string_view(result_.text_).substr(range.begin, range.end - range.begin));
}

}  // namespace freeplay::math

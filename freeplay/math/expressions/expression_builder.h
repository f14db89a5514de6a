// Compiles typed operations into the code of an expression: checks dimensions, folds constants, counts the stack.
// Internal to freeplay/math; the parser drives it in the order in which operands end.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/expressions/expression_functions.h"

namespace freeplay::math {

// Bytes [begin, end) of the expression's text, for messages.
struct TextRange {
  std::size_t begin = 0, end = 0;
};

// A compiled subexpression. Operands live on the stack of the machine, so each is used once, last in first out.
struct Operand {
  Dimension dimension;
  TextRange range;
  bool is_constant = false;   // then it is exactly one instruction, the last of its code
  bool is_bare_zero = false;  // a literal 0 that fits every dimension; implies is_constant
};

// Every function throws ExpressionError for a dimension that does not fit, a constant that is not finite, and a stack
// that would grow beyond Expression::kMaxStack.
class ExpressionBuilder {
 public:
  explicit ExpressionBuilder(std::string_view text);

  Operand constant(Quantity quantity, bool is_bare_zero, TextRange range);
  Operand variable(int index, const Dimension& dimension, TextRange range);
  Operand negative(const Operand& x, TextRange range);
  // `symbol` is one of + - * /, at byte `offset`.
  Operand sum(char symbol, std::size_t offset, const Operand& a, const Operand& b);
  Operand product(char symbol, std::size_t offset, const Operand& a, const Operand& b);
  Operand power(const Operand& base, const Operand& exponent);
  // `arguments`: as many as the function takes.
  Operand call(const ExpressionFunction& function, std::span<const Operand> arguments, TextRange range);

  // The function stays alive with the expression.
  Operand call(const NamedFunction& function, std::string_view name, const Operand& argument, TextRange range);

  // A compiled expression as an operand; a bare zero gets the dimension that is given.
  Operand expression(const Expression& other, const Dimension& of_zero);

  Expression finish(const Operand& whole) &&;

 private:
  void push(ExpressionOp op, int variable, double value, TextRange range);
  Operand emit_unary(ExpressionOp op, const Operand& x, const Dimension& result, TextRange range);
  Operand emit_binary(ExpressionOp op, const Operand& a, const Operand& b, const Dimension& result, TextRange range);
  void require_finite(TextRange range) const;
  // `subject` begins the message: "the argument of `sin`", "the two sides of `+`".
  void require_plain(const Operand& x, const std::string& subject) const;
  Dimension common_dimension(const Operand& a, const Operand& b, const std::string& subject, std::size_t offset,
                             TextRange range) const;
  Dimension call_dimension(const ExpressionFunction& function, std::span<const Operand> arguments,
                           TextRange range) const;
  std::string quoted_text(TextRange range) const;

  Expression result_;
  int stack_size_ = 0;
};

}  // namespace freeplay::math

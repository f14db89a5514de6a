// The grammar of expressions: recursive descent over tokens. Internal to freeplay/math; use Expression::parse().
//
//   sum     = product {("+" | "-") product}
//   product = unary {("*" | "/") unary}
//   unary   = ("-" | "+") unary  |  power
//   power   = primary ["^" unary]                        numbers have no unit in this unary
//   primary = number [unit]  |  name  |  name "(" sum {"," sum} ")"  |  "(" sum ")"
//
// The unit is in unit_parser.h. Every parse function reads at the cursor and leaves it behind what it read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "freeplay/math/expressions/expression_builder.h"
#include "freeplay/math/expressions/expression_lexer.h"

namespace freeplay::math {

class ExpressionParser {
 public:
  // Both must outlive the parser.
  ExpressionParser(std::string_view text, const SymbolScope& scope);
  Expression parse() &&;

 private:
  // Recursions of the grammar, each of which takes less than a kilobyte of the thread's stack.
  static constexpr int kMaxNesting = 100;
  class NestingGuard;
  // In an exponent a number takes no unit, so that `x^2/s` does not read as x^(2/s).
  enum class Units { kAllowed, kNone };

  Operand parse_sum();
  Operand parse_product();
  Operand parse_unary(Units units);
  Operand parse_power(Units units);
  Operand parse_primary(Units units);
  Operand parse_number(Units units);
  Operand parse_name();
  Operand parse_call();
  void parse_closing(std::size_t begin);

  std::optional<Symbol> lookup(std::string_view name) const;
  [[noreturn]] void throw_unexpected(const Token& token) const;
  [[noreturn]] void throw_unknown_name(const Token& name) const;
  [[noreturn]] void throw_unknown_function(const Token& name) const;
  std::string hint_for_unit_as_name(const Token& name) const;
  std::string hint_for_unknown_name(const Token& name) const;

  const SymbolScope& scope_;
  TokenCursor cursor_;
  ExpressionBuilder builder_;
  int nesting_ = 0;
  // The last unit that was read, for the hint to `2 kg*m^2`: its text, and the cursor's position behind it.
  std::string_view last_unit_;
  std::size_t last_unit_end_ = 0;
};

}  // namespace freeplay::math

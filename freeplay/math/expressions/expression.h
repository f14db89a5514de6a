// Expressions of a model file: quantity-typed, compiled once, evaluated without allocation, differentiable in t.
//
// Grammar (docs/reference/expressions.md): numbers with an optional unit, names, + - * / ^, parentheses, functions.
// A unit follows a number literal only; elsewhere a name is a parameter, a channel ("crank.omega") or t.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/math/expressions/sampled_function.h"
#include "freeplay/math/quantities/dimension.h"

namespace freeplay::math {

// A number in SI units with its dimension.
struct Quantity {
  double value = 0;
  Dimension dimension;
};

// A mistake in an expression: `offset` is its 0-based byte position in the text.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t offset, const std::string& message, std::string hint = {});
  std::size_t offset() const { return offset_; }
  const std::string& hint() const { return hint_; }

 private:
  std::size_t offset_;
  std::string hint_;
};

// What a name in an expression stands for: a constant (a parameter) or a variable read at evaluation time.
struct Symbol {
  enum class Kind : std::uint8_t { kConstant, kVariable };
  Kind kind = Kind::kConstant;
  Quantity constant;       // kConstant
  int variable = 0;        // kVariable: index into the span given to evaluate()
  Dimension dimension;     // kVariable
  bool bare_zero = false;  // kConstant: a plain 0 that fits every dimension (Expression::is_bare_zero)
};

// Resolves names. `lookup` returns nullopt for an unknown name; `known_names` feeds "did you mean".
struct SymbolScope {
  std::function<std::optional<Symbol>(std::string_view)> lookup;
  std::function<std::vector<std::string>()> known_names;
  // Functions of the model besides the built-in ones; nullptr for an unknown name.
  std::function<const NamedFunction*(std::string_view)> function = {};
};

enum class ExpressionOp : std::uint8_t;  // freeplay/math/expressions/expression_op.h
class Recorded;                          // freeplay/math/recording/recorded.h

// Value and first two derivatives in t.
struct TimeJet {
  double value = 0, rate = 0, acceleration = 0;
};

class Expression {
 public:
  static constexpr int kMaxStack = 64;                  // operands alive at once; deeper nesting is an ExpressionError
  static constexpr int kTimeVariable = 0;               // by convention variables[0] is t
  static constexpr std::size_t kMaxTextBytes = 10'000;  // a longer text is an ExpressionError

  Expression() = default;  // the constant 0, dimensionless
  static Expression constant(Quantity quantity);
  static Expression constant(double value, Dimension dimension = {}) { return constant(Quantity{value, dimension}); }
  static Expression variable(int index, Dimension dimension);
  // Requires that the argument has the dimension that the function wants, or is a bare zero.
  static Expression call(const NamedFunction& function, Expression argument);
  // Throws ExpressionError for a syntax error, an unknown name or unit, a dimension mismatch (adding metres to
  // seconds, sin of a length), and for a constant that is not finite (division by zero, overflow).
  static Expression parse(std::string_view text, const SymbolScope& scope);

  const Dimension& dimension() const { return dimension_; }
  bool is_constant() const;
  // A `0` without a unit (or a sum of such): dimension() is then "none", but the value fits every dimension, as in
  // `[0, -9.81 m/s^2]`. True for Expression() too; false for `0 m` and for Expression::constant(0).
  bool is_bare_zero() const { return bare_zero_; }
  double constant_value() const;              // requires is_constant()
  const std::vector<int>& variables() const;  // indices of the variables it reads, ascending, unique
  const std::string& text() const { return text_; }
  // Seen from how it is written: a + b t with constants a and b; false where that is not plain to see.
  bool is_linear_in_time() const;
  // Seen likewise: the first instant after t at which it may jump or have a kink, a sample of a table or a zero of abs,
  // step, ..., as far as their arguments are a + b t, piece by piece. Infinity if there is none.
  double next_break(double t) const;
  // The shortest period of its sines and cosines of a + b t; infinity if there are none.
  double shortest_period() const;

  // Allocates nothing. May return a value that is not finite (division by zero at run time): the caller checks.
  double evaluate(std::span<const double> variables) const;
  // The same with numbers that remember how they were made; not of functions given by very many samples.
  Recorded record(std::span<const Recorded> variables) const;
  bool can_be_recorded() const;
  bool has_samples() const { return !sampled_.empty(); }
  // Derivatives with respect to variables[kTimeVariable]; every other variable is held constant.
  TimeJet evaluate_jet(std::span<const double> variables) const;
  // Derivatives along a line: each variable has a constant rate.
  TimeJet evaluate_jet(std::span<const double> variables, std::span<const double> rates) const;

 private:
  struct Instruction {
    ExpressionOp op;
    int variable = 0;  // of kSampled: the place of its function
    double value = 0;
  };
  friend class ExpressionBuilder;
  // What is known of a value on the stack behind an instant: a + b t until the next break, or nothing.
  struct LinearValue;
  LinearValue linear_result(const Instruction& instruction, const LinearValue& x, const LinearValue& y, double t) const;
  template <class Visit>
  void walk_linear_values(double t, Visit visit) const;

  std::vector<Instruction> code_;
  std::vector<int> variables_;
  std::vector<std::shared_ptr<const SampledFunction>> sampled_;
  Dimension dimension_;
  std::string text_;
  bool bare_zero_ = true;
};

// "150 rad/s" etc. without names: a constant expression with no scope. Throws ExpressionError.
Quantity parse_quantity(std::string_view text);

// A unit by itself ("kg m^2", "N/m^1.5"): the SI value of one such unit and its dimension. nullopt if unknown.
std::optional<Quantity> find_unit(std::string_view text);

// Every unit name the parser knows (without prefixed forms), for `freeplay list` and the reference page.
std::vector<std::string> unit_names();
// Every function name ("sin", "min", ...) and built-in constant ("pi").
std::vector<std::string> function_names();

}  // namespace freeplay::math

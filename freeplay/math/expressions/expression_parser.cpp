#include "freeplay/math/expressions/expression_parser.h"

#include <fmt/format.h>

#include <numbers>
#include <utility>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/math/quantities/unit_parser.h"

namespace freeplay::math {

namespace {

std::string_view of_bounded_length(std::string_view text) {
  if (text.size() <= Expression::kMaxTextBytes) return text;
  throw ExpressionError(
      0,
      fmt::format("the expression {} has {} bytes, more than {}", quoted(text), text.size(), Expression::kMaxTextBytes),
      "split it into parameters");
}

TextRange range_of(const Token& token) {
  return {token.offset, token.end()};
}

}  // namespace

class ExpressionParser::NestingGuard {
 public:
  explicit NestingGuard(ExpressionParser& parser) : parser_(parser) {
    if (parser_.nesting_ == kMaxNesting) {
      const Token& token = parser_.cursor_.peek();
      throw ExpressionError(token.offset,
                            fmt::format("more than {} levels of nesting at {}", kMaxNesting, quoted(token.text)),
                            "split it into parameters");
    }
    ++parser_.nesting_;
  }
  ~NestingGuard() { --parser_.nesting_; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

 private:
  ExpressionParser& parser_;
};

ExpressionParser::ExpressionParser(std::string_view text, const SymbolScope& scope)
    : scope_(scope), cursor_(of_bounded_length(text)), builder_(text) {}

Expression ExpressionParser::parse() && {
  if (cursor_.peek().kind == Token::Kind::kEnd) {
    throw ExpressionError(0, "the expression is empty", "write a value, as in `3 mm`");
  }
  const Operand whole = parse_sum();
  if (cursor_.peek().kind != Token::Kind::kEnd) throw_unexpected(cursor_.peek());
  return std::move(builder_).finish(whole);
}

Operand ExpressionParser::parse_sum() {
  Operand sum = parse_product();
  while (cursor_.peek().is('+') || cursor_.peek().is('-')) {
    const Token& op = cursor_.next();
    const Operand term = parse_product();
    sum = builder_.sum(op.text.front(), op.offset, sum, term);
  }
  return sum;
}

Operand ExpressionParser::parse_product() {
  Operand product = parse_unary(Units::kAllowed);
  while (cursor_.peek().is('*') || cursor_.peek().is('/')) {
    const Token& op = cursor_.next();
    const Operand factor = parse_unary(Units::kAllowed);
    product = builder_.product(op.text.front(), op.offset, product, factor);
  }
  return product;
}

Operand ExpressionParser::parse_unary(Units units) {
  const NestingGuard guard(*this);
  const std::size_t begin = cursor_.peek().offset;
  if (cursor_.accept('+')) return parse_unary(units);
  if (!cursor_.accept('-')) return parse_power(units);
  const Operand operand = parse_unary(units);
  return builder_.negative(operand, {begin, operand.range.end});
}

Operand ExpressionParser::parse_power(Units units) {
  const Operand base = parse_primary(units);
  if (!cursor_.accept('^')) return base;
  const Operand exponent = parse_unary(Units::kNone);
  return builder_.power(base, exponent);
}

Operand ExpressionParser::parse_primary(Units units) {
  const Token& token = cursor_.peek();
  if (token.kind == Token::Kind::kNumber) return parse_number(units);
  if (token.is_name()) return cursor_.peek(1).is('(') ? parse_call() : parse_name();
  if (!cursor_.accept('(')) throw_unexpected(token);
  Operand operand = parse_sum();
  parse_closing(token.offset);
  operand.range = {token.offset, cursor_.last().end()};
  return operand;
}

Operand ExpressionParser::parse_number(Units units) {
  const Token& number = cursor_.next();
  const std::size_t unit_begin = cursor_.peek().offset;
  std::optional<UnitScale> unit;
  if (units == Units::kAllowed) {
    unit = parse_unit(cursor_, number.offset, [this](std::string_view name) { return lookup(name).has_value(); });
  }
  if (!unit) return builder_.constant({number.number, {}}, number.number == 0, range_of(number));
  last_unit_ = cursor_.text_since(unit_begin);
  last_unit_end_ = cursor_.position();
  return builder_.constant({number.number * unit->multiplier / unit->divisor, unit->dimension}, false,
                           {number.offset, cursor_.last().end()});
}

Operand ExpressionParser::parse_name() {
  const Token& name = cursor_.next();
  const std::optional<Symbol> symbol = lookup(name.text);
  if (!symbol) throw_unknown_name(name);
  if (symbol->kind == Symbol::Kind::kVariable) {
    return builder_.variable(symbol->variable, symbol->dimension, range_of(name));
  }
  const bool is_bare_zero = symbol->bare_zero && symbol->constant.value == 0;
  return builder_.constant(symbol->constant, is_bare_zero, range_of(name));
}

Operand ExpressionParser::parse_call() {
  const Token& name = cursor_.next();
  const ExpressionFunction* function = find_function(name.text);
  const NamedFunction* named = function == nullptr && scope_.function ? scope_.function(name.text) : nullptr;
  if (function == nullptr && named == nullptr) throw_unknown_function(name);

  cursor_.next();  // the `(` that makes it a call
  std::vector<Operand> arguments;
  if (!cursor_.peek().is(')')) {
    do {
      arguments.push_back(parse_sum());
    } while (cursor_.accept(','));
  }
  parse_closing(name.offset);

  const std::size_t expected = function != nullptr && is_binary(function->op) ? 2 : 1;
  if (arguments.size() != expected) {
    throw ExpressionError(
        name.offset, fmt::format("`{}` takes {} argument{}, not {}: {}", name.text, expected, expected == 1 ? "" : "s",
                                 arguments.size(), quoted(cursor_.text_since(name.offset))));
  }
  const TextRange range{name.offset, cursor_.last().end()};
  return named != nullptr ? builder_.call(*named, name.text, arguments.front(), range)
                          : builder_.call(*function, arguments, range);
}

// The `)` of what began at byte `begin`.
void ExpressionParser::parse_closing(std::size_t begin) {
  if (cursor_.accept(')')) return;
  if (cursor_.peek().kind != Token::Kind::kEnd) throw_unexpected(cursor_.peek());
  throw ExpressionError(begin, fmt::format("the parenthesis of {} is not closed", quoted(cursor_.text_since(begin))),
                        "add a `)`");
}

std::optional<Symbol> ExpressionParser::lookup(std::string_view name) const {
  if (name == kPiName) return Symbol{Symbol::Kind::kConstant, {std::numbers::pi, {}}, 0, {}, false};
  return scope_.lookup ? scope_.lookup(name) : std::nullopt;
}

void ExpressionParser::throw_unexpected(const Token& token) const {
  if (token.kind == Token::Kind::kEnd) {
    throw ExpressionError(token.offset, fmt::format("a value is missing after {}", quoted(cursor_.last().text)));
  }
  std::string hint;
  if (token.is(',')) {
    hint = "decimals are written with a point; commas separate the arguments of a function";
  } else if (token.is(')')) {
    hint = "no `(` is open here, or a value is missing before it";
  } else if (token.is('*') && cursor_.position() > 0 && cursor_.last().is('*')) {
    hint = "a power is written with `^`";
  } else if (token.kind != Token::Kind::kSymbol || token.is('(')) {
    hint = "write `*` to multiply";
  }
  throw ExpressionError(token.offset, fmt::format("unexpected {}", quoted(token.text)), hint);
}

void ExpressionParser::throw_unknown_name(const Token& name) const {
  if (find_function(name.text) != nullptr && !find_unit_name(name.text)) {
    throw ExpressionError(name.offset, fmt::format("the function {} has no arguments", quoted(name.text)),
                          fmt::format("write `{}(...)`", name.text));
  }
  if (scope_.function && scope_.function(name.text) != nullptr) {
    throw ExpressionError(name.offset, fmt::format("{} is a function, and has no argument here", quoted(name.text)),
                          fmt::format("write `{}(t)`", name.text));
  }
  throw ExpressionError(name.offset, fmt::format("unknown name {}", quoted(name.text)),
                        find_unit_name(name.text) ? hint_for_unit_as_name(name) : hint_for_unknown_name(name));
}

std::string ExpressionParser::hint_for_unit_as_name(const Token& name) const {
  const bool continues_unit = cursor_.position() == last_unit_end_ + 2 && cursor_.last(1).is('*');  // 2 kg*m^2
  if (!continues_unit) return fmt::format("a unit follows a number: write `1 {}`", name.text);
  const bool has_exponent = cursor_.peek().is('^') && cursor_.peek(1).kind == Token::Kind::kNumber;
  const std::string factor =
      has_exponent ? fmt::format("{}^{}", name.text, cursor_.peek(1).text) : std::string(name.text);
  // A further factor may not stand behind a divisor.
  const bool divides = last_unit_.find('/') != std::string_view::npos;
  return divides ? fmt::format("units multiply by a space, before the first `/`: write `{}` in front of `{}`", factor,
                               last_unit_)
                 : fmt::format("units multiply by a space: write `{} {}`", last_unit_, factor);
}

std::string ExpressionParser::hint_for_unknown_name(const Token& name) const {
  if (name.text == "t") return "this value cannot depend on the time t";
  const bool is_behind_unit = cursor_.position() == last_unit_end_ + 2;  // 5 N/mmm
  const bool is_unit_with_digit = is_behind_unit && name.text.back() >= '0' && name.text.back() <= '9';
  if (is_unit_with_digit) {  // m/s2
    if (std::string hint = suggest_unit(name.text); !hint.empty()) return hint;
  }
  std::vector<std::string> candidates = scope_.known_names ? scope_.known_names() : std::vector<std::string>();
  candidates.emplace_back(kPiName);
  const std::string closest = closest_match(name.text, candidates);
  if (!closest.empty()) return fmt::format("did you mean `{}`?", closest);
  return is_behind_unit ? suggest_unit(name.text) : "";
}

void ExpressionParser::throw_unknown_function(const Token& name) const {
  std::string hint;
  if (lookup(name.text)) {
    hint = fmt::format("to multiply, write `{}*(...)`", name.text);
  } else if (name.text == "pow") {
    hint = "a power is written `a^b`";
  } else if (name.text == "ln") {
    hint = "the natural logarithm is `log`";
  } else if (const std::string closest = closest_match(name.text, function_names()); !closest.empty()) {
    hint = fmt::format("did you mean `{}`?", closest);
  }
  throw ExpressionError(name.offset, fmt::format("unknown function {}", quoted(name.text)), hint);
}

}  // namespace freeplay::math

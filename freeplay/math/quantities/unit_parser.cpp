#include "freeplay/math/quantities/unit_parser.h"

#include <fmt/format.h>

#include <cmath>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::math {

namespace {

class UnitParser {
 public:
  UnitParser(TokenCursor& cursor, std::size_t number_offset, const NameTest& is_known_name)
      : cursor_(cursor), number_offset_(number_offset), is_known_name_(is_known_name) {}

  std::optional<UnitScale> parse() {
    if (cursor_.peek().is_name()) read_product();
    while (divisor_follows()) {
      cursor_.next();
      read_factor(-1);
      has_divisor_ = true;
      refuse_factor_behind_divisor();
    }
    if (!has_factor_) return std::nullopt;
    if (cursor_.peek().is('^')) {
      throw ExpressionError(cursor_.peek().offset,
                            fmt::format("{} is followed by a second `^`", quoted(literal_text())),
                            fmt::format("write `({})^...` to take a power of the quantity", literal_text()));
    }
    return scale_;
  }

 private:
  std::string_view literal_text() const { return cursor_.text_since(number_offset_); }

  void read_product() {
    read_factor(1);
    while (cursor_.peek().is_name() || cursor_.peek().kind == Token::Kind::kMiddleDot) {
      if (cursor_.peek().kind == Token::Kind::kMiddleDot) cursor_.next();
      read_factor(1);
    }
  }

  // `/` goes on with the unit if a unit name follows; before anything else it divides the quantity.
  bool divisor_follows() const {
    const Token& name = cursor_.peek(1);
    if (!cursor_.peek().is('/') || !name.is_name()) return false;
    const bool is_call = cursor_.peek(2).is('(');  // 1 m/min(a, b)
    if (is_call || !find_unit_name(name.text)) return false;
    if (!is_known_name_(name.text)) return true;
    const std::string as_unit = has_divisor_ ? fmt::format("`{}^-1` before the first `/`", name.text)
                                             : fmt::format("`{} {}^-1`", literal_text(), name.text);
    throw ExpressionError(
        name.offset,
        fmt::format("`/{}` is ambiguous: `{}` is a unit and also a name of this model", name.text, name.text),
        fmt::format("write `({})/{}` to divide by the name, {} for the unit", literal_text(), name.text, as_unit));
  }

  void refuse_factor_behind_divisor() {
    const Token& token = cursor_.peek();
    if (!token.is_name() && token.kind != Token::Kind::kMiddleDot) return;
    const std::string literal = quoted(literal_text());
    cursor_.next();
    if (token.is_name() && !find_unit_name(token.text)) throw_unknown(token);
    throw ExpressionError(
        token.offset,
        fmt::format("{} is ambiguous after {}: it may belong above or below the line", quoted(token.text), literal),
        "write factors before the `/`, and another divisor with its own `/`");
  }

  void read_factor(int sign) {
    const Token& name = cursor_.next();
    if (!name.is_name()) {
      throw ExpressionError(name.offset, fmt::format("a unit is expected, not {}", quoted(name.text)));
    }
    const std::optional<UnitScale> unit = find_unit_name(name.text);
    if (!unit) throw_unknown(name);
    const double exponent = sign * (cursor_.accept('^') ? read_exponent(name) : 1.0);

    const std::optional<Dimension> dimension = unit->dimension.power(exponent);
    if (dimension) scale_.dimension = scale_.dimension * *dimension;
    // A negative power of a divisor is a multiplier: integer powers of ten stay exact.
    const double above = std::pow(unit->multiplier, std::abs(exponent));
    const double below = std::pow(unit->divisor, std::abs(exponent));
    scale_.multiplier *= exponent < 0 ? below : above;
    scale_.divisor *= exponent < 0 ? above : below;
    const bool in_range = std::isfinite(scale_.multiplier) && std::isfinite(scale_.divisor);
    if (!dimension || !scale_.dimension.within_limits() || !in_range) {
      throw ExpressionError(
          name.offset, fmt::format("the exponents of {} cannot be held", quoted(literal_text())),
          fmt::format("an exponent is a whole number of twelfths, at most {} in magnitude", Dimension::kMaxExponent));
    }
    has_factor_ = true;
  }

  double read_exponent(const Token& unit) {
    const bool is_rational = cursor_.accept('(');
    const double sign = cursor_.accept('-') ? -1 : 1;
    double exponent = sign * read_exponent_number(unit);
    if (is_rational) {
      if (cursor_.accept('/')) exponent /= read_exponent_number(unit);
      if (!cursor_.accept(')')) throw_bad_exponent(unit);
    }
    return exponent;
  }

  double read_exponent_number(const Token& unit) {
    if (cursor_.peek().kind != Token::Kind::kNumber) throw_bad_exponent(unit);
    return cursor_.next().number;
  }

  [[noreturn]] void throw_bad_exponent(const Token& unit) const {
    throw ExpressionError(cursor_.peek().offset,
                          fmt::format("the exponent of the unit {} is not a number", quoted(unit.text)),
                          fmt::format("write `{}^2`, `{}^1.5` or `{}^(3/2)`; to take a power of a quantity, put it in "
                                      "parentheses: `(2 {})^n`",
                                      unit.text, unit.text, unit.text, unit.text));
  }

  [[noreturn]] void throw_unknown(const Token& name) const {
    const bool was_meant_as_factor = is_known_name_(name.text) || cursor_.peek().is('(');
    throw ExpressionError(
        name.offset, fmt::format("unknown unit {}", quoted(name.text)),
        was_meant_as_factor
            ? fmt::format("what follows a number is a unit; to multiply, write `*` before {}", quoted(name.text))
            : suggest_unit(name.text));
  }

  TokenCursor& cursor_;
  std::size_t number_offset_;
  const NameTest& is_known_name_;
  UnitScale scale_;
  bool has_factor_ = false;
  bool has_divisor_ = false;
};

}  // namespace

std::optional<UnitScale> parse_unit(TokenCursor& cursor, std::size_t number_offset, const NameTest& is_known_name) {
  return UnitParser(cursor, number_offset, is_known_name).parse();
}

std::optional<Quantity> find_unit(std::string_view text) {
  try {
    TokenCursor cursor(text);
    // The 1 of `1/s`, which Dimension::si_unit() writes; alone it is the unit of plain numbers.
    const bool starts_with_one = cursor.peek().text == "1" && !cursor.peek(1).is_name();
    if (!starts_with_one && !cursor.peek().is_name()) return std::nullopt;
    if (starts_with_one) cursor.next();
    const std::optional<UnitScale> unit = parse_unit(cursor, 0, [](std::string_view) { return false; });
    if (cursor.peek().kind != Token::Kind::kEnd) return std::nullopt;
    if (!unit) return Quantity{1, {}};
    return Quantity{unit->multiplier / unit->divisor, unit->dimension};
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

}  // namespace freeplay::math

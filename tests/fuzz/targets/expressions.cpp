#include <array>
#include <cmath>

#include "freeplay/math/expressions/expression.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/targets.h"

namespace freeplay::test::fuzz {

namespace {

constexpr std::array kNames = {"t", "l", "m", "crank.omega", "zero"};

std::optional<Symbol> lookup(std::string_view name) {
  Symbol symbol;
  if (name == "t") {
    symbol.kind = Symbol::Kind::kVariable;
    symbol.dimension = find_unit("s")->dimension;
  } else if (name == "crank.omega") {
    symbol.kind = Symbol::Kind::kVariable;
    symbol.variable = 1;
    symbol.dimension = find_unit("rad/s")->dimension;
  } else if (name == "l") {
    symbol.constant = parse_quantity("1.5 m");
  } else if (name == "m") {
    symbol.constant = parse_quantity("2 kg");
  } else if (name == "zero") {
    symbol.bare_zero = true;
  } else {
    return std::nullopt;
  }
  return symbol;
}

void evaluate(const Expression& expression) {
  for (const double t : {0.0, 0.3, -1e300}) {
    const std::array<double, 2> variables = {t, 1 - t};
    const double value = expression.evaluate(variables);
    const TimeJet jet = expression.evaluate_jet(variables);
    const bool agree = value == jet.value || (std::isnan(value) && std::isnan(jet.value));
    if (!agree) report_finding("value and jet of an expression differ");
    if (expression.is_constant() && (value != expression.constant_value() || !std::isfinite(value)))
      report_finding("a constant does not have the value that it was folded to, or it is not finite");
  }
}

}  // namespace

int fuzz_expression(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const SymbolScope scope{&lookup, [] { return std::vector<std::string>(kNames.begin(), kNames.end()); }};
  try {
    evaluate(Expression::parse(text, scope));
  } catch (const ExpressionError& error) {
    if (error.offset() > size) report_finding("a mistake behind the end of the text");
  }
  try {
    if (!std::isfinite(parse_quantity(text).value)) report_finding("a quantity that is not finite");
  } catch (const ExpressionError&) {
    return 0;
  }
  static_cast<void>(find_unit(text));
  return 0;
}

std::vector<std::string> expression_seeds() {
  return {"2*pi*1Hz*t",
          "150 rad/s",
          "m*l^2/12",
          "10 N*sin(2*pi*0.5 Hz*t) + step(t - 0.1 s)*3 N",
          "-(l + 3 mm)/2",
          "min(1 m, max(l, 2 cm)) - abs(-l)",
          "sqrt(l^2 + hypot(1 m, 2 ft)^2)",
          "atan2(l, 1 m)*180/pi",
          "mod(t, 0.2 s)/1 s",
          "floor(t/1 s) + exp(-t/1 s)*log(2)",
          "crank.omega*1 N m s - 0",
          "1e9 N/m^1.5",
          "3 kg m^2 s^-1",
          "sign(zero)*tanh(1)^3^-2",
          "0"};
}

std::vector<std::string> expression_words() {
  std::vector<std::string> words = function_names();
  for (std::string& unit : unit_names()) words.push_back(std::move(unit));
  words.insert(words.end(), kNames.begin(), kNames.end());
  for (const char* word : {"+", "-", "*", "/", "^", "(", ")", ",", "sin(", "min(", "·", "µm", " ", "1 m", "0 s"})
    words.emplace_back(word);
  return words;
}

}  // namespace freeplay::test::fuzz

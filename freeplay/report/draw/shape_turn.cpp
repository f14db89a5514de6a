#include "freeplay/report/draw/shape_turn.h"

#include <nlohmann/json.hpp>

namespace freeplay::report {

std::optional<Expression> parse_turn(const std::string& text, const std::string& parameters_json) {
  const auto parameters = nlohmann::ordered_json::parse(parameters_json, nullptr, false);
  if (!parameters.is_object()) return std::nullopt;
  SymbolScope scope;
  scope.known_names = [] { return std::vector<std::string>(); };
  scope.lookup = [&](std::string_view name) -> std::optional<Symbol> {
    Symbol symbol;
    if (name == "t") {
      symbol.kind = Symbol::Kind::kVariable;
      symbol.variable = Expression::kTimeVariable;
      symbol.dimension = dimensions::kTime;
      return symbol;
    }
    const auto found = parameters.find(name);
    if (found == parameters.end() || !found->is_object()) return std::nullopt;
    const auto value = found->find("value"), unit = found->find("unit");
    if (value == found->end() || !value->is_number() || unit == found->end() || !unit->is_string()) return std::nullopt;
    const std::string unit_text = unit->get<std::string>();
    const std::optional<Quantity> of_unit = unit_text == "1" ? Quantity{1, {}} : find_unit(unit_text);
    if (!of_unit) return std::nullopt;
    symbol.constant = {value->get<double>() * of_unit->value, of_unit->dimension};
    symbol.bare_zero = symbol.constant.value == 0 && unit_text == "1";
    return symbol;
  };
  try {
    return Expression::parse(text, scope);
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

double turn_at(const Expression& turn, double time_s) {
  return turn.evaluate({&time_s, 1});
}

}  // namespace freeplay::report

// Expressions over a few names, for the tests of their values and of mistakes in them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::test::expression_test {

// t is variable 0, crank.omega variable 1 (and slider.x variable 2); the rest are parameters.
inline const std::map<std::string, Symbol, std::less<>>& symbols() {
  const auto parameter = [](double value, Dimension dimension) {
    return Symbol{Symbol::Kind::kConstant, {value, dimension}, 0, {}, false};
  };
  static const std::map<std::string, Symbol, std::less<>> kSymbols = {
      {"t", {Symbol::Kind::kVariable, {}, 0, dimensions::kTime, false}},
      {"crank.omega", {Symbol::Kind::kVariable, {}, 1, dimensions::kAngularVelocity, false}},
      {"slider.x", {Symbol::Kind::kVariable, {}, 2, dimensions::kLength, false}},
      {"l1", parameter(0.153, dimensions::kLength)},
      {"mass", parameter(2, dimensions::kMass)},
      {"h", parameter(0.5, dimensions::kLength)},  // also the hour
      {"friction", parameter(0.1, dimensions::kNone)},
      {"nothing", {Symbol::Kind::kConstant, {0, {}}, 0, {}, true}},
  };
  return kSymbols;
}

inline SymbolScope scope() {
  return {[](std::string_view name) -> std::optional<Symbol> {
            const auto found = symbols().find(name);
            return found == symbols().end() ? std::nullopt : std::optional<Symbol>(found->second);
          },
          [] {
            std::vector<std::string> names;
            for (const auto& [name, symbol] : symbols()) names.push_back(name);
            return names;
          }};
}

inline Expression parse(std::string_view text) {
  return Expression::parse(text, scope());
}
inline double value(std::string_view text) {
  return parse(text).constant_value();
}

struct Mistake {
  std::size_t offset = 0;
  std::string message, hint;
};

inline Mistake mistake(std::string_view text) {
  try {
    parse(text);
  } catch (const ExpressionError& error) {
    return {error.offset(), error.what(), error.hint()};
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

}  // namespace freeplay::test::expression_test

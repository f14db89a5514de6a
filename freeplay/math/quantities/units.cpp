#include "freeplay/math/quantities/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/expression.h"

namespace freeplay::math {

namespace {

using std::numbers::pi;

// `prefixes` lists what may precede the name; `u` stands for both micro signs too. The sets are deliberately tight:
// a megasecond is far more likely a mistyped `ms`, and nothing that is spelt two ways may enter (`min` is the minute
// because the inch takes no milli; `ft` is the foot because there is no unit `t`).
struct Unit {
  std::string_view name;
  UnitScale scale;
  std::string_view prefixes;
};

constexpr std::string_view kNoPrefix = "";
constexpr std::string_view kFractions = "fpnum";
constexpr std::string_view kAllDecades = "fpnumkMG";

const Unit kUnits[] = {
    {"m", {1, 1, dimensions::kLength}, "fpnumcdk"},
    {"in", {254, 1e4, dimensions::kLength}, kNoPrefix},
    {"ft", {3048, 1e4, dimensions::kLength}, kNoPrefix},
    {"kg", {1, 1, dimensions::kMass}, kNoPrefix},
    {"g", {1, 1e3, dimensions::kMass}, kFractions},
    {"tonne", {1e3, 1, dimensions::kMass}, kNoPrefix},
    {"lb", {0.45359237, 1, dimensions::kMass}, kNoPrefix},
    {"s", {1, 1, dimensions::kTime}, kFractions},
    {"min", {60, 1, dimensions::kTime}, kNoPrefix},
    {"h", {3600, 1, dimensions::kTime}, kNoPrefix},
    {"rad", {1, 1, dimensions::kAngle}, "num"},
    {"deg", {pi, 180, dimensions::kAngle}, kNoPrefix},
    {"Hz", {1, 1, dimensions::kAngularVelocity}, "mkMG"},
    {"rpm", {pi, 30, dimensions::kAngularVelocity}, kNoPrefix},
    {"N", {1, 1, dimensions::kForce}, kAllDecades},
    {"lbf", {4.4482216152605, 1, dimensions::kForce}, kNoPrefix},
    {"J", {1, 1, dimensions::kEnergy}, kAllDecades},
    {"W", {1, 1, dimensions::kPower}, kAllDecades},
    {"Pa", {1, 1, dimensions::kPressure}, kAllDecades},
    {"bar", {1e5, 1, dimensions::kPressure}, "mk"},
    {"K", {1, 1, Dimension(0, 0, 0, 1)}, "num"},
};

struct Prefix {
  std::string_view spelling;
  char symbol;  // as in Unit::prefixes
  double multiplier, divisor;
};

constexpr Prefix kPrefixes[] = {
    {"f", 'f', 1, 1e15},     {"p", 'p', 1, 1e12},     {"n", 'n', 1, 1e9}, {"u", 'u', 1, 1e6},
    {"\u00b5", 'u', 1, 1e6}, {"\u03bc", 'u', 1, 1e6}, {"m", 'm', 1, 1e3}, {"c", 'c', 1, 1e2},
    {"d", 'd', 1, 1e1},      {"k", 'k', 1e3, 1},      {"M", 'M', 1e6, 1}, {"G", 'G', 1e9, 1},
};

bool takes(const Unit& unit, const Prefix& prefix) {
  return unit.prefixes.find(prefix.symbol) != std::string_view::npos;
}

// What people write instead, where the spelling alone would not lead to the right unit.
constexpr std::pair<std::string_view, std::string_view> kHabits[] = {
    {"t", "tonne"},    {"ton", "tonne"},   {"sec", "s"},     {"second", "s"}, {"seconds", "s"}, {"inch", "in"},
    {"degree", "deg"}, {"degrees", "deg"}, {"metre", "m"},   {"meter", "m"},  {"newton", "N"},  {"lbs", "lb"},
    {"hour", "h"},     {"minute", "min"},  {"micron", "um"}, {"rev", "rpm"},
};

std::vector<std::string> every_spelling() {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) {
    names.emplace_back(unit.name);
    for (const Prefix& prefix : kPrefixes) {
      if (takes(unit, prefix)) names.push_back(std::string(prefix.spelling) + std::string(unit.name));
    }
  }
  return names;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// "Nm" -> "N m", "Nms" -> "N m s"; "" if the name is no run of units. Kelvins do not count: `KN` is a mistyped `kN`.
std::string split_into_units(std::string_view name, int max_parts) {
  if (find_unit_name(name)) return std::string(name);
  if (max_parts == 1) return "";
  for (std::size_t n = name.size() - 1; n > 0; --n) {
    if (!find_unit_name(name.substr(0, n)) || name.front() == 'K') continue;
    const std::string rest = split_into_units(name.substr(n), max_parts - 1);
    if (!rest.empty()) return std::string(name.substr(0, n)) + ' ' + rest;
  }
  return "";
}

}  // namespace

std::optional<UnitScale> find_unit_name(std::string_view name) {
  const auto named = [](std::string_view text) { return std::ranges::find(kUnits, text, &Unit::name); };
  if (const Unit* unit = named(name); unit != std::end(kUnits)) return unit->scale;
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.spelling)) continue;
    const Unit* unit = named(name.substr(prefix.spelling.size()));
    if (unit == std::end(kUnits) || !takes(*unit, prefix)) continue;
    const UnitScale& scale = unit->scale;
    return UnitScale{scale.multiplier * prefix.multiplier, scale.divisor * prefix.divisor, scale.dimension};
  }
  return std::nullopt;
}

std::string suggest_unit(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;  // m/s2
  if (digits < name.size() && find_unit_name(name.substr(0, digits)))
    return fmt::format("an exponent has a `^`: write `{}^{}`", name.substr(0, digits), name.substr(digits));
  for (const auto& [habit, unit] : kHabits) {
    if (habit == name) return fmt::format("did you mean `{}`?", unit);
  }
  // A letter typed twice, before `degg` is taken for `deg g`.
  for (std::size_t i = 1; i < name.size(); ++i) {
    std::string once(name);
    once.erase(i, 1);
    if (name[i] == name[i - 1] && find_unit_name(once)) return fmt::format("did you mean `{}`?", once);
  }
  // Before the comparison without case: `Nm` is a torque, not a nanometre.
  constexpr int kMaxParts = 3;
  const std::string split = split_into_units(name, kMaxParts);
  if (!split.empty()) return fmt::format("units multiply by a space: write `{}`", split);
  const std::vector<std::string> spellings = every_spelling();
  for (const std::string& spelling : spellings) {
    if (equal_ignoring_case(spelling, name)) return fmt::format("did you mean `{}`?", spelling);
  }
  const std::string closest = closest_match(name, spellings);
  return closest.empty() ? "" : fmt::format("did you mean `{}`?", closest);
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) names.emplace_back(unit.name);
  return names;
}

}  // namespace freeplay::math

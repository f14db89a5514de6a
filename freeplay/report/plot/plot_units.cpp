#include "freeplay/report/plot/plot_units.h"

#include <cmath>

namespace freeplay::report {

namespace {

struct Prefix {
  const char* letter;
  double size;
};
constexpr Prefix kPrefixes[] = {{"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}};

// The first unit of the text if it takes a prefix: "m" of "m/s", "N" of "N m". A prefix on m^2 would count twice.
std::string_view prefixed_part(std::string_view si_unit) {
  const std::string_view first = si_unit.substr(0, si_unit.find_first_of(" /^"));
  if (si_unit.size() > first.size() && si_unit[first.size()] == '^') return {};
  for (const std::string_view known : {"m", "s", "N", "J", "W", "Pa", "Hz"}) {
    if (first == known) return first;
  }
  return {};
}

}  // namespace

AxisUnit choose_axis_unit(std::string_view si_unit, double largest) {
  if (si_unit == "1") return {};
  AxisUnit unit{std::string(si_unit), 1};
  if (!(largest > 0) || !std::isfinite(largest) || prefixed_part(si_unit).empty()) return unit;
  // Well below a metre and a second engineers think in mm and ms; 0.3 N and 4000 N they leave as they are.
  const bool is_length_or_time = si_unit == "m" || si_unit == "s";
  if (largest >= (is_length_or_time ? 0.95 : 0.1) && largest < 1e4) return unit;
  if (si_unit == "m" && largest >= 1e-4 && largest < 0.95) return {"mm", 1e-3};  // 0.5 mm rather than 500 um of play
  if (si_unit == "s" && largest >= 0.95) return unit;                            // nobody has a feeling for kiloseconds
  constexpr double kRoundingRoom = 1 - 1e-9;                                     // 10 us may be 9.9999999999e-6 s
  for (const Prefix& prefix : kPrefixes) {
    if (largest < prefix.size * kRoundingRoom) continue;
    return {prefix.letter + unit.text, prefix.size};
  }
  return unit;  // smaller than any prefix: rounding, best shown as 1e-15
}

}  // namespace freeplay::report

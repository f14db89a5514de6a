// The parts of a measure's text: names, the arguments of a call, histograms, impacts.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::simulation {

inline constexpr std::string_view kHistogram = "histogram";
inline constexpr int kMostBins = 256;

bool is_name_start(char c);
bool is_name_part(char c);
std::string_view without_blanks(std::string_view text);

// The arguments of a call whose bracket opens at `open`, and where it closes; nullopt if it does not.
struct CallArguments {
  std::vector<std::string_view> texts;
  std::size_t close = 0;
};
std::optional<CallArguments> arguments_at(std::string_view text, std::size_t open);

// The arguments of a measure that is a histogram and nothing else; how many parts it has is the fourth.
std::optional<CallArguments> histogram_of(std::string_view text, int& bins);

// "guide.impact.energy_lost": the element is "guide", the quantity "energy_lost"; "impact": both are empty.
struct ImpactName {
  std::string_view element, quantity;
};
std::optional<ImpactName> impact_name(std::string_view name);

}  // namespace freeplay::simulation

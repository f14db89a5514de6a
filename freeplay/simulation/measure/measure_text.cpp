#include "freeplay/simulation/measure/measure_text.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <string>

#include "freeplay/simulation/measure/measure_parser.h"

namespace freeplay::simulation {

namespace {

constexpr std::string_view kImpact = "impact";

}  // namespace

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}
std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<CallArguments> arguments_at(std::string_view text, std::size_t open) {
  CallArguments arguments;
  std::size_t begin = open + 1;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth > 1 || (depth == 1 && text[i] != ',')) continue;
    arguments.texts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
    arguments.close = i;
    if (depth == 0) return arguments;
  }
  return std::nullopt;
}

std::optional<CallArguments> histogram_of(std::string_view text, int& bins) {
  const std::string_view call = without_blanks(text);
  if (!call.starts_with(kHistogram)) return std::nullopt;
  const std::size_t open = call.find_first_not_of(' ', kHistogram.size());
  if (open == std::string_view::npos || call[open] != '(') return std::nullopt;
  std::optional<CallArguments> arguments = arguments_at(call, open);
  if (!arguments || arguments->close + 1 != call.size()) return std::nullopt;
  const std::size_t count = arguments->texts.size();
  if (count != 4 && count != 5) return std::nullopt;
  const std::string_view number = without_blanks(arguments->texts[3]);
  const std::from_chars_result read = std::from_chars(number.data(), number.data() + number.size(), bins);
  const bool is_number = read.ec == std::errc() && read.ptr == number.data() + number.size();
  if (!is_number || bins < 1 || bins > kMostBins) return std::nullopt;
  return arguments;
}

std::optional<ImpactName> impact_name(std::string_view name) {
  for (std::size_t at = name.find(kImpact); at != std::string_view::npos; at = name.find(kImpact, at + 1)) {
    const std::string_view before = name.substr(0, at), after = name.substr(at + kImpact.size());
    if ((!before.empty() && before.back() != '.') || (!after.empty() && after.front() != '.')) continue;
    return ImpactName{before.empty() ? before : before.substr(0, before.size() - 1),
                      after.empty() ? after : after.substr(1)};
  }
  return std::nullopt;
}

std::vector<MeasureSpec> expanded_measures(const std::vector<MeasureSpec>& specs) {
  std::vector<MeasureSpec> all;
  for (const MeasureSpec& spec : specs) {
    int bins = 0;
    const std::optional<CallArguments> of = histogram_of(spec.text, bins);
    if (!of) all.push_back(spec);
    const std::string after = of && of->texts.size() == 5 ? fmt::format(",{}", of->texts[4]) : "";
    for (int k = 1; k <= bins && of; ++k) {
      const std::vector<std::string_view>& texts = of->texts;
      all.push_back({fmt::format("{}_{}", spec.name, k),
                     fmt::format("bin({},{},{}, {}, {}{})", texts[0], texts[1], texts[2], bins, k, after)});
    }
  }
  return all;
}

}  // namespace freeplay::simulation

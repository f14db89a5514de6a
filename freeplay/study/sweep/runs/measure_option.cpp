#include "freeplay/study/sweep/runs/measure_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "freeplay/core/error.h"

namespace freeplay::study {

namespace {

[[noreturn]] void refuse_measure(const std::string& message, const std::string& hint) {
  throw ModelError({Diagnostic{{"--measure", 0, 0}, "", message, hint, {}}});
}

std::string name_of_measure(const std::string& expression) {
  std::string name;
  for (const char c : expression) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

bool is_name_of_measure(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

MeasureSpec parse_measure_option(const std::string& asked) {
  const bool has_name = asked.find('=') != std::string::npos;
  const std::string text = has_name ? asked : fmt::format("{}={}", name_of_measure(asked), asked);
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, text.find_last_not_of(' ', equals == 0 ? 0 : equals - 1) + 1);
  if (equals == 0 || equals + 1 == text.size())
    refuse_measure(fmt::format("'{}' is not of the form NAME=EXPRESSION", asked),
                   "write --measure \"peak=max(bearing.force)\"");
  if (!is_name_of_measure(name))
    refuse_measure(fmt::format("'{}' cannot be the name of a measure", name), "use letters, digits and '_'");
  return {name, text.substr(equals + 1)};
}

}  // namespace freeplay::study

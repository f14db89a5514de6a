#include "terminal/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/report/plot/plot_units.h"
#include "terminal/terminal.h"

namespace freeplay::app {

std::string with_unit(double value, std::string_view si_unit) {
  const AxisUnit unit = choose_axis_unit(si_unit, std::abs(value));
  const double shown = value / unit.size;
  // 1825 N, not 1.82e+03 N.
  const std::string number =
      std::abs(shown) >= 1000 && std::abs(shown) < 1e5 ? fmt::format("{:.0f}", shown) : fmt::format("{:.3g}", shown);
  return unit.text.empty() ? number : number + " " + unit.text;
}

std::string time_with_unit(double time_s) {
  constexpr double kLongEnough_s = 0.1;  // 0.138 s, but 72.1 ms
  return time_s >= kLongEnough_s || time_s == 0 ? fmt::format("{:.4g} s", time_s) : with_unit(time_s, "s");
}

std::string wrapped_words(std::string_view text, std::size_t width, std::size_t hanging, std::size_t first) {
  std::string lines;
  std::size_t column = first;
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const std::size_t length = display_width(word);
    if (!lines.empty() && column + 1 + length > width) {
      lines += '\n' + std::string(hanging, ' ');
      column = hanging;
    } else if (!lines.empty()) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += length;
  }
  return lines;
}

std::string message_text(std::FILE* stream, const std::string& lead, std::string_view text, std::size_t indent) {
  const std::string whole = lead + " " + std::string(text), blanks(indent, ' ');
  if (!is_terminal(stream)) return blanks + whole;
  constexpr std::size_t kHanging = 4, kNarrowest = 20;
  const std::size_t width = std::max(kNarrowest, static_cast<std::size_t>(terminal_width(stream)));
  return blanks + wrapped_words(whole, width, indent + kHanging, indent);
}

}  // namespace freeplay::app

#include "terminal/text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "terminal/terminal.h"

namespace freeplay::app {

std::string TextTable::text(std::size_t indent, std::size_t gap) const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - display_width(row[c]), ' ');
      line += alignment_[c] == 'r' ? padding + row[c] : row[c] + padding;
      line.append(gap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string grouped(long long count) {
  const std::string digits = std::to_string(count);
  const std::size_t sign = count < 0 ? 1 : 0;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > sign && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string short_number(double value) {
  return fmt::format("{:.6g}", value);
}

std::string counted(long long count, const std::string& singular, const std::string& plural) {
  return fmt::format("{} {}", grouped(count), count == 1 ? singular : plural);
}
std::string counted(long long count, const std::string& singular) {
  return counted(count, singular, singular + "s");
}

}  // namespace freeplay::app

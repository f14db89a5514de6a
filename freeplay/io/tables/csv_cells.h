// What every reader of columns does with a piece of its text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::io {

// Without blanks at both ends, among them the carriage return of other systems.
inline std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Spreadsheets put it in front of a text in UTF-8.
inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

// A number and nothing else; it may be infinite or not a number.
inline std::optional<double> cell_number(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (cell.empty() || error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

}  // namespace freeplay::io

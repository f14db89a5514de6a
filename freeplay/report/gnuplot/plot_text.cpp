#include "freeplay/report/gnuplot/plot_text.h"

#include <cstdint>

namespace freeplay::report {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

// Bytes of the UTF-8 character at the start of `text`; 0 if it is broken, overlong or no character.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                      ? 1
                             : byte(0) >= 0xC2 && byte(0) < 0xE0 ? 2
                             : byte(0) >= 0xE0 && byte(0) < 0xF0 ? 3
                             : byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4
                                                                 : 0;
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t code = length == 1 ? byte(0) : byte(0) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kFirstOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  const bool is_noncharacter = (code & 0xFFFEu) == 0xFFFE;  // XML does not take U+FFFE and U+FFFF
  return code < kFirstOfLength[length] || is_surrogate || is_noncharacter || code > 0x10FFFF ? 0 : length;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const unsigned char first = static_cast<unsigned char>(text.front());
    const bool is_control = length == 1 ? first < 0x20 || first == 0x7F
                                        : length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
    plain += length == 0 ? kReplacement : is_control ? std::string_view(" ") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return plain;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += is_continuation(c) ? 0 : 1;
  return count;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::size_t kDots = 3;
  if (character_count(text) <= most) return std::string(text);
  std::size_t end = 0;
  for (std::size_t count = 0; end < text.size(); ++end) {
    if (!is_continuation(text[end]) && ++count > (most > kDots ? most - kDots : 0)) break;
  }
  return std::string(text.substr(0, end)) + "...";
}

double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    if (is_continuation(c)) continue;
    const bool is_capital = c >= 'A' && c <= 'Z';
    const bool is_narrow = std::string_view("ijlI.,:;'|!").find(c) != std::string_view::npos;
    const bool is_slim = std::string_view(" ftr()[]{}-/\\\"`").find(c) != std::string_view::npos;
    const bool is_wide = std::string_view("mwMW@%").find(c) != std::string_view::npos;
    // Other alphabets may be twice as wide as ours; better too much room than too little.
    const bool is_foreign = static_cast<unsigned char>(c) >= 0xE0;
    width += is_narrow ? 0.26 : is_slim ? 0.34 : is_wide ? 0.85 : is_foreign ? 1.0 : is_capital ? 0.69 : 0.56;
  }
  return width;
}

std::vector<std::string> wrapped(std::string_view text, std::string_view separator, double width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end == std::string_view::npos ? end : end + separator.size());
    if (!lines.back().empty() && text_width(lines.back()) + text_width(part) > width) lines.emplace_back();
    lines.back() += part;
    text.remove_prefix(part.size());
  }
  return lines;
}

std::string gnuplot_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : plain_text(text)) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

}  // namespace freeplay::report

#include "freeplay/math/expressions/expression_lexer.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::math {

namespace {

constexpr std::string_view kMicroSigns[] = {"\u00b5", "\u03bc"};  // the micro sign and the Greek letter mu
constexpr std::string_view kMiddleDots[] = {"\u00b7", "\u22c5"};  // the middle dot and the dot operator
constexpr std::string_view kSymbols = "+-*/^(),";

// Own classification, because that of <cctype> depends on the locale.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Bytes of the UTF-8 character that `text` begins with; 0 if they do not form one.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

template <std::size_t n>
std::size_t length_of_any(std::string_view text, const std::string_view (&spellings)[n]) {
  for (const std::string_view spelling : spellings) {
    if (text.starts_with(spelling)) return spelling.size();
  }
  return 0;
}

std::size_t digits_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

// 10, .5, 1e-3. An `e` without digits is left alone: it begins a name.
std::size_t number_length(std::string_view text) {
  std::size_t n = digits_length(text);
  std::size_t digits = n;
  if (n < text.size() && text[n] == '.') {
    const std::size_t decimals = digits_length(text.substr(n + 1));
    digits += decimals;
    n += 1 + decimals;
  }
  if (digits == 0) return 0;
  if (n < text.size() && (text[n] == 'e' || text[n] == 'E')) {
    const bool has_sign = n + 1 < text.size() && (text[n + 1] == '+' || text[n + 1] == '-');
    const std::size_t mantissa_end = n + (has_sign ? 2 : 1);
    const std::size_t exponent_digits = digits_length(text.substr(std::min(mantissa_end, text.size())));
    if (exponent_digits > 0) n = mantissa_end + exponent_digits;
  }
  return n;
}

// Letters, digits after the first, and dots that a letter follows.
std::size_t name_length(std::string_view text) {
  std::size_t n = 0;
  bool at_start = true;
  while (n < text.size()) {
    const std::size_t micro = length_of_any(text.substr(n), kMicroSigns);
    if (micro > 0) {
      n += micro;
    } else if (is_letter(text[n]) || (!at_start && is_digit(text[n]))) {
      n += 1;
    } else if (!at_start && text[n] == '.' && n + 1 < text.size() && is_letter(text[n + 1])) {
      n += 2;
    } else {
      break;
    }
    at_start = false;
  }
  return n;
}

double to_number(std::string_view text, std::size_t offset) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_read = result.ec == std::errc() && result.ptr == text.data() + text.size();
  // A subnormal number has lost digits, and what is computed with it loses the others or divides to infinity.
  if (!is_read || !std::isfinite(value) || std::fpclassify(value) == FP_SUBNORMAL) {
    throw ExpressionError(offset, fmt::format("the number {} is outside the range of double precision", quoted(text)),
                          "numbers lie between 1e-307 and 1e308 in magnitude");
  }
  return value;
}

[[noreturn]] void throw_unexpected(std::string_view rest, std::size_t offset) {
  const std::size_t length = std::max<std::size_t>(1, character_length(rest));
  const bool is_ascii = static_cast<unsigned char>(rest.front()) < 0x80;
  // What has a plain spelling.
  constexpr std::pair<std::string_view, const char*> kSigns[] = {
      {"\u00b0", "write `deg`"}, {"\u00b2", "write `^2`"}, {"\u00b3", "write `^3`"},       {"\u00d7", "write `*`"},
      {"\u2212", "write `-`"},   {"\u03c0", "write `pi`"}, {"\u221a", "write `sqrt(...)`"}};
  for (const auto& [sign, hint] : kSigns) {
    if (rest.starts_with(sign))
      throw ExpressionError(offset, fmt::format("unexpected character {}", quoted(sign)), hint);
  }
  throw ExpressionError(offset, fmt::format("unexpected character {}", quoted(rest.substr(0, length))),
                        is_ascii ? "an expression holds numbers, units, names, + - * / ^, commas and parentheses"
                                 : "only plain characters (and \u00b5, \u00b7 in units) are understood: retype it");
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t kMaxQuotedBytes = 60;
  std::string result = "`";
  std::size_t i = 0;
  while (i < text.size() && i < kMaxQuotedBytes) {
    const std::size_t length = character_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_control = length == 1 && (byte < 0x20 || byte == 0x7f);
    // U+0080 to U+009F are controls too, U+00A0 is a space that nobody sees.
    const bool is_hidden = byte == 0xc2 && length == 2 && static_cast<unsigned char>(text[i + 1]) <= 0xa0;
    if (length == 0 || is_control) {
      result += fmt::format("\\x{:02x}", byte);
      i += 1;
    } else if (is_hidden) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[i + 1]));
      i += length;
    } else {
      result += text.substr(i, length);
      i += length;
    }
  }
  if (i < text.size()) result += "...";
  return result + '`';
}

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t i = 0;
  while (i < text.size()) {
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    const std::string_view rest = text.substr(i);
    Token token;
    token.offset = i;
    if (const std::size_t number = number_length(rest)) {
      token.kind = Token::Kind::kNumber;
      token.text = rest.substr(0, number);
      token.number = to_number(token.text, i);
    } else if (const std::size_t name = name_length(rest)) {
      token.kind = Token::Kind::kName;
      token.text = rest.substr(0, name);
    } else if (const std::size_t dot = length_of_any(rest, kMiddleDots)) {
      token.kind = Token::Kind::kMiddleDot;
      token.text = rest.substr(0, dot);
    } else if (kSymbols.find(rest.front()) != std::string_view::npos) {
      token.kind = Token::Kind::kSymbol;
      token.text = rest.substr(0, 1);
    } else {
      throw_unexpected(rest, i);
    }
    tokens.push_back(token);
    i += token.text.size();
  }
  tokens.push_back({Token::Kind::kEnd, text.size(), text.substr(text.size()), 0});
  return tokens;
}

const Token& TokenCursor::next() {
  const Token& token = peek();
  if (position_ < tokens_.size()) ++position_;
  return token;
}

bool TokenCursor::accept(char symbol) {
  if (!peek().is(symbol)) return false;
  next();
  return true;
}

}  // namespace freeplay::math

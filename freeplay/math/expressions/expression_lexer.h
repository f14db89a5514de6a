// Splits the text of an expression into tokens. Internal to freeplay/math.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::math {

struct Token {
  enum class Kind { kNumber, kName, kSymbol, kMiddleDot, kEnd };
  Kind kind = Kind::kEnd;
  std::size_t offset = 0;  // of its first byte in the expression
  std::string_view text;   // a view into the expression
  double number = 0;       // kNumber

  std::size_t end() const { return offset + text.size(); }
  bool is_name() const { return kind == Kind::kName; }
  bool is(char symbol) const { return kind == Kind::kSymbol && text.front() == symbol; }
};

// Names may hold dots ("crank.omega") and the micro sign, which only a unit can use. The last token is kEnd.
// Throws ExpressionError for a byte that starts no token and for a number beyond the range of a double.
std::vector<Token> tokenize(std::string_view text);

// A position in a token list that never leaves it: past the last token there is always kEnd.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view text) : text_(text), tokens_(tokenize(text)) {}

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(position_ + ahead, tokens_.size() - 1)]; }
  const Token& next();
  bool accept(char symbol);
  std::size_t position() const { return position_; }
  // The token before the cursor, or the one `back` before that; requires that they have been read.
  const Token& last(std::size_t back = 0) const { return tokens_[position_ - 1 - back]; }
  // The source from byte `begin` to the end of the last token that was read.
  std::string_view text_since(std::size_t begin) const { return text_.substr(begin, last().end() - begin); }

 private:
  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

// The text in backquotes for a message: long text is cut, bytes that a terminal might misread are escaped.
std::string quoted(std::string_view text);

}  // namespace freeplay::math

// What the streams can show: width, colours.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace freeplay::app {

bool is_terminal(std::FILE* stream);
// Columns of the terminal, 80 if unknown.
int terminal_width(std::FILE* stream);

// Paints text if the stream is a terminal that wants colours (not with NO_COLOR, not with TERM=dumb).
class Painter {
 public:
  explicit Painter(std::FILE* stream);
  std::string bold(std::string_view text) const { return painted("1", text); }
  std::string dim(std::string_view text) const { return painted("2", text); }
  std::string red(std::string_view text) const { return painted("1;31", text); }
  std::string green(std::string_view text) const { return painted("1;32", text); }
  std::string yellow(std::string_view text) const { return painted("1;33", text); }
  std::string cyan(std::string_view text) const { return painted("36", text); }

 private:
  std::string painted(const char* code, std::string_view text) const;
  bool is_on_;
};

// Names and paths as they may be shown: control characters, C1 ones too, could steer a terminal, and stand there as
// \x1b. Line breaks stay only where `lines` says so.
enum class Lines { kEscaped, kKept };
std::string printable(std::string_view text, Lines lines = Lines::kEscaped);

// Columns that a UTF-8 text without wide or combining characters takes; colours count as nothing.
std::size_t display_width(std::string_view text);

}  // namespace freeplay::app

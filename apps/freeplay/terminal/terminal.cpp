#include "terminal/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace freeplay::app {

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1;
}

int terminal_width(std::FILE* stream) {
  winsize size{};
  const bool is_known = ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

Painter::Painter(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool is_refused =
      (no_color != nullptr && *no_color != '\0') || (term != nullptr && std::string(term) == "dumb");
  is_on_ = is_terminal(stream) && !is_refused;
}

std::string Painter::painted(const char* code, std::string_view text) const {
  return is_on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string printable(std::string_view text, Lines lines) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool is_lone = byte >= 0x80 && byte < 0xA0 && (i == 0 || static_cast<unsigned char>(text[i - 1]) < 0x80);
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // U+0080 to U+009F
      shown += fmt::format("\\x{:02x}", next);
      ++i;
    } else if ((byte < 0x20 && !(byte == '\n' && lines == Lines::kKept)) || byte == 0x7F || is_lone) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += text[i];
    }
  }
  return shown;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size() - 1);
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {  // not the continuation of a character
      ++width;
    }
  }
  return width;
}

}  // namespace freeplay::app

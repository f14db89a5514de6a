#include "freeplay/io/yaml/text_guard.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace freeplay::io {

namespace {

// Length of the UTF-8 character that starts at `at`, or 0 if the bytes there are none (RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF). `code` receives the code point.
std::size_t utf8_length(std::string_view text, std::size_t at, std::uint32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(at);
  std::size_t length = 0;
  std::uint32_t smallest = 0;
  if (first < 0x80) {
    code = first;
    return 1;
  } else if ((first & 0xE0U) == 0xC0U) {
    length = 2, smallest = 0x80, code = first & 0x1FU;
  } else if ((first & 0xF0U) == 0xE0U) {
    length = 3, smallest = 0x800, code = first & 0x0FU;
  } else if ((first & 0xF8U) == 0xF0U) {
    length = 4, smallest = 0x10000, code = first & 0x07U;
  } else {
    return 0;
  }
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(at + i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest || code > 0x10FFFF || surrogate ? 0 : length;
}

constexpr const char* kSaveAsUtf8 = "a model file is plain text: save it as UTF-8";

// yaml-cpp's scanner may hold every token of a bracketed text in memory before it delivers the first, whatever our tree
// builder allows. This bound on the tokens keeps that small; it is loose because it does not know quotes.
class TokenCounter {
 public:
  std::optional<TextProblem> see(char c, bool starts_word, int line, int column) {
    if (c == '\n') in_comment_ = false;
    if (c == '#' && starts_word) in_comment_ = true;
    if (in_comment_ || std::strchr("[]{},:?!&*'\"", c) == nullptr || c == '\0') return std::nullopt;
    if (c == '[' || c == '{') ++depth_;
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    if (depth_ > kMaxOpenBrackets) {
      return TextProblem{line, column, fmt::format("{} brackets are open here: the nesting is too deep", depth_),
                         "no part of a model needs more than 8 levels; look for brackets that are never closed"};
    }
    if (++count_ > kMaxYamlNodes) {
      return TextProblem{line, column, fmt::format("the file holds more than {} values", kMaxYamlNodes),
                         "build a model of this size through the C++ or Python interface"};
    }
    return std::nullopt;
  }

 private:
  // Far above kMaxYamlDepth, which is exact, so that brackets in texts do no harm.
  static constexpr int kMaxOpenBrackets = 1000;
  std::size_t count_ = 0;
  int depth_ = 0;
  bool in_comment_ = false;
};

bool starts_as_utf16(std::string_view text) {
  return text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF";
}

}  // namespace

std::string read_model_text(const std::filesystem::path& path, const std::string& shown_name) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw IoError(fmt::format("{}: there is no such file", shown_name));
  // A directory, a device or a pipe could block or never end.
  if (!std::filesystem::is_regular_file(status)) throw IoError(fmt::format("{}: is not a regular file", shown_name));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError(fmt::format("{}: cannot be read: {}", shown_name, std::strerror(errno)));
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kMaxModelBytes) {
    throw ModelError(std::vector<Diagnostic>{{{shown_name, 1, 1},
                                              "",
                                              fmt::format("the file has {:.0f} MB, the limit is {} MB",
                                                          static_cast<double>(size) / 1e6, kMaxModelBytes >> 20U),
                                              "a model of thousands of bodies needs a few MB: is this the right file?",
                                              ""}});
  }
  std::string text(kMaxModelBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw IoError(fmt::format("{}: cannot be read", shown_name));
  return text;
}

std::optional<TextProblem> find_text_problem(std::string_view text) {
  if (starts_as_utf16(text)) return TextProblem{1, 1, "the file is encoded as UTF-16", kSaveAsUtf8};
  int line = 1;
  std::size_t line_begin = 0;
  bool indenting = true;  // nothing but white space so far in this line
  std::optional<TextProblem> tab;
  TokenCounter tokens;
  char previous = '\n';
  for (std::size_t i = 0; i < text.size();) {
    const int column = static_cast<int>(i - line_begin) + 1;
    std::uint32_t code = 0;
    const std::size_t length = utf8_length(text, i, code);
    if (length == 0) return TextProblem{line, column, "the text is not valid UTF-8 here", kSaveAsUtf8};
    const bool line_end = code == '\n' || (code == '\r' && i + 1 < text.size() && text[i + 1] == '\n');
    // C1 controls (U+0080 to U+009F) can steer a terminal just as the escape character does.
    const bool control = (code < 0x20 && code != '\t' && !line_end) || (code >= 0x7F && code <= 0x9F);
    if (control) {
      return TextProblem{line, column, fmt::format("the file holds a control character (code {})", code),
                         code == 0 ? "this looks like a binary file; a model file is plain text (UTF-8)"
                                   : "delete the character; lines end with LF or CR LF"};
    }
    const bool starts_word = previous == ' ' || previous == '\t' || previous == '\n';
    if (std::optional<TextProblem> problem = tokens.see(text[i], starts_word, line, column)) return problem;
    previous = text[i];
    if (code == '\t' && indenting) {
      if (!tab)
        tab = TextProblem{line, column, "a tab stands in the indentation",
                          "indent with spaces: YAML allows no tabs here"};
    } else if (!line_end && code != ' ') {
      // A line of white space only, or with a comment only, has no indentation that could matter.
      if (tab && indenting && code != '#') return tab;
      indenting = false;
      tab.reset();
    }
    if (code == '\n') {
      ++line;
      line_begin = i + length;
      indenting = true;
      tab.reset();
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace freeplay::io

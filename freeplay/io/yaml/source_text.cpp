#include "freeplay/io/yaml/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace freeplay::io {

namespace {

constexpr std::size_t kMaxExcerpt = 160;  // bytes
constexpr std::size_t kMaxQuoted = 60;    // bytes

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The largest position <= `at` where a character starts, so that a cut never splits one.
std::size_t character_start(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && continues_character(text[at])) --at;
  return std::min(at, text.size());
}

// Tabs become one space (the caret below counts characters), other control characters a question mark: a model file
// must not be able to send escape sequences to the terminal.
std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t')
      c = ' ';
    else if (byte < 0x20 || byte == 0x7F)
      c = '?';
  }
  return result;
}

}  // namespace

int SourceTexts::add(std::string name, std::string text) {
  sources_.push_back({std::move(name), std::move(text)});
  return count() - 1;
}

std::string_view SourceTexts::line_at(SourcePosition at) const {
  if (at.source < 0 || at.line < 1) return {};
  const std::string_view text = this->text(at.source);
  std::size_t begin = 0;
  for (int line = 1; line < at.line; ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

SourceMark SourceTexts::mark(SourcePosition at) const {
  if (at.source < 0) return {};
  const std::string_view before = line_at(at).substr(0, static_cast<std::size_t>(std::max(0, at.column - 1)));
  const auto continuations = std::count_if(before.begin(), before.end(), continues_character);
  return {name(at.source), at.line, at.column - static_cast<int>(continuations)};
}

std::string SourceTexts::excerpt(SourcePosition at) const {
  const std::string_view line = line_at(at);
  if (line.size() <= kMaxExcerpt) return printable(line);
  const auto column = static_cast<std::size_t>(std::max(1, at.column));
  if (column < kMaxExcerpt) return printable(line.substr(0, character_start(line, kMaxExcerpt))) + " ...";
  // The window is shorter than the column, so no caret will be drawn at a place that would be wrong.
  const std::size_t begin = character_start(line, std::min(column, line.size()) - kMaxExcerpt / 4);
  const std::size_t end = character_start(line, std::min(line.size(), begin + kMaxExcerpt / 2));
  return "... " + printable(line.substr(begin, end - begin)) + (end < line.size() ? " ..." : "");
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= kMaxQuoted) return fmt::format("'{}'", printable(text));
  return fmt::format("'{}...'", printable(text.substr(0, character_start(text, kMaxQuoted))));
}

std::string listed(const std::vector<std::string>& words, std::string_view last_separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last_separator) : ", ";
    text += words[i];
  }
  return text;
}

void MistakeList::add(SourcePosition at, std::string path, std::string message, std::string hint) {
  ++count_;
  if (!is_full()) mistakes_.push_back({at, std::move(path), std::move(message), std::move(hint)});
}

void MistakeList::throw_if_any(const SourceTexts& texts) const {
  if (empty()) return;
  std::vector<Mistake> sorted = mistakes_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.at.source, a.at.line, a.at.column) < std::tie(b.at.source, b.at.line, b.at.column);
  });
  std::vector<Diagnostic> diagnostics;
  for (const Mistake& mistake : sorted) {
    if (diagnostics.size() == kMaxReported) {
      diagnostics.push_back(note_on_the_rest(count_ - kMaxReported));
      diagnostics.back().mark = texts.mark(mistake.at);
      break;
    }
    diagnostics.push_back(
        {texts.mark(mistake.at), mistake.path, mistake.message, mistake.hint, texts.excerpt(mistake.at)});
  }
  throw ModelError(std::move(diagnostics));
}

Diagnostic MistakeList::note_on_the_rest(std::size_t count) {
  return {{},
          "",
          fmt::format("and {} more", count),
          "correct the mistakes above first; many of these may follow from them",
          {}};
}

}  // namespace freeplay::io

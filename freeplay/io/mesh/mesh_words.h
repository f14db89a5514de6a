// The words of a text file one by one, without copies. Part of the implementation of mesh_file.h.
#pragma once

#include <charconv>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::io {

class MeshWords {
 public:
  explicit MeshWords(std::string_view text) : text_(text) {}

  int line() const { return line_; }

  // Empty at the end of the text.
  std::string_view next() {
    while (at_ < text_.size() && is_space(text_[at_])) skip();
    return word();
  }
  // Empty at the end of the line.
  std::string_view next_in_line() {
    while (at_ < text_.size() && is_space(text_[at_]) && text_[at_] != '\n') ++at_;
    return word();
  }
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    if (at_ < text_.size()) skip();
  }
  bool at_end() const { return at_ >= text_.size(); }

  bool number(double& value) { return parse(next(), value); }
  bool number_in_line(double& value) { return parse(next_in_line(), value); }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
  static bool parse(std::string_view word, double& value) {
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size() && !word.empty();
  }
  std::string_view word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  void skip() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace freeplay::io

// The texts a model was read from, positions in them, and the list of mistakes found while reading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/error.h"

namespace freeplay::io {

// A place in one of the texts; line and column count from 1, the column in bytes.
struct SourcePosition {
  int source = -1;  // index into SourceTexts; -1: unknown
  int line = 0;
  int column = 0;
};

// Files, and the texts of `--set` options, which are sources of their own with the name "--set".
class SourceTexts {
 public:
  int add(std::string name, std::string text);
  int count() const { return static_cast<int>(sources_.size()); }
  const std::string& name(int source) const { return sources_[static_cast<std::size_t>(source)].name; }
  const std::string& text(int source) const { return sources_[static_cast<std::size_t>(source)].text; }

  // The line that holds the position, without its end. Cost: a scan of the text up to there.
  std::string_view line_at(SourcePosition at) const;
  // The column counts characters instead of bytes, so that a caret stands where the eye expects it.
  SourceMark mark(SourcePosition at) const;
  // The line made printable; a very long line is cut around the position.
  std::string excerpt(SourcePosition at) const;

 private:
  struct Source {
    std::string name, text;
  };
  std::vector<Source> sources_;
};

// A text of the user as it may stand in a message: quoted, control characters replaced, cut when long.
std::string in_quotes(std::string_view text);
// "a, b or c" / "a, b and c".
std::string listed(const std::vector<std::string>& words, std::string_view last_separator);

// Collects mistakes so that several are reported in one go.
class MistakeList {
 public:
  static constexpr std::size_t kMaxReported = 20;

  void add(SourcePosition at, std::string path, std::string message, std::string hint);
  std::size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  // Further mistakes are only counted: readers may skip expensive hints.
  bool is_full() const { return mistakes_.size() >= kMaxKept; }
  // Throws one ModelError with all mistakes in the order of the texts, at most kMaxReported and a note on the rest.
  void throw_if_any(const SourceTexts& texts) const;
  // The last one of a long list; without a place.
  static Diagnostic note_on_the_rest(std::size_t count);

 private:
  // Kept before sorting by position; bounds memory, and the time that is spent on hints nobody will read.
  static constexpr std::size_t kMaxKept = 2 * kMaxReported;
  struct Mistake {
    SourcePosition at;
    std::string path, message, hint;
  };
  std::vector<Mistake> mistakes_;
  std::size_t count_ = 0;
};

}  // namespace freeplay::io

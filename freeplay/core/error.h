// The three kinds of error: a bug asserts, bad input throws ModelError, a numerical failure is a returned value
// (freeplay/core/status.h). Input/output trouble that no input file can cure throws IoError.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::core {

// A place in a text file; line and column count from 1, 0 means unknown.
struct SourceMark {
  std::string file;
  int line = 0;
  int column = 0;
};

// One mistake in the input: where it is, what is wrong, and what would be right.
struct Diagnostic {
  SourceMark mark;
  std::string path;     // the element, e.g. "joints.pin.clearance"
  std::string message;  // what is wrong, with the offending value
  std::string hint;     // the cure; may be empty
  std::string excerpt;  // the offending line of the file; may be empty
};

// Bad input, found while loading or building a model. Carries every mistake that was found, not only the first.
// The mechanism layer knows element paths but no file; the reader adds marks and excerpts.
class ModelError : public std::runtime_error {
 public:
  ModelError(std::string path, std::string message, std::string hint = {});
  explicit ModelError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// A file that cannot be read or written (exit code 6).
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "file:line:column: error: path: message", the excerpt with a caret, and the hint.
std::string format_diagnostic(const Diagnostic& diagnostic);

// The candidate nearest to `word` (Damerau-Levenshtein, at most a third of its length away), or "".
std::string closest_match(std::string_view word, const std::vector<std::string>& candidates);
// The hint of a message about an unknown word: "did you mean 'lemke'?", or all that there are.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace freeplay::core

// A bug in freeplay itself; stays on in release builds because none of these stand in an inner loop.
#define FREEPLAY_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::freeplay::core::assertion_failed(#condition, __FILE__, __LINE__))

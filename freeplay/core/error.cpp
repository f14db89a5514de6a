#include "freeplay/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace freeplay::core {

namespace {

std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += format_diagnostic(diagnostic);
  }
  return text;
}

}  // namespace

ModelError::ModelError(std::string path, std::string message, std::string hint)
    : ModelError(std::vector<Diagnostic>{{{}, std::move(path), std::move(message), std::move(hint), {}}}) {}

ModelError::ModelError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

std::string format_diagnostic(const Diagnostic& diagnostic) {
  std::string text;
  const SourceMark& mark = diagnostic.mark;
  if (!mark.file.empty()) {
    text += mark.line > 0 ? fmt::format("{}:{}:{}: ", mark.file, mark.line, mark.column) : mark.file + ": ";
  }
  text += "error: ";
  if (!diagnostic.path.empty()) text += diagnostic.path + ": ";
  text += diagnostic.message;
  if (!diagnostic.excerpt.empty()) {
    text += "\n    " + diagnostic.excerpt;
    const bool caret_fits = mark.column > 0 && static_cast<std::size_t>(mark.column) <= diagnostic.excerpt.size() + 1;
    if (caret_fits) text += "\n    " + std::string(static_cast<std::size_t>(mark.column - 1), ' ') + "^";
  }
  if (!diagnostic.hint.empty()) text += "\n    hint: " + diagnostic.hint;
  return text;
}

std::string closest_match(std::string_view word, const std::vector<std::string>& candidates) {
  // A comparison takes time and memory with the product of the lengths. Nobody mistypes a word of this length, and who
  // has so many names finds the right one in a fraction of a second or not at all.
  constexpr std::size_t kMaxBytes = 200, kMaxWork = 20'000'000;
  if (word.size() > kMaxBytes) return {};
  std::size_t work = 0;
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::string best;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t n = word.size(), m = candidate.size();
    if ((n > m ? n - m : m - n) > limit) continue;
    work += (n + 1) * (m + 1);
    if (work > kMaxWork) break;
    // Optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours.
    std::vector<std::vector<std::size_t>> d(n + 1, std::vector<std::size_t>(m + 1));
    for (std::size_t i = 0; i <= n; ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= m; ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= n; ++i) {
      for (std::size_t j = 1; j <= m; ++j) {
        const std::size_t cost = word[i - 1] == candidate[j - 1] ? 0 : 1;
        d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost});
        const bool swapped = i > 1 && j > 1 && word[i - 1] == candidate[j - 2] && word[i - 2] == candidate[j - 1];
        if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
    if (d[n][m] < best_distance) {
      best_distance = d[n][m];
      best = candidate;
    }
  }
  return best;
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "freeplay: internal error: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string close = closest_match(word, known);
  if (!close.empty()) return fmt::format("did you mean '{}'?", close);
  constexpr std::size_t kMaxListedBytes = 2000;
  std::string list;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (list.size() + known[i].size() > kMaxListedBytes)
      return fmt::format("available: {}{}{} more", list, list.empty() ? "" : " and ", known.size() - i);
    list += (i == 0 ? "" : ", ") + known[i];
  }
  return fmt::format("available: {}", list);
}

}  // namespace freeplay::core

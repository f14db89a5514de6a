#include "command_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/error_report.h"

namespace freeplay::app {

namespace {

bool is_among(const std::string& word, const std::vector<std::string>& known) {
  return std::find(known.begin(), known.end(), word) != known.end();
}

}  // namespace

void check_words(const std::vector<std::string>& words, const std::vector<std::string>& verbs,
                 const std::vector<std::string>& options) {
  if (words[0].front() != '-' && !is_among(words[0], verbs)) throw UsageError::unknown("verb", words[0], verbs);
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string option = word.substr(0, word.find('='));
    if (option.starts_with("--") && !is_among(option, options)) throw UsageError::unknown("option", option, options);
  }
}

void check_overrides(const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--set '{}' is not of the form KEY=VALUE", text),
                       "write --set c=0.5mm, without blanks around '=', or all of it in quotes");
    if (equals + 1 == text.size()) {
      const std::string key = text.substr(0, equals);
      throw UsageError(fmt::format("--set '{}' has no value", text),
                       fmt::format("write the value behind '=', without a blank between them; or, to take the key of "
                                   "the file away, --unset {}",
                                   key));
    }
  }
}

// A shell splits `--set stroke=3 mm` in two. Words with a dot are left alone: they are rather the name of a file.
std::string hint_for_extra_words(const std::vector<std::string>& words, const std::vector<std::string>& verbs) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i] != "--set") continue;
    std::string meant = words[i + 1];
    for (std::size_t k = i + 2; k < words.size(); ++k) {
      if (words[k].starts_with("--") || words[k].find('.') != std::string::npos) break;
      meant += " " + words[k];
    }
    if (meant != words[i + 1]) return fmt::format("a value with blanks needs quotes: --set \"{}\"", meant);
  }
  return hint_to_help(words, verbs);
}

std::string hint_to_help(const std::vector<std::string>& words, const std::vector<std::string>& verbs) {
  const auto verb =
      std::find_if(words.begin(), words.end(), [&](const std::string& word) { return is_among(word, verbs); });
  return verb == words.end() ? "see freeplay --help" : fmt::format("see freeplay {} --help", *verb);
}

}  // namespace freeplay::app

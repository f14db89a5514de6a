// Mistakes in the words of a command line that CLI11 does not find, or of which it cannot say what was meant.
#pragma once

#include <string>
#include <vector>

namespace freeplay::app {

// CLI11 says which words it did not expect; this says which ones were meant. `words` begin with the verb. Throws
// UsageError.
void check_words(const std::vector<std::string>& words, const std::vector<std::string>& verbs,
                 const std::vector<std::string>& options);

// The values of --set. Whether the key exists and the value fits is up to the model; the form is a matter of the
// command line. Throws UsageError.
void check_overrides(const std::vector<std::string>& overrides);

// What to do about words that the verb does not take.
std::string hint_for_extra_words(const std::vector<std::string>& words, const std::vector<std::string>& verbs);

// Where to read on: the help of the verb, or of the command if there is none among the words.
std::string hint_to_help(const std::vector<std::string>& words, const std::vector<std::string>& verbs);

}  // namespace freeplay::app

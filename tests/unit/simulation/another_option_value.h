// For tests over all rows of the option table.
#pragma once

#include "freeplay/simulation/option_table.h"

namespace freeplay::test {

// A value that the row allows and that is not its default.
inline OptionValue another_value(const Option& option) {
  const OptionValue usual = option.value({});
  const std::vector<std::string> words = option.words();
  for (const std::string& word : words) {
    if (usual != OptionValue(word)) return word;
  }
  return option.range.is_whole ? 2.0 : 0.125;
}

}  // namespace freeplay::test

// What somebody may have meant by a key or a list that a block does not take.
#pragma once

#include <string>

#include "freeplay/io/yaml/block_reader.h"

namespace freeplay::io {

// A key that the table does not have: which one was meant, and a hint if there is more to say than "did you mean".
struct MeantKey {
  std::string key, hint;
};
MeantKey meant_key(const BlockTable& table, const YamlEntry& entry);

// Whether a list has too many items since somebody wrote a decimal comma: [0, -9,81 m/s^2].
bool has_decimal_comma(const YamlNode& list);

}  // namespace freeplay::io

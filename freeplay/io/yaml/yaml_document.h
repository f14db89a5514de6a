// A YAML text as a tree of our own, with the place of every key and value. Guarded: bounded nesting, bounded growth by
// aliases, one document, no tags, no merge keys, no duplicate keys.
//
// yaml-cpp's own nodes are not used: they accept duplicate keys, share aliases and recurse without our limits. Its
// parser hands over events; the tree is built from them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/io/yaml/source_text.h"

namespace freeplay::io {

struct YamlEntry;

struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  bool is_quoted = false;  // kScalar: written in quotes or as a block text
  SourcePosition at;
  std::string text;                // kScalar
  std::vector<YamlNode> items;     // kList
  std::vector<YamlEntry> entries;  // kMap, in file order, unique keys

  const YamlEntry* find(std::string_view key) const;
  YamlEntry* find(std::string_view key);
};

struct YamlEntry {
  std::string key;
  SourcePosition key_at;
  YamlNode value;

  // Where a reader looks for the entry: the value if it stands on its own, the key of a block.
  SourcePosition at() const { return value.kind == YamlNode::Kind::kScalar ? value.at : key_at; }
};

inline constexpr int kMaxYamlDepth = 32;

// "a text", "a list", "a block", "nothing".
std::string_view describe(YamlNode::Kind kind);

// Parses the text of a source. A text that cannot be parsed gives one mistake and nullopt; duplicate keys, merge keys
// and the like give one mistake each, and the rest of the tree.
std::optional<YamlNode> parse_yaml(const SourceTexts& texts, int source, MistakeList& mistakes);

}  // namespace freeplay::io

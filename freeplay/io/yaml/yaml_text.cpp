#include "freeplay/io/yaml/yaml_text.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace freeplay::io {

namespace {

// JSON's quoted texts are YAML's.
std::string quoted_yaml(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Blocks within brackets, so that indentation says nothing.
void append_flow(std::string& text, const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      text += '~';
      return;
    case YamlNode::Kind::kScalar:
      text += quoted_yaml(node.text);
      return;
    case YamlNode::Kind::kList: {
      std::string_view between = "[";
      if (node.items.empty()) text += '[';
      for (const YamlNode& item : node.items) {
        text += between;
        append_flow(text, item);
        between = ", ";
      }
      text += ']';
      return;
    }
    case YamlNode::Kind::kMap: {
      std::string_view between = "{";
      if (node.entries.empty()) text += '{';
      for (const YamlEntry& entry : node.entries) {
        text += between;
        text += quoted_yaml(entry.key) + ": ";
        append_flow(text, entry.value);
        between = ", ";
      }
      text += '}';
      return;
    }
  }
}

}  // namespace

std::string yaml_text(const YamlNode& root) {
  std::string text;
  for (const YamlEntry& entry : root.entries) {
    text += quoted_yaml(entry.key) + ": ";
    append_flow(text, entry.value);
    text += '\n';
  }
  return text;
}

}  // namespace freeplay::io

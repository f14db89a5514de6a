#include "freeplay/io/yaml/key_hints.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

namespace freeplay::io {

namespace {

// The keys of `table` that are blocks with the key `key` in them: where it may have been meant to stand.
std::string blocks_with(const BlockTable& table, const std::string& key) {
  std::vector<std::string> owners;
  for (const Field& field : table.fields) {
    if (field.kind == FieldKind::kBlock && block_table(field.block).find(key) != nullptr)
      owners.emplace_back(field.key);
  }
  return owners.empty() ? "" : fmt::format("it belongs in the block {}", listed(owners, "or"));
}

// What people write instead, where the spelling alone would not lead to the right key.
constexpr std::pair<std::string_view, std::string_view> kHabits[] = {
    {"bodys", "bodies"},       {"body", "bodies"},    {"links", "bodies"},   {"params", "parameters"},
    {"constraints", "joints"}, {"motors", "drivers"}, {"springs", "forces"}, {"output", "record"},
};

}  // namespace

MeantKey meant_key(const BlockTable& table, const YamlEntry& entry) {
  const bool has_no_value = entry.value.kind == YamlNode::Kind::kNull;
  const std::size_t colon = entry.key.find(':');
  if (has_no_value && colon != std::string::npos && table.find(entry.key.substr(0, colon)) != nullptr) {
    const std::string key = entry.key.substr(0, colon);
    return {key, fmt::format("a blank belongs after the colon: '{}: {}'", key, entry.key.substr(colon + 1))};
  }
  const bool is_digit = !entry.key.empty() && entry.key.front() >= '0' && entry.key.front() <= '9';
  if (has_no_value && is_digit) {  // mass: 1,5 kg
    return {"", "decimals are written with a point; in braces a comma separates the keys"};
  }
  for (const auto& [habit, key] : kHabits) {
    if (entry.key == habit && table.find(key) != nullptr)
      return {std::string(key), fmt::format("did you mean '{}'?", key)};
  }
  if (std::string elsewhere = blocks_with(table, entry.key); !elsewhere.empty()) return {"", std::move(elsewhere)};
  return {closest_match(entry.key, table.keys()), ""};
}

bool has_decimal_comma(const YamlNode& list) {
  for (std::size_t i = 0; i + 1 < list.items.size(); ++i) {
    const std::string &whole = list.items[i].text, &fraction = list.items[i + 1].text;
    const bool is_whole = !whole.empty() && whole.find_first_not_of("+-0123456789") == std::string::npos;
    if (is_whole && whole != "0" && !fraction.empty() && fraction.front() >= '0' && fraction.front() <= '9')
      return true;
  }
  return false;
}

}  // namespace freeplay::io

#include "freeplay/io/yaml/block_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/io/yaml/key_hints.h"

namespace freeplay::io {

namespace {

// What a missing key could look like.
std::string example_of(const Field& field) {
  switch (field.kind) {
    case FieldKind::kQuantity:
    case FieldKind::kExpression:
      if (!field.dimension_note.empty()) return fmt::format("{}: ...", field.key);
      return field.dimension.is_dimensionless() ? fmt::format("{}: 1", field.key)
                                                : fmt::format("{}: 1 {}", field.key, field.dimension.si_unit());
    case FieldKind::kInteger:
      return fmt::format("{}: 1", field.key);
    case FieldKind::kWord:
      return fmt::format("{}: {}", field.key, field.words().front());
    case FieldKind::kBlock:
      return fmt::format("{}: {{...}}", field.key);
    case FieldKind::kBodyName:
      return fmt::format("{}: NAME of a body{}", field.key, field.allows_ground ? " or ground" : "");
    default:
      return fmt::format("{}: ...", field.key);
  }
}

}  // namespace

BlockReader::BlockReader(ValueReader& values, Space space, const YamlNode& node, SourcePosition at, std::string path,
                         const BlockTable& table)
    : values_(&values),
      space_(space),
      node_(node.kind == YamlNode::Kind::kMap ? &node : nullptr),
      at_(at),
      path_(std::move(path)),
      table_(&table),
      mistakes_before_(values.mistake_count()) {
  if (node_ == nullptr) {
    values.report(at_, path_, fmt::format("must be a block of keys, but is {}", describe(node.kind)),
                  "keys of this block: " + listed(table.keys(), "and"));
    return;
  }
  // Keys that an unknown one was probably meant to be: reported once, not as missing too.
  std::set<std::string> misspelt;
  for (const YamlEntry& entry : node_->entries) {
    if (table.find(entry.key) != nullptr) continue;
    const MeantKey meant = meant_key(table, entry);
    if (meant.hint.empty())
      values.report_unknown(entry.key_at, path_, "unknown key", entry.key, [&] { return table.keys(); });
    else
      values.report(entry.key_at, path_, fmt::format("unknown key {}", in_quotes(entry.key)), meant.hint);
    misspelt.insert(meant.key);
  }
  for (const Field& field : table.fields) {
    const std::string key(field.key);
    if (field.is_required && node_->find(key) == nullptr && !misspelt.contains(key)) {
      values.report(at_, path_, fmt::format("the key '{}' is missing", key),
                    fmt::format("add '{}': {}", example_of(field), field.doc));
    }
  }
}

bool BlockReader::has(std::string_view key) const {
  return node_ != nullptr && node_->find(key) != nullptr;
}

SourcePosition BlockReader::at(std::string_view key) const {
  const YamlEntry* found = node_ == nullptr ? nullptr : node_->find(key);
  return found == nullptr ? at_ : found->at();
}

std::string BlockReader::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void BlockReader::report(std::string_view key, std::string message, std::string hint) {
  values_->report(at(key), path(key), std::move(message), std::move(hint));
}

const Field& BlockReader::field(std::string_view key, std::initializer_list<FieldKind> kinds) const {
  const Field* row = table_->find(key);
  FREEPLAY_ASSERT(row != nullptr);
  FREEPLAY_ASSERT(std::find(kinds.begin(), kinds.end(), row->kind) != kinds.end());
  return *row;
}

const YamlEntry* BlockReader::entry(std::string_view key) {
  FREEPLAY_ASSERT(table_->find(key) != nullptr);
  read_.emplace(key);
  return node_ == nullptr ? nullptr : node_->find(key);
}

const YamlNode* BlockReader::value(std::string_view key) {
  const YamlEntry* found = entry(key);
  return found == nullptr ? nullptr : &found->value;
}

void BlockReader::check_all_keys_were_read() const {
  if (node_ == nullptr) return;
  for (const YamlEntry& entry : node_->entries) {
    FREEPLAY_ASSERT(table_->find(entry.key) == nullptr || read_.contains(entry.key));
  }
}

std::string BlockReader::text(std::string_view key) {
  field(key, {FieldKind::kText});
  const YamlNode* node = value(key);
  return node == nullptr ? "" : values_->text(*node, path(key)).value_or("");
}

std::string BlockReader::word(std::string_view key) {
  const Field& row = field(key, {FieldKind::kWord});
  const YamlNode* node = value(key);
  if (node == nullptr) return std::string(row.default_value);
  const std::optional<std::string> given = values_->word(*node, path(key));
  if (!given) return "";
  const std::vector<std::string> words = row.words();
  if (std::find(words.begin(), words.end(), *given) != words.end()) return *given;
  values_->report_unknown(node->at, path(key), fmt::format("unknown {}", key), *given, row.words);
  return "";
}

std::string BlockReader::reference(std::string_view key, const std::set<std::string>& known) {
  const Field& row = field(key, {FieldKind::kBodyName, FieldKind::kJointName});
  const YamlNode* node = value(key);
  if (node == nullptr) return "";
  std::string name = values_->word(*node, path(key)).value_or("");
  if (name.empty() || known.contains(name) || (row.allows_ground && name == "ground")) return name;
  if (name == "ground" && row.kind == FieldKind::kBodyName) {
    report(key, "must be a body, but is the ground", "name a body; the ground does not move");
    return "";
  }
  const std::string_view what = row.kind == FieldKind::kBodyName ? "there is no body" : "there is no joint";
  values_->report_unknown(node->at, path(key), what, name, [&] {
    std::vector<std::string> allowed(known.begin(), known.end());
    if (row.allows_ground) allowed.emplace_back("ground");
    return allowed;
  });
  return "";
}

bool BlockReader::boolean(std::string_view key) {
  const Field& row = field(key, {FieldKind::kBool});
  const YamlNode* node = value(key);
  if (node == nullptr) return row.default_value == "true";
  const std::optional<std::string> given = values_->text(*node, path(key));
  if (given && *given != "true" && *given != "false") {
    report(key, fmt::format("must be true or false, but is {}", in_quotes(*given)), "write true or false");
  }
  return given == "true";
}

int BlockReader::integer(std::string_view key) {
  const Field& row = field(key, {FieldKind::kInteger});
  const YamlNode* node = value(key);
  if (node == nullptr) return row.default_value.empty() ? 0 : static_cast<int>(parse_quantity(row.default_value).value);
  const std::optional<double> number = values_->number(*node, path(key), dimensions::kNone, row.range);
  if (!number) return 0;
  const int whole = static_cast<int>(*number);  // the ranges of the table fit into an int
  if (whole != *number) report(key, fmt::format("must be a whole number, but is {}", *number), "round it");
  return whole;
}

std::optional<double> BlockReader::optional_quantity(std::string_view key, std::optional<Dimension> context) {
  const Field& row = field(key, {FieldKind::kQuantity});
  FREEPLAY_ASSERT(row.dimension_note.empty() != context.has_value());
  const YamlNode* node = value(key);
  if (node != nullptr)
    return values_->number(*node, path(key), context.value_or(row.dimension), row.range, row.is_angle);
  if (row.default_value.empty()) return std::nullopt;
  return parse_quantity(row.default_value).value;
}

double BlockReader::quantity(std::string_view key) {
  return optional_quantity(key).value_or(0);
}

bool BlockReader::is_list(const YamlNode& node, const std::string& path,
                          const std::vector<std::size_t>& allowed_counts) {
  std::vector<std::string> counts;
  counts.reserve(allowed_counts.size());
  for (const std::size_t count : allowed_counts) counts.push_back(std::to_string(count));
  const std::string expected =
      "a list of " + listed(counts, "or") + (counts == std::vector<std::string>{"1"} ? " value" : " values");
  if (node.kind != YamlNode::Kind::kList) {
    values_->report(node.at, path, fmt::format("must be {}, but is {}", expected, describe(node.kind)),
                    "write it in brackets, with commas: [1, 2]");
    return false;
  }
  if (std::find(allowed_counts.begin(), allowed_counts.end(), node.items.size()) == allowed_counts.end()) {
    values_->report(node.at, path, fmt::format("must be {}, but has {}", expected, node.items.size()),
                    has_decimal_comma(node)
                        ? "decimals are written with a point; in a list a comma separates the items"
                        : fmt::format("a {} model has vectors of {} components",
                                      space_ == Space::kPlanar ? "planar" : "spatial", vector_size()));
    return false;
  }
  return true;
}

std::optional<std::vector<double>> BlockReader::numbers(const YamlNode& node, const std::string& path,
                                                        Dimension dimension,
                                                        const std::vector<std::size_t>& allowed_counts,
                                                        const Range& range) {
  if (!is_list(node, path, allowed_counts)) return std::nullopt;
  std::vector<double> result;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto number = values_->number(node.items[i], fmt::format("{}[{}]", path, i), dimension, range);
    if (number) result.push_back(*number);
  }
  if (result.size() != node.items.size()) return std::nullopt;
  return result;
}

std::optional<Vec3> BlockReader::vector_of(const YamlNode& node, const std::string& path, const Field& row) {
  const auto components = numbers(node, path, row.dimension, {vector_size()}, row.range);
  if (!components) return std::nullopt;
  return Vec3((*components)[0], (*components)[1], components->size() > 2 ? (*components)[2] : 0);
}

Vec3 BlockReader::vector(std::string_view key) {
  const Field& row = field(key, {FieldKind::kVector});
  const YamlNode* node = value(key);
  if (node == nullptr) return Vec3::Zero();
  return vector_of(*node, path(key), row).value_or(Vec3::Zero());
}

std::optional<Vec3> BlockReader::direction(std::string_view key) {
  const Field& row = field(key, {FieldKind::kDirection});
  const YamlNode* node = value(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<Vec3> given = vector_of(*node, path(key), row);
  if (!given) return std::nullopt;
  const double length = given->stableNorm();
  if (length > 0) return Vec3(*given / length);
  report(key, "must point somewhere, but its length is zero",
         "give a direction such as [0, 1] or [0, 0, 1]; its length does not matter");
  return std::nullopt;
}

std::optional<Expression> BlockReader::expression(std::string_view key, Dependence dependence,
                                                  std::optional<Dimension> context) {
  const Field& row = field(key, {FieldKind::kExpression});
  FREEPLAY_ASSERT(row.dimension_note.empty() != context.has_value());
  const YamlNode* node = value(key);
  if (node == nullptr) return std::nullopt;
  return values_->expression(*node, path(key), context.value_or(row.dimension), dependence);
}

std::array<Expression, 3> BlockReader::expressions(std::string_view key, Dependence dependence) {
  const Field& row = field(key, {FieldKind::kExpressionVector, FieldKind::kMoment});
  std::array<Expression, 3> result;
  result.fill(Expression::constant(0, row.dimension));
  const YamlNode* node = value(key);
  if (node == nullptr) return result;
  const auto read = [&](const YamlNode& component, const std::string& component_path, std::size_t i) {
    auto given = values_->expression(component, component_path, row.dimension, dependence);
    if (given) result[i] = std::move(*given);
  };
  if (row.kind == FieldKind::kMoment && space_ == Space::kPlanar) {
    read(*node, path(key), 2);
  } else if (is_list(*node, path(key), {vector_size()})) {
    for (std::size_t i = 0; i < node->items.size(); ++i) read(node->items[i], fmt::format("{}[{}]", path(key), i), i);
  }
  return result;
}

std::vector<std::optional<double>> BlockReader::coordinates(std::string_view key,
                                                            const std::vector<Dimension>& dimensions_of_coordinates) {
  const Range& range = field(key, {FieldKind::kCoordinates}).range;
  const YamlNode* node = value(key);
  if (node == nullptr) return {};
  const std::size_t count = dimensions_of_coordinates.size();
  if (node->kind != YamlNode::Kind::kList && count == 1) {
    return {values_->number(*node, path(key), dimensions_of_coordinates.front(), range)};
  }
  if (count == 0) {
    report(key, "this joint has no coordinates", "delete the key");
    return {};
  }
  if (node->kind != YamlNode::Kind::kList || node->items.size() != count) {
    report(key, fmt::format("must be a list of {} values, one per coordinate of the joint", count),
           "write it in brackets, with commas");
    return {};
  }
  std::vector<std::optional<double>> result;
  for (std::size_t i = 0; i < count; ++i) {
    if (node->items[i].kind == YamlNode::Kind::kScalar && node->items[i].text == "none") {
      result.emplace_back();
      continue;
    }
    result.push_back(
        values_->number(node->items[i], fmt::format("{}[{}]", path(key), i), dimensions_of_coordinates[i], range));
  }
  return result;
}

std::vector<double> BlockReader::per_direction(std::string_view key, std::size_t count) {
  const Field& row = field(key, {FieldKind::kPerDirection});
  const YamlNode* node = value(key);
  if (node == nullptr) return {};
  if (node->kind == YamlNode::Kind::kList && count == 1) {
    report(key, "must be one value, but is a list", "a planar joint turns about one axis only");
    return {};
  }
  if (node->kind == YamlNode::Kind::kList) {
    return numbers(*node, path(key), row.dimension, {count}, row.range).value_or(std::vector<double>{});
  }
  const std::optional<double> number = values_->number(*node, path(key), row.dimension, row.range);
  return number ? std::vector<double>{*number} : std::vector<double>{};
}

std::vector<double> BlockReader::quantities(std::string_view key) {
  const Field& row = field(key, {FieldKind::kQuantities});
  const YamlNode* node = value(key);
  if (node == nullptr) return {};
  if (node->kind == YamlNode::Kind::kList) {
    if (node->items.empty()) return {};
    return numbers(*node, path(key), row.dimension, {node->items.size()}, row.range).value_or(std::vector<double>{});
  }
  const std::optional<double> number = values_->number(*node, path(key), row.dimension, row.range);
  return number ? std::vector<double>{*number} : std::vector<double>{};
}

std::optional<BlockReader> BlockReader::block(std::string_view key) {
  const Field& row = field(key, {FieldKind::kBlock, FieldKind::kSpaceBlock});
  const YamlEntry* found = entry(key);
  if (found == nullptr) return std::nullopt;
  std::string table(row.block);
  if (row.kind == FieldKind::kSpaceBlock) table += space_ == Space::kPlanar ? ".planar" : ".spatial";
  return BlockReader(*values_, space_, found->value, found->key_at, path(key), block_table(table));
}

std::vector<const YamlEntry*> named_entries(ValueReader& values, const YamlEntry* entry, const std::string& path) {
  if (entry == nullptr || entry->value.kind == YamlNode::Kind::kNull) return {};  // `bodies:` with nothing below it
  if (entry->value.kind != YamlNode::Kind::kMap) {
    values.report(entry->value.at, path,
                  fmt::format("must be a block of names, but is {}", describe(entry->value.kind)),
                  "write 'name: {...}' below it, one line each");
    return {};
  }
  std::vector<const YamlEntry*> entries;
  for (const YamlEntry& child : entry->value.entries) entries.push_back(&child);
  return entries;
}

}  // namespace freeplay::io

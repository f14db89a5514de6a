#include "freeplay/io/fields/model_reference.h"

#include <fmt/format.h>

#include "freeplay/io/fields/field_table.h"
#include "freeplay/io/yaml/source_text.h"

namespace freeplay::io {

namespace {

std::string unit_of(const Field& field) {
  if (!field.dimension_note.empty()) return fmt::format("in {}", field.dimension_note);
  if (field.is_angle) return "in rad";
  return field.dimension.is_dimensionless() ? "without unit" : fmt::format("in {}", field.dimension.si_unit());
}

std::string words_of(const Field& field) {
  std::string text;
  for (const std::string& word : field.words()) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", word);
  return text;
}

std::string link_to(std::string_view block) {
  return fmt::format("[block](#{})", block);
}

std::string anchor_of(std::string_view block) {
  std::string anchor;
  for (const char c : block) {
    if (c != '.') anchor += c;
  }
  return anchor;
}

// What may stand behind the key, in words.
std::string value_of(const Field& field) {
  switch (field.kind) {
    case FieldKind::kText:
      return "text";
    case FieldKind::kInteger:
      return "whole number";
    case FieldKind::kBool:
      return "`true` or `false`";
    case FieldKind::kWord:
      return words_of(field);
    case FieldKind::kQuantity:
      return fmt::format("quantity {}", unit_of(field));
    case FieldKind::kExpression:
      return fmt::format("expression {}", unit_of(field));
    case FieldKind::kVector:
      return fmt::format("vector {}", unit_of(field));
    case FieldKind::kDirection:
      return "direction: a vector of numbers, of any length but zero";
    case FieldKind::kExpressionVector:
      return fmt::format("vector of expressions {}", unit_of(field));
    case FieldKind::kMoment:
      return fmt::format("expression (planar) or 3 expressions (spatial) {}", unit_of(field));
    case FieldKind::kPoints:
      return fmt::format("list of vectors {}", unit_of(field));
    case FieldKind::kOutline:
      return fmt::format("list of vectors {} and of [blocks](#outline_point)", unit_of(field));
    case FieldKind::kPointGrid:
      return fmt::format("rows of vectors {}", unit_of(field));
    case FieldKind::kCurve:
      return fmt::format("list of pairs: a quantity {}, and a number", unit_of(field));
    case FieldKind::kSamples:
      return "list of pairs of quantities";
    case FieldKind::kInertia:
      return fmt::format("quantity (planar); 3 principal moments or a symmetric 3x3 (spatial), {}; or `from-shape`",
                         unit_of(field));
    case FieldKind::kRotation:
      return "angle (planar); quaternion `[e0, e1, e2, e3]` or [`{axis, angle}`](#rotation) (spatial)";
    case FieldKind::kPerDirection:
      return fmt::format("quantity, or list of one per direction, {}", unit_of(field));
    case FieldKind::kCoordinates:
      return fmt::format("quantity, or list of one per coordinate, {}", unit_of(field));
    case FieldKind::kQuantities:
      return fmt::format("quantity, or list of them, {}", unit_of(field));
    case FieldKind::kBodyName:
      return field.allows_ground ? "name of a body, or `ground`" : "name of a body";
    case FieldKind::kJointName:
      return "name of a joint";
    case FieldKind::kShapeNames:
      return "two shapes, `[BODY.SHAPE, BODY.SHAPE]`";
    case FieldKind::kChannels:
      return "list of channels";
    case FieldKind::kFiles:
      return "file name, or list of them";
    case FieldKind::kMembers:
      return "name of shapes or list of them";
    case FieldKind::kNodeNames:
      return "name of a node, or list of them";
    case FieldKind::kParameters:
      return "names with quantities, words or distributions";
    case FieldKind::kVariants:
      return "names of parameters with words, each with keys of this table";
    case FieldKind::kMeasures:
      return "names with expressions";
    case FieldKind::kRecord:
      return fmt::format("list of channels, or {}", link_to("record"));
    case FieldKind::kBlock:
      return link_to(field.block);
    case FieldKind::kSpaceBlock:
      return fmt::format("[block](#{0}planar) (planar) or [block](#{0}spatial) (spatial)", field.block);
    case FieldKind::kNamedBlocks:
      return fmt::format("names with {}s", link_to(field.block));
    case FieldKind::kTypedBlock:
      return "block of one type";
    case FieldKind::kTypedBlocks: {
      std::string types;
      for (const BlockTable* table : typed_blocks(field.block)) {
        const bool is_second = table->name.ends_with(".spatial");
        types += fmt::format("{}[`{}`](#{}){}", types.empty() ? "" : ", ", type_of_block(table->name),
                             anchor_of(table->name), is_second ? " in space" : "");
      }
      return fmt::format("names with blocks of one type: {}", types);
    }
  }
  return "";
}

std::string default_of(const Field& field) {
  if (field.is_required) return "**required**";
  if (!field.default_value.empty()) return fmt::format("`{}`", field.default_value);
  return std::string(field.default_note);
}

constexpr std::string_view kIntroduction = R"(# The model file: every key

This page is printed from the table that the reader itself uses (`freeplay list --model-reference`).
[The guide](../guide/model_file.md) explains the ideas; [expressions](expressions.md) lists units and functions.

- A **quantity** is a constant expression with the right dimension: `153 mm`, `l1/2`, `2*pi*3 rad/s`. A plain `0` fits
  every dimension.
- An **expression** may also depend on the time `t` and, where noted, on channels of the motion such as `crank.omega`.
  A [table](#value_by_table) may stand in its place.
- A **vector** has 2 components in a planar model and 3 in a spatial one.
- A **word** may also be the name of a parameter that is a word.
- The reader knows all names of the format, so that a file that uses a later one is understood; a run refuses what this
  version does not have. `freeplay list` tells what it has.
)";

}  // namespace

std::string model_reference_markdown() {
  std::string page(kIntroduction);
  for (const BlockTable& table : all_block_tables()) {
    page += fmt::format("\n<a id=\"{}\"></a>\n\n## {}\n\n{}\n\n", anchor_of(table.name), table.where, table.doc);
    page += "| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const Field& field : table.fields) {
      const std::string range = field.range.describe();
      page += fmt::format("| `{}` | {}{} | {} | {} |\n", field.key, value_of(field), range.empty() ? "" : "; " + range,
                          default_of(field), field.doc);
    }
  }
  return page;
}

}  // namespace freeplay::io

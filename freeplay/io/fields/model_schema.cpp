#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "freeplay/io/fields/field_table.h"
#include "freeplay/io/fields/model_reference.h"

namespace freeplay::io {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order of the field table

constexpr const char* kNamePattern = "^[A-Za-z_][A-Za-z0-9_]*$";

Json reference_to(std::string_view definition) {
  return {{"$ref", fmt::format("#/$defs/{}", definition)}};
}

Json list_of(const Json& items, int min, int max) {
  return {{"type", "array"}, {"items", items}, {"minItems", min}, {"maxItems", max}};
}

Json named(const Json& values) {
  return {
      {"type", {"object", "null"}}, {"propertyNames", {{"pattern", kNamePattern}}}, {"additionalProperties", values}};
}

Json word_schema(const Field& field) {
  Json words = Json::array();
  for (const std::string& word : field.words()) words.push_back(word);
  // The second alternative is the name of a parameter that is a word.
  return {{"anyOf", {{{"enum", words}}, {{"type", "string"}, {"pattern", kNamePattern}}}}};
}

Json typed_block(const Field& field) {
  Json choices = Json::array();
  for (const BlockTable* table : typed_blocks(field.block)) choices.push_back(reference_to(table->name));
  return {{"anyOf", choices}};
}

Json value_schema(const Field& field) {
  Json quantity = reference_to("quantity");
  Json vector = list_of(quantity, 2, 3);
  switch (field.kind) {
    case FieldKind::kText:
    case FieldKind::kBodyName:
    case FieldKind::kJointName:
      return {{"type", "string"}};
    case FieldKind::kInteger:
      return {{"type", {"integer", "string"}}};
    case FieldKind::kBool:
      return {{"type", "boolean"}};
    case FieldKind::kWord:
      return word_schema(field);
    case FieldKind::kQuantity:
      return quantity;
    case FieldKind::kExpression:
      return {{"anyOf", {quantity, reference_to("value_by_table")}}};
    case FieldKind::kVector:
    case FieldKind::kDirection:
      return vector;
    case FieldKind::kExpressionVector:
      return list_of({{"anyOf", {quantity, reference_to("value_by_table")}}}, 2, 3);
    case FieldKind::kMoment:
      return {{"anyOf", {quantity, reference_to("value_by_table"), list_of(quantity, 3, 3)}}};
    case FieldKind::kPoints:
      return {{"type", "array"}, {"items", vector}, {"minItems", 2}};
    case FieldKind::kOutline:
      return {{"type", "array"}, {"items", {{"anyOf", {vector, reference_to("outline_point")}}}}, {"minItems", 2}};
    case FieldKind::kPointGrid:
      return {{"type", "array"}, {"items", {{"type", "array"}, {"items", vector}, {"minItems", 4}}}, {"minItems", 4}};
    case FieldKind::kSamples:
      return {{"type", "array"}, {"items", list_of(quantity, 2, 2)}, {"minItems", 2}};
    case FieldKind::kCurve:
      return {{"type", "array"}, {"items", list_of(quantity, 2, 2)}, {"minItems", 1}};
    case FieldKind::kInertia:
      return {{"anyOf", {quantity, list_of(quantity, 3, 3), list_of(list_of(quantity, 3, 3), 3, 3)}}};
    case FieldKind::kRotation:
      return {{"anyOf", {quantity, list_of(quantity, 4, 4), reference_to("rotation")}}};
    case FieldKind::kPerDirection:
      return {{"anyOf", {quantity, vector}}};
    case FieldKind::kCoordinates:
    case FieldKind::kQuantities:
      return {{"anyOf", {quantity, {{"type", "array"}, {"items", quantity}}}}};
    case FieldKind::kShapeNames:
      return list_of({{"type", "string"}}, 2, 2);
    case FieldKind::kChannels:
      return reference_to("channels");
    case FieldKind::kFiles:
    case FieldKind::kMembers:
      return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}}};
    case FieldKind::kNodeNames: {
      const Json name = {{"type", {"string", "number"}}};
      return {{"anyOf", {name, {{"type", "array"}, {"items", name}}}}};
    }
    case FieldKind::kParameters:
      return named({{"anyOf", {quantity, reference_to("word"), reference_to("fit"), reference_to("scatter")}}});
    case FieldKind::kVariants:
      return named(named({{"type", {"object", "null"}}}));
    case FieldKind::kMeasures:
      return named(quantity);
    case FieldKind::kRecord:
      return {{"anyOf", {reference_to("channels"), reference_to("record")}}};
    case FieldKind::kBlock:
      return reference_to(field.block);
    case FieldKind::kSpaceBlock:
      return {{"anyOf",
               {reference_to(fmt::format("{}.planar", field.block)),
                reference_to(fmt::format("{}.spatial", field.block))}}};
    case FieldKind::kNamedBlocks:
      return named(reference_to(field.block));
    case FieldKind::kTypedBlocks:
      return named(typed_block(field));
    case FieldKind::kTypedBlock:
      return typed_block(field);
  }
  return {};
}

Json block_schema(const BlockTable& table) {
  Json properties = Json::object(), required = Json::array();
  const std::size_t dot = table.name.find('.');
  for (const Field& field : table.fields) {
    Json schema = value_schema(field);
    // In the block of one type, `type` is that word.
    if (field.key == "type" && dot != std::string_view::npos)
      schema = {{"const", std::string(type_of_block(table.name))}};
    schema["description"] = std::string(field.doc);
    if (!field.default_value.empty()) schema["default"] = std::string(field.default_value);
    properties[std::string(field.key)] = std::move(schema);
    if (field.is_required) required.push_back(std::string(field.key));
  }
  Json schema = {{"type", "object"}, {"description", std::string(table.doc)}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

}  // namespace

std::string model_json_schema() {
  Json definitions;
  definitions["quantity"] = {{"description", "a number with a unit, or an expression"}, {"type", {"string", "number"}}};
  definitions["word"] = {{"description", "a parameter that is a name"},
                         {"type", "object"},
                         {"properties", {{"word", {{"type", "string"}}}}},
                         {"required", {"word"}},
                         {"additionalProperties", false}};
  definitions["fit"] = {{"description", "the clearance per side of a fit of ISO 286"},
                        {"type", "object"},
                        {"properties", {{"fit", {{"type", "string"}}}, {"diameter", reference_to("quantity")}}},
                        {"required", {"fit", "diameter"}},
                        {"additionalProperties", false}};
  const auto numbers = [](int count) { return list_of(reference_to("quantity"), count, count); };
  definitions["scatter"] = {
      {"description", "a quantity that scatters; its value is the mean"},
      {"type", "object"},
      {"properties", {{"normal", numbers(2)}, {"uniform", numbers(2)}, {"triangular", numbers(3)}}},
      {"minProperties", 1},
      {"maxProperties", 1},
      {"additionalProperties", false}};
  definitions["channels"] = {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "freeplay model file"}};
  for (const BlockTable& table : all_block_tables()) {
    if (table.name == "model")
      schema.update(block_schema(table));
    else
      definitions[std::string(table.name)] = block_schema(table);
  }
  schema["$defs"] = std::move(definitions);
  return schema.dump(1) + "\n";
}

}  // namespace freeplay::io

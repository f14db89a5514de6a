// How the rows of the field table are written down. Used by the sources that hold them only.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "freeplay/io/fields/field_table.h"

namespace freeplay::io {

std::vector<BlockTable> model_block_tables();    // the file itself, simulate, record
BlockTable simulate_block_table();               // from the option table
std::vector<BlockTable> element_block_tables();  // bodies, joints, forces
std::vector<BlockTable> driver_block_tables();
std::vector<BlockTable> coupling_block_tables();   // of joint coordinates
std::vector<BlockTable> elastic_block_tables();    // bodies that deform
std::vector<BlockTable> joint_law_block_tables();  // stops and friction of joints
std::vector<BlockTable> scene_block_tables();      // many bodies like one
std::vector<BlockTable> shape_block_tables();
std::vector<BlockTable> contact_block_tables();

namespace field_rows {

using ranges::kInsideZeroOne;
using ranges::kNotNegative;
using ranges::kPositive;
using ranges::kZeroToOne;

inline Field row(std::string_view key, FieldKind kind, std::string_view doc) {
  Field field;
  field.key = key;
  field.kind = kind;
  field.doc = doc;
  return field;
}
inline Field row(std::string_view key, FieldKind kind, Dimension dimension, std::string_view doc) {
  Field field = row(key, kind, doc);
  field.dimension = dimension;
  return field;
}
inline Field quantity(std::string_view key, Dimension dimension, std::string_view doc) {
  return row(key, FieldKind::kQuantity, dimension, doc);
}
inline Field number(std::string_view key, std::string_view doc) {
  return quantity(key, dimensions::kNone, doc);
}
inline Field angle(std::string_view key, std::string_view doc) {
  Field field = quantity(key, dimensions::kAngle, doc);
  field.is_angle = true;
  return field;
}
inline Field text(std::string_view key, std::string_view doc) {
  return row(key, FieldKind::kText, doc);
}
inline Field word(std::string_view key, WordList words, std::string_view doc) {
  Field field = row(key, FieldKind::kWord, doc);
  field.words = std::move(words);
  return field;
}
inline Field point(std::string_view key, std::string_view doc) {
  return row(key, FieldKind::kVector, dimensions::kLength, doc);
}
inline Field block(std::string_view key, FieldKind kind, std::string_view name, std::string_view doc) {
  Field field = row(key, kind, doc);
  field.block = name;
  return field;
}

}  // namespace field_rows

}  // namespace freeplay::io

#include "freeplay/io/fields/field_table.h"

#include <algorithm>

#include "freeplay/core/error.h"
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

Field Field::required() const {
  Field field = *this;
  field.is_required = true;
  return field;
}

Field Field::or_ground() const {
  Field field = *this;
  field.allows_ground = true;
  return field;
}

Field Field::within(Range allowed) const {
  Field field = *this;
  field.range = allowed;
  return field;
}

Field Field::in(std::string_view context_dependent_unit) const {
  Field field = *this;
  field.dimension_note = context_dependent_unit;
  return field;
}

Field Field::by_default(std::string_view value) const {
  Field field = *this;
  field.default_value = value;
  return field;
}

Field Field::otherwise(std::string_view note) const {
  Field field = *this;
  field.default_note = note;
  return field;
}

const Field* BlockTable::find(std::string_view key) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [key](const Field& field) { return field.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string> BlockTable::keys() const {
  std::vector<std::string> keys;
  for (const Field& field : fields) keys.emplace_back(field.key);
  return keys;
}

const std::vector<BlockTable>& all_block_tables() {
  static const std::vector<BlockTable> tables = [] {
    std::vector<BlockTable> all;
    for (const auto& part : {model_block_tables(), element_block_tables(), scene_block_tables(), shape_block_tables(),
                             contact_block_tables()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return tables;
}

const BlockTable& block_table(std::string_view name) {
  for (const BlockTable& table : all_block_tables()) {
    if (table.name == name) return table;
  }
  FREEPLAY_ASSERT(false && "a block that the field table lists");
  return all_block_tables().front();
}

std::vector<const BlockTable*> typed_blocks(std::string_view family) {
  std::vector<const BlockTable*> blocks;
  for (const BlockTable& table : all_block_tables()) {
    const bool belongs = table.name.size() > family.size() && table.name.substr(0, family.size()) == family &&
                         table.name[family.size()] == '.';
    if (belongs) blocks.push_back(&table);
  }
  return blocks;
}

std::string_view type_of_block(std::string_view name) {
  const std::string_view type = name.substr(name.find('.') + 1);
  return type.substr(0, type.find('.'));
}

std::vector<std::string> block_types(std::string_view family) {
  std::vector<std::string> types;
  for (const BlockTable* table : typed_blocks(family)) {
    std::string type(type_of_block(table->name));
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(std::move(type));
  }
  return types;
}

}  // namespace freeplay::io

// The committed reference page and schema are what the field table says.
#include "freeplay/io/fields/model_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "freeplay/io/fields/field_table.h"
#include "support/places.h"

namespace freeplay::test {
namespace {

std::string committed(const std::string& name) {
  std::ifstream file(test_dir() + "/../docs/reference/" + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// To renew them: freeplay list --model-reference > docs/reference/model_file.md, and --json-schema likewise.
TEST(ModelReference, CommittedPageIsUpToDate) {
  EXPECT_EQ(committed("model_file.md"), model_reference_markdown());
}
TEST(ModelReference, CommittedSchemaIsUpToDate) {
  EXPECT_EQ(committed("model.schema.json"), model_json_schema());
}

TEST(FieldTable, EveryRowIsComplete) {
  for (const BlockTable& table : all_block_tables()) {
    EXPECT_FALSE(table.doc.empty()) << table.name;
    std::set<std::string_view> keys;
    for (const Field& field : table.fields) {
      EXPECT_TRUE(keys.insert(field.key).second) << table.name << "." << field.key << " stands twice";
      EXPECT_FALSE(field.doc.empty()) << table.name << "." << field.key;
      EXPECT_FALSE(field.is_required && !field.default_value.empty()) << table.name << "." << field.key;
      if (field.kind == FieldKind::kWord) {
        const std::vector<std::string> words = field.words();
        EXPECT_FALSE(words.empty());
        if (!field.default_value.empty()) {
          EXPECT_THAT(words, testing::Contains(std::string(field.default_value)));
        }
      }
    }
  }
}

TEST(FieldTable, EveryBlockThatAFieldNamesExists) {
  for (const BlockTable& table : all_block_tables()) {
    for (const Field& field : table.fields) {
      if (field.kind == FieldKind::kBlock || field.kind == FieldKind::kNamedBlocks) {
        EXPECT_EQ(block_table(field.block).name, field.block);
      } else if (field.kind == FieldKind::kTypedBlocks) {
        EXPECT_FALSE(block_types(field.block).empty()) << field.block;
      } else if (field.kind == FieldKind::kSpaceBlock) {
        EXPECT_THAT(block_types(field.block), testing::UnorderedElementsAre("planar", "spatial"));
      }
    }
  }
}

TEST(Range, DescribesItselfInWords) {
  EXPECT_EQ((Range{.min = 0, .without_min = true}).describe(), "greater than 0");
  EXPECT_EQ((Range{.min = 0, .max = 1}).describe(), "from 0 to 1");
  EXPECT_EQ((Range{.min = 0, .max = 1, .without_min = true, .without_max = true}).describe(),
            "between 0 and 1, both excluded");
  EXPECT_EQ((Range{.min = 1, .max = 1}).describe(), "exactly 1");
  EXPECT_EQ(Range{}.describe(), "");
}

}  // namespace
}  // namespace freeplay::test

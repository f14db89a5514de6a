// The field table: every key that a model file may hold, block by block. The reader checks keys and reads values
// through it, the reference page and the JSON Schema are printed from it, so the three cannot disagree.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/math/quantities/dimension.h"
#include "freeplay/math/quantities/range.h"

namespace freeplay::io {

enum class FieldKind : std::uint8_t {
  kText,
  kInteger,
  kBool,
  kWord,              // one of Field::words, or a parameter that is a word
  kQuantity,          // a constant expression
  kExpression,        // may depend on t and on channels
  kVector,            // 2 quantities in the plane, 3 in space
  kDirection,         // a vector without unit that is not zero; its length does not matter
  kExpressionVector,  // 2 expressions in the plane, 3 in space
  kMoment,            // 1 expression in the plane, 3 in space
  kPoints,            // a list of vectors
  kOutline,           // a list of vectors and of blocks "outline_point"
  kPointGrid,         // rows of vectors
  kCurve,             // a list of pairs: a quantity of the row's dimension, and a number
  kSamples,           // a list of pairs of quantities; the first one says their dimensions
  kInertia,           // 1 quantity in the plane; in space 3 principal moments or a symmetric 3x3
  kRotation,          // an angle in the plane; in space [e0, e1, e2, e3] or {axis, angle}
  kPerDirection,      // one quantity, or a list of one per direction of the joint's frame
  kCoordinates,       // one quantity, or a list of as many as the joint has coordinates
  kQuantities,        // one quantity, or a list of any number of them
  kBodyName,
  kJointName,
  kShapeNames,   // a pair [body.shape, body.shape]
  kChannels,     // a list of channel names
  kFiles,        // a file name or a list of them
  kMembers,      // a name of shapes, or a list of them
  kNodeNames,    // a name of a node in a file of modes, or a list of them
  kParameters,   // name: quantity or {word: w}
  kVariants,     // name of a parameter: words, each with a part of the model
  kMeasures,     // name: expression of functions of the whole run
  kRecord,       // a list of channels or the block "record"
  kBlock,        // one block of the kind Field::block
  kSpaceBlock,   // one block of the kind "<Field::block>.planar" or "<Field::block>.spatial"
  kNamedBlocks,  // name: block of the kind Field::block
  kTypedBlock,   // one block of the kind "<Field::block>.<its type>"
  kTypedBlocks   // name: block of that kind
};

using WordList = std::function<std::vector<std::string>()>;

struct Field {
  std::string_view key;
  FieldKind kind = FieldKind::kText;
  std::string_view doc;
  Dimension dimension;              // of kQuantity and its relatives
  std::string_view dimension_note;  // instead of it, where the dimension follows from the context
  Range range;
  WordList words = nullptr;  // kWord
  std::string_view block;    // kBlock, kNamedBlocks, kTypedBlocks
  bool is_required = false;
  bool is_angle = false;           // dimensionless, but shown in rad
  bool allows_ground = false;      // kBodyName
  std::string_view default_value;  // read like a value of the file when the key is absent
  std::string_view default_note;   // what happens when the key is absent and there is no default value

  // Each returns a changed copy, so that a row of the table reads like a sentence.
  Field required() const;
  Field or_ground() const;
  Field within(Range allowed) const;
  Field in(std::string_view context_dependent_unit) const;
  Field by_default(std::string_view value) const;
  Field otherwise(std::string_view note) const;
};

struct BlockTable {
  std::string_view name;   // "body", "shape.circle", "shape.parametric.spatial"
  std::string_view where;  // as it stands in a file: "bodies.NAME"
  std::string_view doc;
  std::vector<Field> fields;

  const Field* find(std::string_view key) const;
  std::vector<std::string> keys() const;
};

// All blocks, in the order of the reference page; the first one is the file itself, "model".
const std::vector<BlockTable>& all_block_tables();
// Requires that there is such a block.
const BlockTable& block_table(std::string_view name);
// The types T for which a block "<family>.T" exists. Where a type is another one in space, there is a block
// "<family>.T.spatial" as well.
std::vector<std::string> block_types(std::string_view family);
std::vector<const BlockTable*> typed_blocks(std::string_view family);
// Of a block "<family>.T" or "<family>.T.spatial": T.
std::string_view type_of_block(std::string_view name);

}  // namespace freeplay::io

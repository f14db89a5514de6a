// Reads one block of a model file through its rows of the field table: keys that have no row are refused, and a value
// can only be asked for as what its row says.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "freeplay/io/fields/field_table.h"
#include "freeplay/io/yaml/value_reader.h"
#include "freeplay/io/yaml/yaml_document.h"
#include "freeplay/math/types.h"

namespace freeplay::io {

// A value that is wrong is reported and replaced by zero or an empty text; since a report ends the load, nobody uses
// the replacement. Where a check compares several values it asks for optionals, or looks at ok() first.
class BlockReader {
 public:
  // Reports a node that is no block, unknown keys and missing keys. `at` is the place of the block's key.
  BlockReader(ValueReader& values, Space space, const YamlNode& node, SourcePosition at, std::string path,
              const BlockTable& table);

  // The top level learns only from its own keys whether vectors have 2 or 3 components.
  void set_space(Space space) { space_ = space; }
  bool has(std::string_view key) const;
  // Everything that was read since this block was opened could be read.
  bool ok() const { return values_->mistake_count() == mistakes_before_; }
  SourcePosition at(std::string_view key) const;  // of the value; of the block if the key is absent
  SourcePosition at() const { return at_; }
  std::string path(std::string_view key) const;
  const std::string& path() const { return path_; }
  const BlockTable& table() const { return *table_; }
  void report(std::string_view key, std::string message, std::string hint);

  std::string text(std::string_view key);
  int integer(std::string_view key);
  bool boolean(std::string_view key);
  std::string word(std::string_view key);
  // kBodyName, kJointName: one of `known` (or the ground, where the row allows it); empty after a report or if it is
  // absent.
  std::string reference(std::string_view key, const std::set<std::string>& known);
  double quantity(std::string_view key);
  // Absent without a default, or wrong: nullopt. `context` is the dimension of rows that leave it to the context.
  std::optional<double> optional_quantity(std::string_view key, std::optional<Dimension> context = std::nullopt);
  // Planar vectors have z = 0.
  Vec3 vector(std::string_view key);
  std::optional<Vec3> direction(std::string_view key);  // unit length
  std::vector<Vec3> points(std::string_view key);
  std::vector<std::vector<Vec3>> point_grid(std::string_view key);  // by rows
  std::vector<Vec2> curve(std::string_view key);                    // empty if it is absent or wrong
  // kSamples, in SI units; what is wrong is reported.
  struct Samples {
    std::vector<double> x, y;
    Dimension x_dimension, y_dimension;
  };
  Samples samples(std::string_view key);
  // kOutline: points, some of which are blocks that say more.
  struct OutlinePoint {
    Vec3 at = Vec3::Zero();
    double radius = 0, arc = 0;
  };
  std::vector<OutlinePoint> outline(std::string_view key);
  Mat3 inertia(std::string_view key);
  std::optional<Eigen::Quaterniond> rotation(std::string_view key);
  // (e0, e1, e2, e3) with the length 1 up to the digits of a typed number; otherwise a report with `cure`.
  std::optional<Eigen::Quaterniond> unit_quaternion(std::string_view key, const Vec4& e, std::string cure);
  std::optional<Expression> expression(std::string_view key, Dependence dependence,
                                       std::optional<Dimension> context = std::nullopt);
  // kExpressionVector and kMoment; the components that a planar model does not have are zero.
  std::array<Expression, 3> expressions(std::string_view key, Dependence dependence = Dependence::kTimeAndState);
  // kCoordinates: a single value, or one per entry of `dimensions_of_coordinates`.
  std::vector<std::optional<double>> coordinates(std::string_view key,
                                                 const std::vector<Dimension>& dimensions_of_coordinates);
  // kPerDirection: a single value, or one for each of `count` directions; empty if it is absent or wrong.
  std::vector<double> per_direction(std::string_view key, std::size_t count);
  // kQuantities: any number of them; empty if it is absent or wrong.
  std::vector<double> quantities(std::string_view key);
  // The sub-block of a kBlock or kSpaceBlock row, if it is there.
  std::optional<BlockReader> block(std::string_view key);
  // The node of a row that a caller reads by itself (names, lists of names, named blocks); nullptr if it is absent.
  const YamlEntry* entry(std::string_view key);

  // A bug in the reader, not in the file: a key that the table allows was never asked for.
  void check_all_keys_were_read() const;

 private:
  const Field& field(std::string_view key, std::initializer_list<FieldKind> kinds) const;
  // Marks the key as read; nullptr if it is absent.
  const YamlNode* value(std::string_view key);
  std::optional<std::vector<double>> numbers(const YamlNode& node, const std::string& path, Dimension dimension,
                                             const std::vector<std::size_t>& allowed_counts, const Range& range);
  std::optional<Mat3> spatial_inertia(const YamlNode& node, const std::string& path, Dimension dimension);
  std::optional<Vec3> vector_of(const YamlNode& node, const std::string& path, const Field& row);
  std::vector<Vec3> points_of(const YamlNode& node, const std::string& path, const Field& row);
  bool is_list(const YamlNode& node, const std::string& path, const std::vector<std::size_t>& allowed_counts);
  std::size_t vector_size() const { return space_ == Space::kPlanar ? 2 : 3; }

  ValueReader* values_;
  Space space_;
  const YamlNode* node_;  // nullptr if the node is no block
  SourcePosition at_;
  std::string path_;
  const BlockTable* table_;
  std::size_t mistakes_before_;
  std::set<std::string, std::less<>> read_;
};

// "bodies.NAME" -> block; the list of (name, entry) of a named-blocks node. Reports a node that is no block.
std::vector<const YamlEntry*> named_entries(ValueReader& values, const YamlEntry* entry, const std::string& path);

}  // namespace freeplay::io

// Values of a block that are lists: points, grids, outlines, curves.
#include <fmt/format.h>

#include "freeplay/io/yaml/block_reader.h"

namespace freeplay::io {

std::vector<Vec3> BlockReader::points_of(const YamlNode& node, const std::string& path, const Field& row) {
  if (node.kind != YamlNode::Kind::kList) {
    values_->report(node.at, path, fmt::format("must be a list of points, but is {}", describe(node.kind)),
                    space_ == Space::kPlanar ? "write [[0 mm, 0 mm], [10 mm, 0 mm], ...]"
                                             : "write [[0 mm, 0 mm, 0 mm], [10 mm, 0 mm, 0 mm], ...]");
    return {};
  }
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto given = vector_of(node.items[i], fmt::format("{}[{}]", path, i), row);
    if (given) points.push_back(*given);
  }
  return points;
}

std::vector<Vec3> BlockReader::points(std::string_view key) {
  const Field& row = field(key, {FieldKind::kPoints});
  const YamlNode* node = value(key);
  return node == nullptr ? std::vector<Vec3>() : points_of(*node, path(key), row);
}

std::vector<std::vector<Vec3>> BlockReader::point_grid(std::string_view key) {
  const Field& row = field(key, {FieldKind::kPointGrid});
  const YamlNode* node = value(key);
  if (node == nullptr) return {};
  if (node->kind != YamlNode::Kind::kList) {
    report(key, fmt::format("must be a list of rows of points, but is {}", describe(node->kind)),
           "write [[[0 mm, 0 mm, 0 mm], ...], [[0 mm, 10 mm, 0 mm], ...], ...]");
    return {};
  }
  std::vector<std::vector<Vec3>> rows;
  for (std::size_t i = 0; i < node->items.size(); ++i)
    rows.push_back(points_of(node->items[i], fmt::format("{}[{}]", path(key), i), row));
  return rows;
}

std::vector<Vec2> BlockReader::curve(std::string_view key) {
  const Field& row = field(key, {FieldKind::kCurve});
  const YamlNode* node = value(key);
  if (node == nullptr) return {};
  const std::string unit = row.dimension.si_unit();
  const std::string example = fmt::format("write [[0 {}, 0.4], [0.1 {}, 0.3], ...]", unit, unit);
  if (node->kind != YamlNode::Kind::kList || node->items.empty()) {
    report(key, fmt::format("must be a list of pairs, but is {}", node->items.empty() ? "empty" : describe(node->kind)),
           example);
    return {};
  }
  std::vector<Vec2> pairs;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const YamlNode& item = node->items[i];
    const std::string item_path = fmt::format("{}[{}]", path(key), i);
    if (item.kind != YamlNode::Kind::kList || item.items.size() != 2) {
      values_->report(item.at, item_path, "must be a pair", example);
      continue;
    }
    const auto x = values_->number(item.items[0], item_path + "[0]", row.dimension);
    const auto y = values_->number(item.items[1], item_path + "[1]", dimensions::kNone);
    if (x && y) pairs.emplace_back(*x, *y);
  }
  return pairs.size() == node->items.size() ? pairs : std::vector<Vec2>();
}

BlockReader::Samples BlockReader::samples(std::string_view key) {
  field(key, {FieldKind::kSamples});
  const YamlNode* node = value(key);
  Samples samples;
  if (node == nullptr) return samples;
  constexpr const char* kExample = "write [[0 s, 0 N m], [1 s, 5 N m], ...]";
  if (node->kind != YamlNode::Kind::kList || node->items.empty()) {
    report(key, fmt::format("must be a list of pairs, but is {}", node->items.empty() ? "empty" : describe(node->kind)),
           kExample);
    return samples;
  }
  // The first quantity with a unit says what all of them are: a plain 0 fits every dimension.
  const auto dimension_of = [&](std::size_t column) {
    for (const YamlNode& pair : node->items) {
      if (pair.kind != YamlNode::Kind::kList || pair.items.size() != 2) continue;
      if (const auto dimension = values_->dimension_of(pair.items[column])) return *dimension;
    }
    return dimensions::kNone;
  };
  samples.x_dimension = dimension_of(0);
  samples.y_dimension = dimension_of(1);
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const YamlNode& item = node->items[i];
    const std::string item_path = fmt::format("{}[{}]", path(key), i);
    if (item.kind != YamlNode::Kind::kList || item.items.size() != 2) {
      values_->report(item.at, item_path, "must be a pair", kExample);
      continue;
    }
    const auto x = values_->number(item.items[0], item_path + "[0]", samples.x_dimension);
    const auto y = values_->number(item.items[1], item_path + "[1]", samples.y_dimension);
    if (x && y) {
      samples.x.push_back(*x);
      samples.y.push_back(*y);
    }
  }
  return samples;
}

std::vector<BlockReader::OutlinePoint> BlockReader::outline(std::string_view key) {
  const Field& row = field(key, {FieldKind::kOutline});
  const YamlNode* node = value(key);
  if (node == nullptr) return {};
  if (node->kind != YamlNode::Kind::kList) {
    report(key, fmt::format("must be a list of points, but is {}", describe(node->kind)),
           "write [[0 mm, 0 mm], {at: [10 mm, 0 mm], radius: 2 mm}, ...]");
    return {};
  }
  std::vector<OutlinePoint> points;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const YamlNode& item = node->items[i];
    const std::string item_path = fmt::format("{}[{}]", path(key), i);
    if (item.kind == YamlNode::Kind::kMap) {
      BlockReader block(*values_, space_, item, item.at, item_path, block_table("outline_point"));
      points.push_back({block.vector("at"), block.quantity("radius"), block.quantity("arc")});
    } else if (const auto given = vector_of(item, item_path, row)) {
      points.push_back({*given, 0, 0});
    }
  }
  return points;
}

}  // namespace freeplay::io

// Rotations and inertias: values with more than one way to write them.
#include <fmt/format.h>

#include <cmath>

#include "freeplay/io/yaml/block_reader.h"

namespace freeplay::io {

namespace {

constexpr double kQuaternionNormTolerance = 1e-6;  // a quaternion typed with 7 digits still counts as unit
constexpr double kInertiaTolerance = 1e-12;        // relative; round-off in `2 kg m^2` and its like

constexpr std::size_t kQuaternionSize = 4;

}  // namespace

std::optional<Eigen::Quaterniond> BlockReader::rotation(std::string_view key) {
  field(key, {FieldKind::kRotation});
  const YamlEntry* found = entry(key);
  if (found == nullptr) return std::nullopt;
  const YamlNode& node = found->value;
  if (space_ == Space::kPlanar) {
    const auto angle = values_->number(node, path(key), dimensions::kAngle);
    if (!angle) return std::nullopt;
    return Eigen::Quaterniond(std::cos(*angle / 2), 0, 0, std::sin(*angle / 2));
  }
  if (node.kind == YamlNode::Kind::kMap) {
    BlockReader block(*values_, space_, node, found->key_at, path(key), block_table("rotation"));
    const auto axis = block.direction("axis");
    const double angle = block.quantity("angle");
    if (!axis) return std::nullopt;
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, *axis));
  }
  if (node.kind == YamlNode::Kind::kList && node.items.size() == kQuaternionSize) {
    const auto e = numbers(node, path(key), dimensions::kNone, {kQuaternionSize}, {});
    if (!e) return std::nullopt;
    return unit_quaternion(key, Vec4((*e)[0], (*e)[1], (*e)[2], (*e)[3]),
                           "divide its components by that, or write {axis: [0, 0, 1], angle: 30 deg}");
  }
  report(key, "must be a quaternion of 4 numbers, or a block with an axis and an angle",
         "write [e0, e1, e2, e3] or {axis: [0, 0, 1], angle: 30 deg}");
  return std::nullopt;
}

std::optional<Eigen::Quaterniond> BlockReader::unit_quaternion(std::string_view key, const Vec4& e, std::string cure) {
  const Eigen::Quaterniond quaternion(e[0], e[1], e[2], e[3]);
  const double norm = quaternion.norm();
  if (std::abs(norm - 1) <= kQuaternionNormTolerance) return quaternion.normalized();
  report(key, fmt::format("a quaternion must have the length 1, but this one has {:.6g}", norm), std::move(cure));
  return std::nullopt;
}

Mat3 BlockReader::inertia(std::string_view key) {
  const Field& row = field(key, {FieldKind::kInertia});
  const YamlNode* node = value(key);
  if (node == nullptr) return Mat3::Zero();
  if (space_ == Space::kSpatial) return spatial_inertia(*node, path(key), row.dimension).value_or(Mat3::Zero());
  Mat3 inertia = Mat3::Zero();
  inertia(2, 2) = values_->number(*node, path(key), row.dimension, {.min = 0}).value_or(0);
  return inertia;
}

// Only what can be seen entry by entry; whether the principal moments belong to a body is checked by the caller.
std::optional<Mat3> BlockReader::spatial_inertia(const YamlNode& node, const std::string& path, Dimension dimension) {
  const bool is_matrix =
      node.kind == YamlNode::Kind::kList && node.items.size() == 3 && node.items.front().kind == YamlNode::Kind::kList;
  if (!is_matrix) {
    const auto moments = numbers(node, path, dimension, {3}, {.min = 0});
    if (!moments) return std::nullopt;
    return Mat3(Vec3((*moments)[0], (*moments)[1], (*moments)[2]).asDiagonal());
  }
  Mat3 inertia;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = numbers(node.items[i], fmt::format("{}[{}]", path, i), dimension, {3}, {});
    if (!row) return std::nullopt;
    inertia.row(static_cast<Eigen::Index>(i)) = Vec3((*row)[0], (*row)[1], (*row)[2]);
  }
  const double asymmetry = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > kInertiaTolerance * inertia.cwiseAbs().maxCoeff()) {
    values_->report(node.at, path, "the inertia matrix is not symmetric",
                    "write the same products of inertia on both sides of the diagonal");
    return std::nullopt;
  }
  return Mat3((inertia + inertia.transpose()) / 2);
}

}  // namespace freeplay::io

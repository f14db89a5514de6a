#include "freeplay/geometry/meshes/mesh_tree.h"

#include <algorithm>

namespace freeplay::geometry {

namespace {

constexpr std::size_t kLeafTriangles = 2;

}  // namespace

std::int32_t MeshTree::split(std::span<const MeshBox> boxes, std::span<std::int32_t> order, std::int32_t first) {
  const auto at = static_cast<std::int32_t>(nodes_.size());
  const auto box_of = [&](std::int32_t i) -> const MeshBox& { return boxes[static_cast<std::size_t>(i)]; };
  MeshNode node;
  MeshBox centres;  // twice the centres
  for (const std::int32_t i : order) {
    node.box.add(box_of(i));
    centres.add(Vec3(box_of(i).low + box_of(i).high));
  }
  node.first = first;
  node.count = static_cast<std::int32_t>(order.size());
  nodes_.push_back(node);
  if (order.size() <= kLeafTriangles) return at;
  int axis = 0;
  (centres.high - centres.low).maxCoeff(&axis);
  const std::size_t half = order.size() / 2;
  const auto before = [&](std::int32_t i, std::int32_t j) {
    const double x = box_of(i).low[axis] + box_of(i).high[axis], y = box_of(j).low[axis] + box_of(j).high[axis];
    return x != y ? x < y : i < j;  // a total order: the tree depends on the triangles alone
  };
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end(), before);
  split(boxes, order.first(half), first);
  const std::int32_t right = split(boxes, order.subspan(half), first + static_cast<std::int32_t>(half));
  nodes_[static_cast<std::size_t>(at)].right = right;
  return at;
}

void MeshTree::build(std::span<const MeshBox> boxes, std::vector<std::int32_t>& order) {
  order.resize(boxes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
  nodes_.clear();
  if (!order.empty()) split(boxes, order, 0);
}

}  // namespace freeplay::geometry

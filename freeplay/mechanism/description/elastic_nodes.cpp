#include "freeplay/mechanism/description/elastic_nodes.h"

#include <algorithm>
#include <cmath>

namespace freeplay::mechanism {

double ElasticNodes::size_m() const {
  if (nodes.empty()) return 0;
  Vec3 lower = nodes.front().at_m, upper = lower;
  for (const ElasticNode& node : nodes) {
    lower = lower.cwiseMin(node.at_m);
    upper = upper.cwiseMax(node.at_m);
  }
  return (upper - lower).norm();
}

bool ElasticNodes::is_on_a_line() const {
  constexpr double kOnALine = 1e-9;  // of the size: nodes this near to a line are on it
  if (nodes.empty()) return false;
  const Vec3 first = nodes.front().at_m;
  const double tolerance = kOnALine * size_m();
  return std::all_of(nodes.begin(), nodes.end(), [&](const ElasticNode& node) {
    return std::hypot(node.at_m.y() - first.y(), node.at_m.z() - first.z()) <= tolerance;
  });
}

const ElasticNode* ElasticNodes::find(std::string_view name) const {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const ElasticNode& node) { return node.name == name; });
  return found == nodes.end() ? nullptr : &*found;
}

}  // namespace freeplay::mechanism

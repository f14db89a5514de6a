#include "freeplay/mechanism/dynamics/force_couplings.h"

#include <algorithm>
#include <set>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

std::optional<std::vector<std::pair<int, int>>> force_couplings(const System& system) {
  const auto* mechanism = dynamic_cast<const Mechanism*>(&system);
  if (mechanism == nullptr || !mechanism->expression_variables.empty()) return std::nullopt;
  const MassStructure& structure = mechanism->mass_structure();
  std::vector<int> tree_of_node;  // -1: fixed to the ground
  for (const Mechanism::Node& node : mechanism->nodes) {
    const bool moves = node.joint_velocities() > 0 || node.elastic >= 0;
    const int above = tree_of_node.empty() ? -1 : tree_of_node[static_cast<std::size_t>(node.parent)];
    tree_of_node.push_back(moves ? structure.block_of[static_cast<std::size_t>(node.u)] : above);
  }
  std::set<std::pair<int, int>> pairs;
  const auto couple = [&](MarkerIndex a, MarkerIndex b) {
    const auto tree_of = [&](MarkerIndex marker) {
      return tree_of_node[static_cast<std::size_t>(mechanism->node_of(mechanism->marker(marker)))];
    };
    const int first = tree_of(a), second = tree_of(b);
    if (first >= 0 && second >= 0 && first != second) pairs.insert(std::minmax(first, second));
  };
  const auto couple_bodies_of = [&](int joint) {
    const Mechanism::Joint& of = mechanism->joints[static_cast<std::size_t>(joint)];
    couple(of.parent_marker, of.child_marker);
  };
  for (const Mechanism::Spring& spring : mechanism->springs) couple(spring.parent, spring.child);
  for (const Mechanism::TorsionalSpring& spring : mechanism->torsional_springs) couple_bodies_of(spring.joint);
  for (const Mechanism::Bushing& bushing : mechanism->bushings) couple_bodies_of(bushing.joint);
  for (const Mechanism::Driver& driver : mechanism->drivers) couple_bodies_of(driver.joint);
  for (const Mechanism::Coupling& coupling : mechanism->couplings) {
    std::vector<MarkerIndex> ends = coupling.moved;
    if (coupling.mesh) ends.insert(ends.end(), {coupling.mesh->first, coupling.mesh->second, coupling.mesh->reference});
    for (const MarkerIndex a : ends) {
      for (const MarkerIndex b : ends) couple(a, b);
    }
  }
  return std::vector<std::pair<int, int>>(pairs.begin(), pairs.end());
}

}  // namespace freeplay::mechanism

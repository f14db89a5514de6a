#include "freeplay/mechanism/trees/tied_trees.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

namespace freeplay::mechanism {

std::vector<int> tied_trees(const System& system) {
  const MassStructure& structure = system.mass_structure();
  std::vector<int> first(structure.blocks.size());
  std::iota(first.begin(), first.end(), 0);
  if (system.row_count() == 0) return first;

  const auto root_of = [&](int tree) {
    while (first[static_cast<std::size_t>(tree)] != tree) tree = first[static_cast<std::size_t>(tree)];
    return tree;
  };
  const auto block_of = [&](int u) {
    return static_cast<std::size_t>(structure.block_of[static_cast<std::size_t>(u)]);
  };
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  const State state = system.initial_state();
  dynamics->set_position(state.t, state.q);
  std::vector<double> values(static_cast<std::size_t>(system.velocity_count()));
  std::array<RowPart, 2> parts;
  for (int row = 0; row < system.row_count(); ++row) {
    dynamics->row_parts(row, parts, values.data());
    int root = -1;
    for (const RowPart& part : parts)
      for (int u = part.first; u < part.first + part.size; u += structure.blocks[block_of(u)].size) {
        const int other = root_of(static_cast<int>(block_of(u)));
        if (root < 0) root = other;
        first[static_cast<std::size_t>(std::max(root, other))] = std::min(root, other);
        root = std::min(root, other);
      }
  }
  // A root comes before all that are tied to it.
  for (int& tree : first) tree = first[static_cast<std::size_t>(tree)];
  return first;
}

}  // namespace freeplay::mechanism

#include "freeplay/compile/recording/pushed_velocities.h"

#include "freeplay/contact/problem/row_store.h"
#include "freeplay/mechanism/trees/tied_trees.h"

namespace freeplay::compile {

std::vector<std::uint64_t> pushed_velocities(const Model& model) {
  const System& system = *model.system;
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  const std::unique_ptr<ContactKinematics> kinematics = model.contacts->make_kinematics(*dynamics);
  const State start = system.initial_state();
  dynamics->set_position(start.t, start.q);
  dynamics->set_velocity(start.u);
  kinematics->take_all_points();
  VecX gaps(kinematics->set().size());
  kinematics->update_gaps(gaps);
  const std::vector<int>& tree_of = system.mass_structure().block_of;
  const std::vector<int> tied = tied_trees(system);
  const auto first_tree = [&](int velocity) {
    return tied[static_cast<std::size_t>(tree_of[static_cast<std::size_t>(velocity)])];
  };
  std::vector<std::uint64_t> pushed;
  RowStore rows(system.mass_structure());
  for (int point = 0; point < kinematics->set().size(); ++point) {
    pushed.push_back(0);
    if (!kinematics->set()[point].has_normal) continue;
    rows.clear();
    kinematics->add_rows(point, rows);
    for (const RowPart& part : rows.parts(0)) {
      for (int u = 0; part.size > 0 && u < system.velocity_count(); ++u) {
        if (first_tree(u) == first_tree(part.first)) pushed.back() |= std::uint64_t{1} << u;
      }
    }
  }
  return pushed;
}

}  // namespace freeplay::compile

#include "freeplay/report/vtk/vtk_chains.h"

#include "freeplay/report/rows/force_list.h"

namespace freeplay::report {

VtkGrid chain_grid(double time_s, std::span<const ContactForce> forces,
                   const std::function<std::optional<Vec3>(int body)>& centre_of) {
  VtkGrid grid;
  grid.time_s = time_s;
  grid.cell_data = {{"force", 1, false, {}}, {"force_on_first", 3, false, {}}};
  for (const ContactForce& force : forces) {
    const Vec3 place(force.x_m, force.y_m, force.z_m);
    for (const int body : {force.first, force.second}) {
      const std::optional<Vec3> centre = centre_of(body);
      if (!centre) continue;
      grid.mesh.add_cell(CellType::kLine, {grid.mesh.add_point(*centre), grid.mesh.add_point(place)});
      grid.cell_data[0].values.push_back(size_of(force));
      for (const float part : {force.fx_N, force.fy_N, force.fz_N}) grid.cell_data[1].values.push_back(part);
    }
  }
  return grid;
}

}  // namespace freeplay::report

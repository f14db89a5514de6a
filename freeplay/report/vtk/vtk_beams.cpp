#include "freeplay/report/vtk/vtk_beams.h"

#include <algorithm>
#include <cmath>

namespace freeplay::report {

namespace {

enum BeamArray : std::size_t { kDisplacement, kMoment, kMomentXz, kAxialForce, kTorque, kStress };

// Of a section, in its y and z axes.
std::vector<Vec3> section_corners(const BentBeam& beam, bool is_planar) {
  if (!beam.is_axis()) return {Vec3::Zero()};
  const double h = 0.5 * beam.height_m(), w = 0.5 * beam.width_m();
  if (is_planar) return {{0, -h, 0}, {0, h, 0}};
  return {{0, -h, -w}, {0, h, -w}, {0, h, w}, {0, -h, w}};
}

}  // namespace

BeamGrid::BeamGrid(double time_s, bool is_planar, double magnification)
    : is_planar_(is_planar), magnification_(magnification) {
  grid_.time_s = time_s;
  grid_.fields = {{"deformation_magnification", magnification}};
  grid_.point_data = {{"displacement", 3, false, {}}, {"moment", 1, false, {}}, {"moment_xz", 1, false, {}},
                      {"axial_force", 1, false, {}},  {"torque", 1, false, {}}, {"stress", 1, false, {}}};
  grid_.cell_data = {{"body", 1, true, {}}};
}

void BeamGrid::add_loads(const BentBeam::Loads& loads, double section_modulus) {
  grid_.point_data[kMoment].values.push_back(loads.moment);
  grid_.point_data[kMomentXz].values.push_back(loads.moment_xz);
  grid_.point_data[kAxialForce].values.push_back(loads.axial_force);
  grid_.point_data[kTorque].values.push_back(loads.torque);
  grid_.point_data[kStress].values.push_back(section_modulus > 0 ? loads.moment / section_modulus : 0);
}

// False, and nothing added, where a number is not finite. The displacement is the true one, against the straight beam.
bool BeamGrid::add_points(const BentBeam& beam, const Frame& pose, const std::vector<double>& modal) {
  const std::vector<Frame> real = beam.sections(modal), drawn = beam.sections(modal, magnification_);
  const std::vector<Vec3> corners = section_corners(beam, is_planar_);
  std::vector<Vec3> points, displacements;
  std::vector<BentBeam::Loads> loads;
  bool is_finite = true;
  for (std::size_t i = 0; i < real.size(); ++i) {
    const double s = beam.nodes()[i];
    loads.push_back(beam.loads(s, modal));
    const BentBeam::Loads& at = loads.back();
    is_finite = is_finite && std::isfinite(at.moment + at.moment_xz + at.axial_force + at.torque);
    for (const Vec3& corner : corners) {
      points.push_back(pose.point(drawn[i].point(corner)));
      displacements.emplace_back(pose.R * (real[i].point(corner) - beam.rest(s) - corner));
      is_finite = is_finite && points.back().allFinite() && displacements.back().allFinite();
    }
  }
  if (!is_finite) return false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    grid_.mesh.add_point(points[i]);
    for (int k = 0; k < 3; ++k) grid_.point_data[kDisplacement].values.push_back(displacements[i][k]);
    add_loads(loads[i / corners.size()], beam.section_modulus_m3());
  }
  return true;
}

void BeamGrid::add(const DrawnBeam& beam, int body, const Frame& pose, const std::vector<double>& modal) {
  const auto first = static_cast<std::int64_t>(grid_.mesh.points.size());
  if (!add_points(beam.beam, pose, modal)) return;
  if (!beam.beam.is_axis()) {
    for (auto i = first; i < static_cast<std::int64_t>(grid_.mesh.points.size()); ++i) {
      grid_.mesh.add_cell(CellType::kVertex, {i});
      grid_.cell_data[0].values.push_back(body);
    }
    return;
  }
  const std::int64_t c = is_planar_ ? 2 : 4;
  const auto pieces = static_cast<std::int64_t>(beam.beam.nodes().size()) - 1;
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int64_t a = first + c * i, b = a + c;  // the sections at both ends of the piece
    if (is_planar_)
      grid_.mesh.add_cell(CellType::kQuad, {a, b, b + 1, a + 1});
    else
      grid_.mesh.add_cell(CellType::kHexahedron, {a, a + 1, a + 2, a + 3, b, b + 1, b + 2, b + 3});
    grid_.cell_data[0].values.push_back(body);
  }
}

}  // namespace freeplay::report

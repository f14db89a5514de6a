// Elastic bodies in VTK's files: the bent beam as cells, with displacements and loads at its points. Internal to
// freeplay/report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/report/draw/bent_beam.h"
#include "freeplay/report/vtk/vtk_file.h"

namespace freeplay::report {

// Cells of several beams in one grid.
class BeamGrid {
 public:
  BeamGrid(double time_s, bool is_planar, double magnification);

  // `pose`: of the floating frame. What is not finite is left out. In the plane quads of the beam's height, in space
  // hexahedra of its height and width; vertices where there is no axis.
  void add(const DrawnBeam& beam, int body, const Frame& pose, const std::vector<double>& modal);

  const VtkGrid& grid() const { return grid_; }

 private:
  bool add_points(const BentBeam& beam, const Frame& pose, const std::vector<double>& modal);
  void add_loads(const BentBeam::Loads& loads, double section_modulus);

  VtkGrid grid_;
  bool is_planar_;
  double magnification_;
};

}  // namespace freeplay::report

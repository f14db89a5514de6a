// Elastic bodies that bend farther than a floating frame may describe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::simulation {

class DeflectionWatch {
 public:
  // Has nothing to look at where the system has no elastic bodies.
  explicit DeflectionWatch(const System& system);

  struct Finding {
    std::string body;
    double deflection_m = 0, size_m = 0;
  };
  // The first body that is displaced in its frame by more than a tenth of its size, and by how much. Allocates nothing
  // while there is none.
  std::optional<Finding> look(const State& state) const;
  bool has_bodies() const { return !bodies_.empty(); }

 private:
  struct Watched {
    std::string name;
    int q = 0, count = 0;
    double size_m = 0;
    std::vector<double> largest;  // per mode: of the displacements of all points
    std::vector<MatX> points;     // 3 x modes: displacements of where its mass is
  };
  std::vector<Watched> bodies_;
};

}  // namespace freeplay::simulation

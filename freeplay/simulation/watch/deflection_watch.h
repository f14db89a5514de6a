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

// Shapes that hold an end of a beam which nothing else holds, in words.
std::vector<std::string> warnings_on_held_ends(const System& system);
// Ends to which another elastic body is fixed, and whose shapes carry no moment there.
std::vector<std::string> warnings_on_momentless_ends(const System& system);
// Beams that cannot bend, since joints hold their ends apart and they cannot stretch.
std::vector<std::string> warnings_on_locked_beams(const System& system);

}  // namespace freeplay::simulation

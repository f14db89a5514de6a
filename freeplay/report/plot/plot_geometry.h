// The joints of a model, as the geometry of its result describes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

struct PlotJoint {
  std::string name, type, model;  // model "ideal", "bushing", "clearance"
  std::optional<double> clearance_m;
};
struct PlotGeometry {
  std::string space;  // "planar", "spatial"; "" of a system given as code
  std::vector<PlotJoint> joints;
};

// Whether the play of such a joint is round, so that an orbit shows it; along a guide or a slot there is no bound.
bool has_round_play(std::string_view joint_type);

// Nothing of a result that has no geometry. Throws IoError if it is not as freeplay writes it.
PlotGeometry plot_geometry(const ResultReader& result);

}  // namespace freeplay::report

// Panels of a study that are more than curves: bifurcation diagrams, sections, maps over two parameters.
#pragma once

#include <optional>
#include <string>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::study {

inline constexpr std::size_t kMostCurvesOfStudy = 8;  // more cannot be told apart

// A point of the section above the parameter x, for all runs: dots where they are few, otherwise cells whose colour
// says how many there are. `name` is a column of the section.
PlotPanel diagram_panel(const SweepTable& table, std::size_t x, const std::string& name);

// One column of the section over another.
PlotPanel section_panel(const SweepTable& table, const std::string& x, const std::string& y);

// A measure over a grid of two parameters that are numbers; nothing if the study is no such grid, or if the second
// parameter has so few values that they make curves.
std::optional<PlotPanel> heat_map_panel(const SweepTable& table, std::size_t x, std::size_t measure);

// To which attractor the runs have settled, over a grid of two parameters. Throws PlotError if it is none.
PlotPanel basin_panel(const SweepTable& table, std::size_t x);

}  // namespace freeplay::study

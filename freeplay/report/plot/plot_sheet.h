// Which panels tell most about a result on one page.
#pragma once

#include <string>
#include <vector>

#include "freeplay/report/panels/plot_panels.h"

namespace freeplay::report {

// What the choice is made from.
struct ChannelActivity {
  std::string name, unit;
  double range = 0;  // highest - lowest value, of a sample of rows
};
struct SheetFacts {
  std::vector<ChannelActivity> channels;
  std::vector<std::string> journals;  // joints with round play
  std::vector<std::string> touching;  // elements with gaps, without the journals
  bool has_impacts = false, has_forces = false;
};
struct SheetPlan {
  std::vector<std::string> angular, linear;  // velocities worth a curve
  std::string journal;                       // an orbit of this joint, if not empty
  std::string gaps;                          // gaps of this element, if not empty
  bool has_forces = false, has_modes = false, has_impacts = false, has_energy = false, has_drift = false,
       has_steps = false;
};
SheetPlan plan_sheet(const SheetFacts& facts);

// Whether a panel of gaps shows more than rounding and straight lines. Of rigid bodies gaps that never get wider than
// `sunk_in_m` say only how far they sink into each other, which stands below the title; under force laws it is 0.
bool tells_of_gaps(const PlotPanel& panel, double sunk_in_m);
// Whether any force of the panel is more than rounding beside the largest one of the run.
bool tells_of_forces(const PlotPanel& panel, double peak_N);

PlotFigure make_sheet(const PlotPanels& panels);

// "moreau-midpoint, lemke; 13 784 steps; 2 752 impacts; ..."
std::string summary_line(const ResultReader& result);

}  // namespace freeplay::report

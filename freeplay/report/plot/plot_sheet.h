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

PlotFigure make_sheet(const PlotPanels& panels);

// "moreau-midpoint, lemke; 13 784 steps; 2 752 impacts; ..."
std::string summary_line(const ResultReader& result);

}  // namespace freeplay::report

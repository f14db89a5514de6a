// What `freeplay plot` is asked for, and the figure that answers it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "freeplay/report/plot/plot_figure.h"
#include "freeplay/report/plot/plot_run.h"

namespace freeplay::report {

struct PlotRequest {
  std::vector<std::string> channels;                        // PlotQuantity::parse
  std::vector<std::pair<std::string, std::string>> phases;  // the same, x and y
  std::vector<std::pair<std::string, std::string>> densities, sections;
  std::string period;                                        // of sections: a time, or an expression of parameters
  std::vector<std::string> spectra;                          // PlotQuantity::parse
  std::vector<std::string> orbits, gaps, wear, bearings;     // names of joints or contacts
  std::vector<std::string> bends, snapshots;                 // names of elastic bodies
  double deformation = 1;                                    // of snapshots: how many times as large
  int moments = 6;                                           // of bends and snapshots
  std::optional<std::string> modes, impacts, blows, forces;  // of this joint or contact; "": of all
  bool energy = false, steps = false, sheet = false;
  std::string against;                 // x of the histories; "": time
  std::optional<double> from_s, to_s;  // default: all rows
  bool log_x = false, log_y = false;
  enum class Panels : std::uint8_t { kPerUnit, kPerChannel, kPerRun };
  Panels panels = Panels::kPerUnit;
  std::optional<std::string> title;  // default: the name of the model
  bool asks_for_nothing() const;
};

// Throws PlotError or UnknownChannel for what the results do not hold.
PlotFigure make_figure(const PlotRequest& request, std::vector<PlotRun> runs);

}  // namespace freeplay::report

// The spectrum of a channel against a parameter of a study. A study keeps measures and no histories, so its runs are
// made once more, recording this channel alone.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/report/plot/plot_figure.h"

namespace freeplay::study {

struct WaterfallRequest {
  std::string channel;
  std::string against;                         // a parameter; empty: the one with most values
  std::optional<double> from_s, to_s;          // of the rows that count
  std::optional<std::filesystem::path> model;  // as in plan_of_study()
  int workers = 0;                             // 0: one per core
};

struct Waterfall {
  SweepColumn parameter;
  std::string channel, unit;
  std::string slice;               // where the study varies more than this parameter: values of the others
  std::vector<std::int64_t> runs;  // by increasing value of the parameter
  std::vector<double> values;      // of the parameter
  double band_Hz = 0;              // the k-th band has its middle at k + 1 times this, and is as wide
  std::size_t bands = 0;
  std::vector<std::vector<double>> levels;  // per run, per band: its largest line
  double largest = 0;
  double window_s = 0;       // of the shortest run
  std::size_t left_out = 0;  // runs that failed, or are too short for a spectrum
};

// Lines as amplitude_spectrum() has them. Where the study varies other parameters as well, the runs count that have
// the values of the first run there. Throws PlotError for names that are not there and if no run has a spectrum, and
// what StudyMembers throws. After a stop it throws PlotError, too.
Waterfall make_waterfall(const SweepTable& table, const WaterfallRequest& request,
                         const std::atomic<bool>* stop_requested = nullptr);

// Frequencies above the parameter; colours by powers of ten, down to a thousandth of the largest level.
inline constexpr double kWaterfallDecades = 3;
PlotFigure waterfall_figure(const SweepTable& table, const std::vector<Waterfall>& waterfalls, bool log_x,
                            const std::string& title);

}  // namespace freeplay::study

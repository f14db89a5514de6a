// Measured histories for `freeplay fit`, from a CSV file: a column `time`, and columns that are channels of the model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::study {

struct FitSeries {
  std::string channel, unit;  // SI
  std::vector<double> time_s, values;
};

struct FitData {
  std::vector<FitSeries> series;
  std::vector<double> times_s;  // all of the file, ascending

  double end_s() const { return times_s.back(); }
  // How long the steps of a run must be whose rows are to meet all times, if these lie on a grid that begins at 0;
  // otherwise 0.
  double grid_s() const;
};

// `known`: all channels of the model. `wanted`: which of them to take; none: every column but the time. Units stand in
// the head, `slider.x [mm]`; without one a column is in SI units. A value that is not a number was not measured. Throws
// ModelError with file and line for what is wrong, IoError if the file cannot be read.
FitData read_fit_data(const std::filesystem::path& path, const std::vector<ChannelInfo>& known,
                      const std::vector<std::string>& wanted);

}  // namespace freeplay::study

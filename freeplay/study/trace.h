// What a study remembers of a run: the columns that it asked for, the impacts, how it ended.
#pragma once

#include <string>
#include <vector>

#include "freeplay/integrators/integrator_traits.h"
#include "freeplay/simulation/recording/recorder.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::study {

struct Trace {
  std::vector<ChannelInfo> channels;
  std::vector<double> time;
  std::vector<std::vector<double>> columns;  // one per channel

  const std::vector<double>* find(const std::string& channel) const {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].name == channel) return &columns[i];
    }
    return nullptr;
  }
};

// Linear between rows, the first or last value outside of them. Requires at least one row.
double value_at(const std::vector<double>& time, const std::vector<double>& values, double t);

struct StudyRun {
  enum class End { kNotStarted, kRefused, kFailed, kInterrupted, kCompleted };

  std::string label, folder;
  std::vector<std::string> overrides;
  End end = End::kNotStarted;
  std::string reason, hint;  // why it was refused or failed
  SimulationOptions options;
  IntegratorTraits traits;                  // of the integrator
  bool has_friction = false;                // any contact point has
  std::vector<std::string> other_settings;  // overrides of anything else than `simulate`
  RunSummary summary;
  Trace trace;
  std::vector<std::string> contacts;  // names of contact points, and their channels (empty: it has none)
  std::vector<std::string> force_channels, gap_channels;
  std::vector<ImpactRecord> impacts;  // by time
  std::vector<std::string> warnings;
  double solver_iterations = 0;  // of all recorded rows
  bool has_every_row = true;     // otherwise the sum above is no sum over the run

  bool has_data() const { return !trace.time.empty(); }
  // Of a rule with fixed steps its step, otherwise the mean of those taken.
  double typical_step_s() const;
};

}  // namespace freeplay::study

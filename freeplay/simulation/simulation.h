// The run loop: drives an integrator from the initial state to the end, keeps the energy ledger, feeds a sink.
#pragma once

#include "freeplay/core/run_context.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/recorder.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay {

// Every channel that a run of this system can record: its own, energy.*, step.*.
std::vector<ChannelInfo> available_channels(const System& system);

class Simulation {
 public:
  // Throws ModelError for an unknown integrator or channel and for values out of range.
  Simulation(const System& system, const SimulationOptions& options, const RecordOptions& record = {});

  // `layout` brings attributes, contacts and geometry; the channels are filled in here. Never throws for numerical
  // reasons: the summary says how the run ended, and `sink.end` is called. What a sink throws (a full disk) passes
  // through; the sink itself keeps its file whole.
  RunSummary run(RecordSink& sink, const RunContext& context, RecordLayout layout = {});

  // Where the run has got to; after a failure the last state that was accepted.
  const State& state() const { return state_; }

 private:
  enum class Source : std::uint8_t { kSystem, kEnergy, kStep };
  struct Column {
    Source source = Source::kSystem;
    int index = 0;
  };

  void choose_channels(const RecordOptions& record);
  double limit_of_step(std::int64_t grid_index) const;
  void book(const StepReport& report, RunSummary& summary);
  [[nodiscard]] StepStatus record_row(const StepReport& report, RecordSink& sink, RunSummary& summary);
  void read_energy();

  const System& system_;
  SimulationOptions options_;
  int every_ = 1;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<Integrator> integrator_;
  State state_;

  std::vector<ChannelInfo> channels_;
  std::vector<Column> columns_;
  std::vector<int> system_channels_;  // in the order of the columns with Source::kSystem
  std::vector<double> system_values_, values_;
  bool needs_accelerations_ = false;

  double end_time_ = 0;
  double initial_energy_ = 0;
  std::vector<double> energy_;  // kinetic, potential, total, losses, input, drift: order of kEnergyChannels
};

}  // namespace freeplay

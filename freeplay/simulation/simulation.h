// The run loop: drives an integrator from the initial state to the end, keeps the energy ledger, feeds a sink.
#pragma once

#include <functional>

#include "freeplay/core/run_context.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/contact_recorder.h"
#include "freeplay/simulation/recorder.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

// Every channel that a run of this system can record: its own, those of its contacts, energy.*, step.*.
std::vector<ChannelInfo> available_channels(const System& system, const ContactModel& contacts = no_contacts(),
                                            const std::string& integrator = "");

// The contact problem of a step as its solver saw it. A view: valid during the call only.
struct StepProblem {
  const LocalProblem& problem;
  const StepReport& report;
  std::int64_t step = 0;  // counts from 1
  double start_s = 0;     // when the step began
};
using ProblemObserver = std::function<void(const StepProblem&)>;

class Simulation {
 public:
  // Throws ModelError for an unknown integrator, solver or channel and for values out of range. System and contacts
  // must outlive the run.
  Simulation(const System& system, const SimulationOptions& options, const RecordOptions& record = {});
  Simulation(const System& system, const ContactModel& contacts, const SimulationOptions& options,
             const RecordOptions& record = {});

  // `layout` brings attributes and geometry; the channels and contacts are filled in here. Never throws for numerical
  // reasons: the summary says how the run ended, and `sink.end` is called. What a sink throws (a full disk) passes
  // through; the sink itself keeps its file whole.
  RunSummary run(RecordSink& sink, const RunContext& context, RecordLayout layout = {});

  // Called after each step of run() that had a contact problem, failed ones included. What it throws ends the run.
  void observe_contact_problems(ProblemObserver observer) { problem_observer_ = std::move(observer); }

  // Where the run has got to; after a failure the last state that was accepted.
  const State& state() const { return state_; }

 private:
  enum class Source : std::uint8_t { kSystem, kReaction, kContact, kEnergy, kStep };
  struct Column {
    Source source = Source::kSystem;
    int index = 0;
  };

  void choose_channels(const RecordOptions& record);
  void add_motion(const std::vector<ChannelInfo>& available, const std::vector<std::string>& wanted);
  Column column_of(std::size_t channel);
  double limit_of_step(std::int64_t grid_index) const;
  void show_contact_problem(const StepReport& report, std::int64_t step, double start_s) const;
  void book(const StepReport& report, RunSummary& summary);
  void book_energy(const State& state, RunSummary& summary);
  void record_row(const State& state, const StepReport& report, RecordSink& sink, RunSummary& summary);
  void read_energy(const State& state);
  void set_dynamics(const State& state, const VecX& q);
  void take_counts(RunSummary& summary) const;
  void warn_of_energy(const RunSummary& summary, const RunContext& context) const;

  const System& system_;
  const ContactModel& contacts_;
  SimulationOptions options_;
  int every_ = 1;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<Integrator> integrator_;
  ProblemObserver problem_observer_;
  ContactRecorder contact_recorder_;
  State state_;
  StepRecord record_;

  std::vector<ChannelInfo> channels_;
  std::size_t motion_channels_ = 0, contact_channels_ = 0;
  std::vector<Column> columns_;
  // Channels of the system in the order of the columns with Source::kSystem and Source::kReaction.
  std::vector<int> system_channels_, reaction_channels_;
  std::vector<double> system_values_, reaction_values_, values_;

  double end_time_ = 0;
  double initial_energy_ = 0, largest_kinetic_J_ = 0;
  std::vector<double> energy_;  // kinetic, potential, total, losses, input, drift: order of kEnergyChannels
};

}  // namespace freeplay::simulation

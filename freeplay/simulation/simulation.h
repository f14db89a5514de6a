// The run loop: drives an integrator from a state to the end, and feeds a sink. Rows, energies and words are the
// business of RowRecorder, EnergyLedger and Advice.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "freeplay/core/run_context.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/advice.h"
#include "freeplay/simulation/checkpoint.h"
#include "freeplay/simulation/energy_ledger.h"
#include "freeplay/simulation/measures.h"
#include "freeplay/simulation/recording/contact_recorder.h"
#include "freeplay/simulation/recording/recorder.h"
#include "freeplay/simulation/recording/row_recorder.h"
#include "freeplay/simulation/simulation_options.h"
#include "freeplay/simulation/step_limits.h"
#include "freeplay/simulation/watch/explosion_watch.h"
#include "freeplay/simulation/watch/passed_parts.h"
#include "freeplay/simulation/watch/step_stability.h"

namespace freeplay::simulation {

// The contact problem of a step as its solver saw it. A view: valid during the call only.
struct StepProblem {
  const LocalProblem& problem;
  const StepReport& report;
  std::int64_t step = 0;  // counts from 1
  double start_s = 0;     // when the step began
};
using ProblemObserver = std::function<void(const StepProblem&)>;
using CheckpointObserver = std::function<void(const Checkpoint&)>;

class Simulation {
 public:
  // Throws ModelError for an unknown integrator, solver or channel and for values out of range. System and contacts
  // must outlive the run.
  Simulation(const System& system, const SimulationOptions& options, const RecordOptions& record = {});
  Simulation(const System& system, const ContactModel& contacts, const SimulationOptions& options,
             const RecordOptions& record = {});
  Simulation(const Simulation&) = delete;  // its parts refer to one another
  Simulation& operator=(const Simulation&) = delete;

  // `layout` brings attributes and geometry; the channels and contacts are filled in here. Never throws for numerical
  // reasons: the summary says how the run ended, and `sink.end` is called. What a sink throws (a full disk) passes
  // through; the sink itself keeps its file whole.
  RunSummary run(RecordSink& sink, const RunContext& context, RecordLayout layout = {});
  // The same from another state than the system's initial one: a time, a position and a velocity. The end stays where
  // it is, at t = duration.
  RunSummary run(const State& start, RecordSink& sink, const RunContext& context, RecordLayout layout = {});
  // Goes on where another run of the same model and options has left off (a longer duration is allowed), with its
  // counts and sums: the sink gets the rows that follow, and the summary is that of the whole run. Throws ModelError if
  // the checkpoint is that of another model or integrator.
  RunSummary resume(const Checkpoint& checkpoint, RecordSink& sink, const RunContext& context,
                    RecordLayout layout = {});

  // A run step by step, to look at the state in between: open(), advance() while it is true, close(). run() does the
  // same. The sink must live until close().
  void open(const State& start, RecordSink& sink, const RunContext& context, RecordLayout layout = {});
  void open(RecordSink& sink, const RunContext& context, RecordLayout layout = {});
  // One step; false if there was none to take: at the end, after a failed step, where a stop is requested.
  [[nodiscard]] bool advance();
  RunSummary close();

  // What the summary tells of the rows of the next run; `record` must name the channels that they need. A run that goes
  // on from a checkpoint tells of the rows before it as well, if they had the same measures; otherwise it has none,
  // with a warning.
  void measure(Measures measures) { measures_ = std::move(measures); }
  // Called after each step of a run that had a contact problem, failed ones included. What it throws ends the run.
  void observe_contact_problems(ProblemObserver observer) { problem_observer_ = std::move(observer); }
  // Called after every n-th step, when its row has been written. For a method with a past (cvode-*) saving is a new
  // start: a run that is observed takes other steps than one that is not.
  // `is_due`, if given, is asked before: a checkpoint of a long run takes time.
  void observe_checkpoints(std::int64_t every_steps, CheckpointObserver observer, std::function<bool()> is_due = {});

  // Where the run has got to; after a failure the last state that was accepted.
  const State& state() const { return state_; }

 private:
  using Clock = std::chrono::steady_clock;

  // The same context, whose warnings are also kept for the summary.
  RunContext listening(const RunContext& context);
  void begin(RecordSink& sink, const RunContext& context, RecordLayout layout);
  void start_at(const State& start, const RunContext& context);
  [[nodiscard]] StepStatus part_overlaps(const RunContext& context);
  void start_from(const Checkpoint& checkpoint);
  void take_step(bool is_row, RecordSink& sink);
  void step_without_passage(StepLimit& limit, StepRecord* record);
  void look_at_stability(double step_s, const RunContext& context);
  void look_at_explosion(bool is_booked);
  std::string failure_details();
  void finish_step(bool is_row, RecordSink& sink, const RunContext& context);
  RunSummary finish(RecordSink& sink, const RunContext& context);

  double end_of_grid_step() const;
  void pass_limit(const StepLimit& limit);
  void book(const StepReport& report);
  void record_events(RecordSink& sink) const;
  void record_first_row(RecordSink& sink);
  void record_row(const State& state, const StepReport& report, RecordSink& sink);
  void show_contact_problem(double start_s) const;
  void take_counts();
  Checkpoint save();

  const System& system_;
  const ContactModel& contacts_;
  const SimulationOptions options_;
  const ForceWindow window_;
  int every_ = 1;
  int contact_forces_ = 0;       // RecordOptions
  bool names_channels_ = false;  // `record` lists some
  double end_time_ = 0;
  StepLimits limits_;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<Integrator> integrator_;
  ContactRecorder contact_recorder_;
  RowRecorder rows_;
  EnergyLedger ledger_;
  std::unique_ptr<PassedParts> passed_parts_;  // under laws of impact
  StepStability stability_;
  DeflectionWatch deflections_;
  Advice advice_;
  Measures measures_;
  bool has_measures_ = true;  // of all rows
  ProblemObserver problem_observer_;
  CheckpointObserver checkpoint_observer_;
  std::function<bool()> checkpoint_is_due_;
  std::int64_t checkpoint_every_ = 1;
  std::optional<MeasuringSink> sink_;  // of the run that is open, and its context
  RunContext context_;
  std::vector<double> no_channel_memory_;  // what Dynamics remembers for its channels before a run

  // The run so far.
  State state_;
  StepReport report_;
  StepRecord record_;
  RunSummary summary_;
  std::vector<std::string> warnings_;
  State before_;                 // where the last step began, if parts may pass each other
  bool is_divided_ = false;      // the last step was cut short, so that they do not
  bool is_handed_over_ = false;  // the last step was one of time stepping, by an integrator of another kind
  bool has_started_ = false;     // there is something to go on from
  std::int64_t grid_index_ = 1;  // the next step ends at this multiple of `step`
  // Reactions that are means over steps: those of row 0 are the first step's, so that the row has to wait for it.
  bool first_row_waits_ = false;
  State first_state_;
  StepReport first_report_;
  Clock::time_point begin_, next_progress_;
  double earlier_seconds_ = 0;                      // wall time of the run that this one goes on from
  std::optional<StepStability::Finding> too_long_;  // what the step was told to be too long for
  ExplosionWatch explosion_;
};

}  // namespace freeplay::simulation

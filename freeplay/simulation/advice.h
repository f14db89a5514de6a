// Everything that a run says in words: warnings before, during and after it, and why it failed.
#pragma once

#include <string>

#include "freeplay/core/run_context.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/energy_ledger.h"
#include "freeplay/simulation/recording/contact_recorder.h"
#include "freeplay/simulation/recording/recorder.h"
#include "freeplay/simulation/simulation_options.h"
#include "freeplay/simulation/watch/deflection_watch.h"
#include "freeplay/simulation/watch/step_stability.h"

namespace freeplay::simulation {

class Advice {
 public:
  // What has been told already: each thing is said once, also by a run that goes on from a checkpoint.
  struct Memory {
    int first_rank = 0;  // of the bilateral rows, at the start
    bool told_rank = false, told_depth = false, told_fallback = false, told_restitution = false, told_kept_gaps = false;
    bool told_wall = false, told_doubt = false, told_stiff = false, told_crowd = false, told_gain = false;
    bool told_deflection = false, told_division = false;
  };

  Advice(const System& system, const ContactModel& contacts, const SimulationOptions& options);

  void before_run(const RunContext& context) const;
  // Whether there may be something to say after a step. Of most steps there is not.
  bool is_asked_for(const StepReport& report, bool has_findings) const {
    return has_findings || report.has_warning || report.used_fallback || report.lowered_restitution ||
           report.kept_gaps || report.impact_gain_J > 0 || report.row_rank != memory_.first_rank;
  }
  // After an accepted step to `state`. `from_integrator`: what the integrator has to say itself.
  void after_step(const State& state, const StepReport& report, const ContactRecorder::Findings& contacts,
                  const std::string& from_integrator, const RunContext& context);
  // In the step to t a part has flown through another, at the contact of this entry; -1: none has.
  void on_passage(double t, int entry, const RunContext& context);
  // The same of a step that was refused, and is taken in pieces.
  void on_division(double t, int entry, const RunContext& context);
  // The run goes on from one that had other measures.
  static void on_lost_measures(const RunContext& context);
  // A step of `step_s` is too long for what is stiff.
  void on_stiffness(double t, double step_s, const StepStability::Finding& finding, const RunContext& context);
  // Why the run ends: the motion is that of an unstable step.
  static std::string on_instability(double step_s, const StepStability::Finding& finding, double without_source_J,
                                    double exchanged_before_J);
  // In the step to t an elastic body has bent too far.
  void on_deflection(double t, const DeflectionWatch::Finding& finding, const RunContext& context);
  // Energy from nowhere, and where it came from.
  void after_run(const RunSummary& summary, const EnergyLedger::Memory& ledger, const RunContext& context) const;
  // At a position where `dynamics` stands: whether it is known finely enough for the play there is.
  void look_at_rounding(Dynamics& dynamics, const RunContext& context);
  // At the end of a run: peaks of forces. `are_named`: the model asks for forces by name.
  void look_at_forces(const ContactRecorder::Findings& contacts, bool are_named, const ForceWindow& window,
                      const RunContext& context) const;
  std::string failure_message(double t, const StepReport& report, const std::string& details) const;

  const Memory& memory() const { return memory_; }
  void set_memory(const Memory& memory) { memory_ = memory; }

 private:
  void warn_of_regularised_friction(const RunContext& context) const;
  void tell_of_contacts(double t, const ContactRecorder::Findings& contacts, const RunContext& context);
  void warn_of_kinks(const RunContext& context) const;
  void look_at_energy(const RunSummary& summary, const EnergyLedger::Memory& ledger, const RunContext& context) const;

  const System& system_;
  const ContactModel& contacts_;
  const SimulationOptions& options_;
  Memory memory_;
};

}  // namespace freeplay::simulation

// The rows of a run: which channels were asked for, where their values come from, and the row itself.
#pragma once

#include <string>
#include <vector>

#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/step_reactions.h"
#include "freeplay/simulation/energy_ledger.h"
#include "freeplay/simulation/forces/reaction_windows.h"
#include "freeplay/simulation/recording/contact_recorder.h"
#include "freeplay/simulation/recording/recorder.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

// Every channel that a run of this system can record: its own, those of its contacts, energy.*, step.*.
std::vector<ChannelInfo> available_channels(const System& system, const ContactModel& contacts = no_contacts(),
                                            const std::string& integrator = "");

class RowRecorder {
 public:
  // Tells `contact_recorder`, which must outlive it, what it will be asked for. Throws ModelError for unknown channels
  // and for too many.
  RowRecorder(const System& system, const ContactModel& contacts, const std::string& integrator,
              const RecordOptions& record, ContactRecorder& contact_recorder, const ForceWindow& window = {});

  const std::vector<ChannelInfo>& channels() const { return channels_; }
  std::size_t motion_channels() const { return motion_channels_; }  // the last ones: poses that pictures need
  bool has_reactions() const { return !reactions_.from.empty(); }

  // Reactions are means over several steps: every step is to be read, row or not.
  bool reads_every_step() const { return has_reactions() && windows_.spans_steps(); }
  const ForcePeaks& peaks() const { return windows_.peaks(); }
  ReactionWindows& windows() { return windows_; }
  const ReactionWindows& windows() const { return windows_; }

  // The stages of a row. Each leaves `dynamics` where it has read: first where the forces of the step acted, if there
  // are reactions to read. `step_s`: the size of the step that ends at `t`; 0: the row before the first step.
  void read_reactions(const StepRecord& record, double t, double step_s, Dynamics& dynamics);
  // then at the state, where dynamics, contact recorder and ledger stand already.
  void write_row(const State& state, const StepReport& report, Dynamics& dynamics, const EnergyLedger& ledger,
                 RecordSink& sink);

 private:
  // Channels of one source, and the columns that they fill.
  struct Source {
    std::vector<int> from;
    std::vector<std::size_t> column;
    std::vector<double> values;

    void add(int channel, std::size_t target);
    // Where the values are to be written, and then scattered: into the row itself where its columns follow each other.
    std::span<double> target(std::span<double> row) {
      return is_run ? row.subspan(column.empty() ? 0 : column.front(), column.size()) : std::span(values);
    }
    void scatter(std::span<double> row) const;

    bool is_run = true;
  };

  std::vector<std::string> recorded_by_default(const std::vector<std::string>& names) const;
  void choose(const std::vector<ChannelInfo>& available, const RecordOptions& record);
  void add_motion(const std::vector<ChannelInfo>& available, const std::vector<std::string>& wanted);
  void add_column(const std::vector<ChannelInfo>& available, std::size_t channel);

  const System& system_;
  ContactRecorder& contact_recorder_;
  std::size_t contact_channels_ = 0;  // that there are
  std::vector<ChannelInfo> channels_;
  std::size_t motion_channels_ = 0;
  Source positions_, reactions_, contacts_, energies_, steps_;
  StepReactions step_reactions_;
  ReactionWindows windows_;
  std::vector<double> row_;
};

}  // namespace freeplay::simulation

// One run of a study. Reads the model once; after that several threads may run points at the same time.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/io/model/model_family.h"
#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/model/model.h"
#include "freeplay/study/dynamics/section.h"
#include "freeplay/study/sweep/sweep_chains.h"
#include "freeplay/study/sweep/sweep_points.h"

namespace freeplay::study {

// What is asked for. Texts as on the command line.
struct SweepPlan {
  std::filesystem::path model;
  std::optional<std::string> text;     // instead of what the file holds; must not include other files
  std::vector<std::string> overrides;  // --set
  std::vector<std::string> over;       // --over
  std::string sample;                  // --sample; empty: the grid
  std::uint64_t seed = 0;
  std::vector<std::string> measures;  // "NAME=EXPRESSION"; none: those of the model
  SectionPlan section;
  std::string follow;                   // --follow: "up", "down", "both"; empty: every run begins as the model says
  std::optional<std::string> lyapunov;  // --lyapunov: the transient that is left out, "" for none
};

class SweepRunner {
 public:
  // Throws ModelError for anything that is wrong in all runs: the model, an unknown parameter, a range without values,
  // a measure that cannot be read.
  explicit SweepRunner(const SweepPlan& plan);

  const SweepChains& chains() const { return chains_; }
  const SweepHeader& header() const { return header_; }

  // nullopt if it was stopped. A run that fails, or a model that cannot be built with these values, is a row that says
  // why. The same bits whatever ran before, and on whichever thread. `start`: the state in which a neighbour ended,
  // as final_state() gives it; empty: that of the model.
  std::optional<SweepRow> run(std::int64_t index, std::span<const double> start,
                              const std::atomic<bool>* stop_requested) const;
  // Where the run ended; empty if it did not end well, or the study does not keep it.
  std::vector<double> final_state(const SweepRow& row) const;

 private:
  void read_measures(const SweepPlan& plan);
  void choose_channels(bool are_own);  // the measures are those of the model
  void describe(const SweepPlan& plan);
  void describe_dynamics(const ModelFile& file, const Model& model);
  struct Member;  // one model of the family, ready to run
  Member member(std::int64_t index, std::span<const double> start) const;
  void measure(const Member& member, const std::atomic<bool>* stop_requested, SweepRow& row, bool& was_stopped) const;
  void measure_exponent(const Member& member, const std::atomic<bool>* stop_requested, SweepRow& row,
                        bool& was_stopped) const;

  ModelFamily family_;
  SweepPoints points_;
  SweepChains chains_;
  SectionPlan section_;
  std::optional<double> lyapunov_transient_s_;
  std::vector<MeasureSpec> measures_;
  std::vector<std::string> channels_;  // that the measures and the section need
  SweepHeader header_;
};

}  // namespace freeplay::study

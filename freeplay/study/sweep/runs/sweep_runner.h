// One run of a study. Reads the model once; after that several threads may run points at the same time.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/io/model/model_family.h"
#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/model/model.h"
#include "freeplay/study/dynamics/section.h"
#include "freeplay/study/sweep/points/sweep_chains.h"
#include "freeplay/study/sweep/points/sweep_points.h"
#include "freeplay/study/sweep/runs/compiled_sweep.h"
#include "freeplay/study/sweep/runs/dynamic_measures.h"

namespace freeplay::study {

// Who runs: the engine, compiled code on the processor or on a GPU, or what there is.
enum class SweepBackend : std::uint8_t { kEngine, kCompiled, kCuda, kAuto };

SweepBackend sweep_backend(const std::string& name);  // "engine", "compiled", "cuda", "auto"; any other: the engine

// What is asked for. Texts as on the command line.
struct SweepPlan {
  std::filesystem::path model;
  std::optional<std::string> text;      // instead of what the file holds; must not include other files
  std::optional<std::string> own_text;  // of the file, if `text` is that with all that it includes
  std::vector<std::string> overrides;   // --set
  std::vector<std::string> over;        // --over
  std::string sample;                   // --sample; empty: the grid
  std::uint64_t seed = 0;
  std::string worst;                  // --worst; empty: no search (worst_case.h)
  std::vector<std::string> measures;  // "NAME=EXPRESSION"; none: those of the model
  SweepBackend backend = SweepBackend::kEngine;
  bool needs_warnings = false;  // --strict: only the engine gives them
  SectionPlan section;
  std::string follow;                   // --follow: "up", "down", "both"; empty: every run begins as the model says
  std::optional<std::string> lyapunov;  // --lyapunov: the transient that is left out, "" for none
  std::string orbit;                    // --orbit: the period of the motion that is looked for; empty: none
};

// One model of the study, ready for a run that records what its file asks for (study_member.h).
struct RecordedMember {
  ModelFile file;
  Model model;
  State start;
};

class SweepRunner {
 public:
  // Throws ModelError for anything that is wrong in all runs: the model, an unknown parameter, a range without values,
  // a measure that cannot be read.
  explicit SweepRunner(const SweepPlan& plan);

  const SweepPoints& points() const { return points_; }
  const SweepChains& chains() const { return chains_; }
  const SweepHeader& header() const { return header_; }

  // Which one it is ("engine", "compiled" or "cuda"), why it is not another one that was to be tried, and how many runs
  // it had to leave to the engine.
  const std::string& backend() const { return backend_; }
  bool is_compiled() const { return compiled_ != nullptr; }
  const std::string& backend_note() const { return backend_note_; }
  std::int64_t left_to_engine() const { return left_to_engine_; }
  // How many points are best run together.
  std::size_t at_once() const { return compiled_ != nullptr ? compiled_->at_once() : 1; }
  // Hands rows out as soon as they are there: those of compiled code together, then those left to the engine, of which
  // each may take long. False if it was stopped.
  using RowsOut = std::function<void(std::vector<SweepRow> rows)>;
  [[nodiscard]] bool run_several(std::span<const std::int64_t> indices, const std::atomic<bool>* stop_requested,
                                 const RowsOut& hand_out) const;

  // nullopt if it was stopped. A run that fails, or a model that cannot be built with these values, is a row that says
  // why. The same bits whatever ran before, and on whichever thread. `start`: the state in which a neighbour ended,
  // as final_state() gives it; empty: that of the model.
  std::optional<SweepRow> run(std::int64_t index, std::span<const double> start,
                              const std::atomic<bool>* stop_requested) const;
  // Where the run ended; empty if it did not end well, or the study does not keep it.
  std::vector<double> final_state(const SweepRow& row) const;
  // The same for any values of the parameters.
  std::optional<SweepRow> run_at(std::int64_t index, std::vector<double> values,
                                 const std::atomic<bool>* stop_requested) const;

  // The model with these values, and the state in which it begins; `start` as in run(). Throws ModelError.
  RecordedMember recorded(const std::vector<double>& values, std::span<const double> start) const;

  // The box of the ranges, for a search: values at coordinates in [0, 1], and the coordinates of the model's own values
  // (of what is no parameter: the middle).
  std::vector<double> values_in_box(const std::vector<double>& place) const;
  std::vector<double> nominal_place() const;

 private:
  void read_measures(const SweepPlan& plan);
  void choose_channels(bool are_own);  // the measures are those of the model
  void refuse_names_of_parameters() const;
  void choose_backend(const SweepPlan& plan);
  void describe(const SweepPlan& plan);
  void describe_dynamics(const ModelFile& file, const Model& model);
  struct Member;  // one model of the family, ready to run
  Member member(const std::vector<double>& values, std::span<const double> start) const;
  void measure(const Member& member, const std::atomic<bool>* stop_requested, SweepRow& row, bool& was_stopped) const;
  void measure_dynamics(const Member& member, const std::atomic<bool>* stop_requested, SweepRow& row,
                        bool& was_stopped) const;
  std::optional<SweepRow> run_from(std::int64_t index, std::vector<double> values, std::span<const double> start,
                                   const std::atomic<bool>* stop_requested) const;

  ModelFamily family_;
  SweepPoints points_;
  SweepChains chains_;
  SectionPlan section_;
  DynamicMeasures dynamics_;
  std::vector<MeasureSpec> measures_;
  std::vector<std::string> channels_;  // that the measures and the section need
  SweepHeader header_;
  std::unique_ptr<const CompiledSweep> compiled_;  // null: the engine runs
  std::string backend_ = "engine", backend_note_;
  mutable std::atomic<std::int64_t> left_to_engine_ = 0;  // counted by several threads
};

}  // namespace freeplay::study

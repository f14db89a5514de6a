// One run of a study. Reads the model once; after that several threads may run points at the same time.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/io/model/model_family.h"
#include "freeplay/io/sweep/sweep_table.h"
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
  std::string worst;                  // --worst; empty: no search (worst_case.h)
  std::vector<std::string> measures;  // "NAME=EXPRESSION"; none: those of the model
};

class SweepRunner {
 public:
  // Throws ModelError for anything that is wrong in all runs: the model, an unknown parameter, a range without values,
  // a measure that cannot be read.
  explicit SweepRunner(const SweepPlan& plan);

  const SweepPoints& points() const { return points_; }
  const SweepHeader& header() const { return header_; }

  // nullopt if it was stopped. A run that fails, or a model that cannot be built with these values, is a row that says
  // why. The same bits whatever ran before, and on whichever thread.
  std::optional<SweepRow> run(std::int64_t index, const std::atomic<bool>* stop_requested) const;
  // The same for any values of the parameters.
  std::optional<SweepRow> run_at(std::int64_t index, std::vector<double> values,
                                 const std::atomic<bool>* stop_requested) const;

  // The box of the ranges, for a search: values at coordinates in [0, 1], and the coordinates of the model's own values
  // (of what is no parameter: the middle).
  std::vector<double> values_in_box(const std::vector<double>& place) const;
  std::vector<double> nominal_place() const;

 private:
  void read_measures(const SweepPlan& plan);
  void choose_channels(bool are_own);  // the measures are those of the model
  void describe(const SweepPlan& plan);
  void measure(const std::atomic<bool>* stop_requested, SweepRow& row, bool& was_stopped) const;

  ModelFamily family_;
  SweepPoints points_;
  std::vector<MeasureSpec> measures_;
  std::vector<std::string> channels_;  // that the measures need
  SweepHeader header_;
};

}  // namespace freeplay::study

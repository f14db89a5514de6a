// Several formulations of one model file, run and held against each other.
#pragma once

#include "freeplay/study/compare/cause.h"
#include "freeplay/study/compare/perturbation_growth.h"
#include "freeplay/study/compare/quantities.h"
#include "freeplay/study/study_run.h"

namespace freeplay::study {

struct ComparisonPlan {
  std::filesystem::path model;
  std::vector<std::string> overrides;     // --set: for all of them
  std::vector<std::string> formulations;  // --with; none: default_formulations
  std::vector<std::string> channels;      // of the curves; none: chosen_curves
  std::filesystem::path out;              // <out>/<folder of a formulation>/result.h5
};

struct PartingReport {
  Parting parting;
  CauseFinding finding;
};

// A run against the reference.
struct PairReport {
  std::size_t run = 0;
  MatchResult match;                    // up to the first parting
  std::vector<PartingReport> partings;  // after one in an accumulation, from which both start anew, comes the next
  double agrees_until_s = 0;
  // Of the coordinates of all bodies, relative to the range of each: when the difference reaches kPartedDifference.
  std::optional<double> motion_parted_at_s;
  double largest_motion_difference = 0;
};

struct Comparison {
  std::string model;  // its name
  ComparisonPlan plan;
  std::vector<std::string> curves;
  double window_s = 0;  // of forces
  std::vector<StudyRun> runs;
  std::optional<std::size_t> reference;  // none if nothing ran
  std::vector<PairReport> pairs;
  std::optional<PerturbationGrowth> twin;
  std::vector<Accumulation> accumulations;  // of the reference
  std::vector<ComparedQuantity> quantities;
  bool was_interrupted = false;

  std::size_t completed() const;
  // Of all pairs the parting that comes first.
  struct First {
    const PairReport* pair;
    const PartingReport* report;
  };
  std::optional<First> first_parting() const;
};

// Throws ModelError, FormulationError or UnknownChannel before anything runs, IoError while it does. What a single
// formulation cannot run stands in its StudyRun.
Comparison compare_formulations(const ComparisonPlan& plan, const StudyHooks& hooks);

}  // namespace freeplay::study

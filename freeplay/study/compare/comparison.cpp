#include "freeplay/study/compare/comparison.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/study/compare/channel_choice.h"

namespace freeplay::study {

namespace {

constexpr double kWindows = 100;          // in a run: forces are means over such a window
constexpr std::size_t kMostPartings = 3;  // of a pair
constexpr std::array kRefinements = {2, 4, 8};

// The reader knows overrides as --set only.
ModelFile load_formulation(const ComparisonPlan& plan, const Formulation& formulation) {
  std::vector<std::string> overrides = plan.overrides;
  overrides.insert(overrides.end(), formulation.overrides.begin(), formulation.overrides.end());
  try {
    return load_model(plan.model, overrides);
  } catch (const ModelError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.mark.file == "--set") diagnostic.mark.file = "--with";
    }
    throw ModelError(std::move(diagnostics));
  }
}

class Study {
 public:
  Study(const ComparisonPlan& plan, const StudyHooks& hooks) : hooks_(hooks) { result_.plan = plan; }

  Comparison run() {
    prepare();
    run_all();
    choose_reference();
    if (result_.reference) {
      run_twin();
      compare_pairs();
      compare_numbers();
    }
    result_.was_interrupted = hooks_.should_stop();
    return std::move(result_);
  }

 private:
  void prepare() {
    const ComparisonPlan& plan = result_.plan;
    const ModelFile base = load_model(plan.model, plan.overrides);
    formulations_ =
        plan.formulations.empty() ? default_formulations(base) : parse_formulations(plan.formulations, base);
    for (const Formulation& formulation : formulations_) files_.push_back(load_formulation(plan, formulation));
    const Model model = build_model(base);
    check_curves(plan.channels, *model.system, *model.contacts);
    result_.curves = plan.channels.empty() ? chosen_curves(base, *model.system, *model.contacts) : plan.channels;
    poses_ = coordinate_channels(*model.system);
    result_.model = base.name;
    result_.window_s = base.simulate.duration_s / kWindows;
  }

  StudyRun run_one(std::size_t index, const RunVariant& variant,
                   const std::optional<std::filesystem::path>& file = {}) {
    return run_formulation(files_[index], formulations_[index], variant, result_.curves, file, hooks_);
  }

  void run_all() {
    for (std::size_t i = 0; i < formulations_.size(); ++i) {
      if (hooks_.should_stop()) {
        StudyRun run;
        run.label = formulations_[i].label;
        run.folder = formulations_[i].folder;
        run.overrides = formulations_[i].overrides;
        run.options = files_[i].simulate;
        run.reason = "interrupted before it began";
        result_.runs.push_back(std::move(run));
        continue;
      }
      result_.runs.push_back(run_one(i, {}, result_.plan.out / formulations_[i].folder / "result.h5"));
    }
  }

  // The first one that got to its end; if none did, the first one that has anything to show.
  void choose_reference() {
    for (const bool must_be_complete : {true, false}) {
      for (std::size_t i = 0; i < result_.runs.size() && !result_.reference; ++i) {
        const StudyRun& run = result_.runs[i];
        if (run.has_data() && (!must_be_complete || run.end == StudyRun::End::kCompleted)) result_.reference = i;
      }
    }
  }

  const StudyRun& reference() const { return result_.runs[*result_.reference]; }

  void run_twin() {
    for (const double perturbation : {kPerturbation, kLargerPerturbation}) {
      if (hooks_.should_stop()) return;
      RunVariant variant;
      variant.perturbation = perturbation;
      const StudyRun twin = run_one(*result_.reference, variant);
      if (!twin.has_data()) return;
      result_.twin = perturbation_growth(reference().trace, twin.trace, poses_);
      result_.twin->perturbation = perturbation;
      if (result_.twin->differs) return;
    }
  }

  static double looked_at_until(double parting_s, double duration_s) {
    return std::min(duration_s, parting_s + std::max(0.05 * parting_s, 0.01 * duration_s));
  }

  // A run with smaller steps, at least until then; null if it was interrupted or does not get there.
  const StudyRun* refined(std::size_t index, int factor, double until_s) {
    const std::pair<std::size_t, int> key(index, factor);
    const auto known = refined_.find(key);
    if (known == refined_.end() || known->second.options.duration_s < until_s) {
      if (hooks_.should_stop()) return nullptr;
      RunVariant variant;
      variant.refinement = factor;
      variant.until_s = until_s;
      refined_[key] = run_one(index, variant);
    }
    const StudyRun& run = refined_[key];
    return run.end == StudyRun::End::kCompleted ? &run : nullptr;
  }

  void compare_pairs() {
    double last_s = 0;
    for (std::size_t i = 0; i < result_.runs.size(); ++i) {
      if (i == *result_.reference || !result_.runs[i].has_data()) continue;
      PairReport pair;
      pair.run = i;
      pair.match = match_impacts(reference(), result_.runs[i]);
      pair.agrees_until_s = pair.match.parting ? pair.match.parting->time_s
                                               : std::min(reference().summary.time_s, result_.runs[i].summary.time_s);
      const PerturbationGrowth motion = perturbation_growth(reference().trace, result_.runs[i].trace, poses_);
      pair.motion_parted_at_s = motion.parted_at_s;
      pair.largest_motion_difference = motion.largest;
      if (pair.match.parting) last_s = std::max(last_s, pair.match.parting->time_s);
      result_.pairs.push_back(std::move(pair));
    }
    // One refined run of the reference serves all of them.
    if (last_s > 0) refined(*result_.reference, kRefinements[0], looked_at_until(last_s, reference().summary.time_s));
    for (PairReport& pair : result_.pairs) find_causes(pair);
    result_.accumulations = accumulations(impact_sequences(reference()));
  }

  // Errors of time stepping are of first order on average, but any single halving may be unlucky.
  CauseFinding cause_of(std::size_t run, const MatchResult& match, double from_s) {
    const double until_s = looked_at_until(match.parting->time_s, reference().summary.time_s);
    CauseInput input;
    input.reference = &reference();
    input.other = &result_.runs[run];
    input.match = &match;
    input.twin = result_.twin ? &*result_.twin : nullptr;
    input.from_s = from_s;
    input.options = options_for(reference());
    CauseFinding finding;
    for (const int factor : kRefinements) {
      input.refined_reference = refined(*result_.reference, factor, until_s);
      input.refined_other = refined(run, factor, until_s);
      finding = find_cause(input);
      if (finding.cause != Cause::kUndecided || hooks_.should_stop()) break;
    }
    return finding;
  }

  void find_causes(PairReport& pair) {
    const StudyRun& other = result_.runs[pair.run];
    MatchResult match = pair.match;
    double from_s = 0;
    while (match.parting && pair.partings.size() < kMostPartings) {
      pair.partings.push_back({*match.parting, cause_of(pair.run, match, from_s)});
      if (pair.partings.back().finding.cause != Cause::kZeno) return;
      const double next_s = end_of_accumulation(*match.parting, other);
      if (!(next_s > match.parting->time_s)) return;
      from_s = next_s;
      match = match_impacts(reference(), other, {}, from_s);
    }
  }

  // After it both runs rest on the wall: they are together again.
  double end_of_accumulation(const Parting& parting, const StudyRun& other) const {
    double end_s = parting.time_s;
    for (const StudyRun* run : {&reference(), &other}) {
      for (const Accumulation& cluster : accumulations(impact_sequences(*run))) {
        if (cluster.begin_s <= parting.time_s && parting.time_s <= 2 * cluster.limit_s - cluster.begin_s)
          end_s = std::max(end_s, cluster.limit_s + 2 * run->typical_step_s());
      }
    }
    return end_s;
  }

  void compare_numbers() {
    std::vector<const StudyRun*> runs;
    std::vector<double> until_s;
    for (const StudyRun& run : result_.runs) {
      runs.push_back(&run);
      until_s.push_back(run.summary.time_s);
    }
    for (const PairReport& pair : result_.pairs) until_s[pair.run] = pair.agrees_until_s;
    result_.quantities = compare_quantities(runs, *result_.reference, until_s, result_.curves, result_.window_s);
  }

  const StudyHooks& hooks_;
  Comparison result_;
  std::vector<Formulation> formulations_;
  std::vector<ModelFile> files_;
  std::vector<std::string> poses_;
  std::map<std::pair<std::size_t, int>, StudyRun> refined_;
};

}  // namespace

std::size_t Comparison::completed() const {
  return static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [](const StudyRun& run) { return run.end == StudyRun::End::kCompleted; }));
}

std::optional<Comparison::First> Comparison::first_parting() const {
  std::optional<First> first;
  for (const PairReport& pair : pairs) {
    if (pair.partings.empty()) continue;
    const PartingReport& report = pair.partings.front();
    if (!first || report.parting.time_s < first->report->parting.time_s) first = First{&pair, &report};
  }
  return first;
}

Comparison compare_formulations(const ComparisonPlan& plan, const StudyHooks& hooks) {
  return Study(plan, hooks).run();
}

}  // namespace freeplay::study

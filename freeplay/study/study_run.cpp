#include "freeplay/study/study_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "freeplay/integrators/integrator.h"
#include "freeplay/io/result/result_writer.h"
#include "freeplay/io/schema/record_layout.h"
#include "freeplay/study/compare/channel_choice.h"
#include "freeplay/study/perturbed_system.h"

namespace freeplay::study {

namespace {

// Keeps the columns that a study needs, and hands everything on to a file if there is one.
class StudySink final : public RecordSink {
 public:
  StudySink(StudyRun& run, const std::vector<std::string>& kept, std::unique_ptr<RecordSink> file)
      : run_(run), kept_(kept.begin(), kept.end()), file_(std::move(file)) {}

  void begin(const RecordLayout& layout) override {
    for (std::size_t i = 0; i < layout.channels.size(); ++i) {
      if (layout.channels[i].name == "step.iterations") iterations_ = static_cast<std::ptrdiff_t>(i);
      if (!kept_.contains(layout.channels[i].name)) continue;
      sources_.push_back(i);
      run_.trace.channels.push_back(layout.channels[i]);
    }
    run_.trace.columns.resize(sources_.size());
    run_.contacts = layout.contacts;
    if (file_) file_->begin(layout);
  }
  void row(double time_s, std::span<const double> values) override {
    run_.trace.time.push_back(time_s);
    for (std::size_t i = 0; i < sources_.size(); ++i) run_.trace.columns[i].push_back(values[sources_[i]]);
    if (iterations_ >= 0) run_.solver_iterations += values[static_cast<std::size_t>(iterations_)];
    if (file_) file_->row(time_s, values);
  }
  void impact(const ImpactRecord& record) override {
    run_.impacts.push_back(record);
    if (file_) file_->impact(record);
  }
  void event(const EventRecord& record) override {
    if (file_) file_->event(record);
  }
  void checkpoint(const Checkpoint& checkpoint) override {
    if (file_) file_->checkpoint(checkpoint);
  }
  void end(const RunSummary& summary) override {
    run_.summary = summary;
    if (file_) file_->end(summary);
  }

 private:
  StudyRun& run_;
  std::unordered_set<std::string> kept_;
  std::unique_ptr<RecordSink> file_;
  std::vector<std::size_t> sources_;
  std::ptrdiff_t iterations_ = -1;
};

void refine(SimulationOptions& options, StepRule step_rule, int factor) {
  if (factor == 1) return;
  if (step_rule == StepRule::kErrorControlled) {
    constexpr double kTighter = 2e-2, kTightest = 1e-13;
    options.relative_tolerance = std::max(options.relative_tolerance * kTighter / factor, kTightest);
    options.absolute_tolerance *= kTighter / factor;
    if (options.velocity_tolerance) *options.velocity_tolerance *= kTighter / factor;
    return;
  }
  for (std::optional<double>* size : {&options.step_s, &options.min_step_s, &options.max_step_s}) {
    if (*size) **size /= factor;
  }
}

std::string title_of(const Formulation& formulation, const RunVariant& variant) {
  if (variant.perturbation > 0) return formulation.label + " (perturbed twin)";
  return variant.refinement > 1 ? fmt::format("{} (refined by {})", formulation.label, variant.refinement)
                                : formulation.label;
}

void take_reason(const ModelError& error, StudyRun& run) {
  run.end = StudyRun::End::kRefused;
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    run.reason += fmt::format("{}{}{}{}", run.reason.empty() ? "" : "; ", diagnostic.path,
                              diagnostic.path.empty() ? "" : ": ", diagnostic.message);
    if (run.hint.empty()) run.hint = diagnostic.hint;
  }
}

StudyRun::End end_of(RunStatus status) {
  if (status == RunStatus::kCompleted) return StudyRun::End::kCompleted;
  return status == RunStatus::kFailed ? StudyRun::End::kFailed : StudyRun::End::kInterrupted;
}

}  // namespace

StudyRun run_formulation(const ModelFile& given, const Formulation& formulation, const RunVariant& variant,
                         const std::vector<std::string>& curves, const std::optional<std::filesystem::path>& result,
                         const StudyHooks& hooks) {
  StudyRun run;
  run.label = formulation.label;
  run.folder = formulation.folder;
  run.overrides = formulation.overrides;
  for (const std::string& text : formulation.overrides) {
    if (!text.starts_with("simulate.")) run.other_settings.push_back(text);
  }
  ModelFile file = given;
  const IntegratorEntry* entry = find_integrator(file.simulate.integrator);
  if (entry != nullptr) run.traits = entry->traits;
  refine(file.simulate, run.traits.step_rule, variant.refinement);
  if (variant.until_s) file.simulate.duration_s = std::min(file.simulate.duration_s, *variant.until_s);
  run.options = file.simulate;
  run.has_every_row = file.record.every == 1;
  try {
    Model model = build_model(file);
    for (const ContactPoint& point : model.contacts->points()) {
      run.has_friction |= point.has_friction();
      run.force_channels.push_back(point.has_normal ? point_channel(point, "normal_force") : "");
      run.gap_channels.push_back(point.has_normal ? point_channel(point, "gap") : "");
    }
    const std::vector<std::string> kept = kept_channels(*model.system, *model.contacts, curves);
    if (!file.record.channels.empty()) {
      const std::unordered_set<std::string> known(file.record.channels.begin(), file.record.channels.end());
      for (const std::string& name : kept) {
        if (!known.contains(name)) file.record.channels.push_back(name);
      }
    }
    const std::shared_ptr<const System> original = model.system;  // the twin refers to it
    if (variant.perturbation > 0) model.system = std::make_shared<PerturbedSystem>(*original, variant.perturbation);
    const std::unique_ptr<Simulation> simulation = build_simulation(file, model);
    if (hooks.run_begins) hooks.run_begins(title_of(formulation, variant), file.simulate.duration_s);
    RunContext context;
    context.stop_requested = hooks.stop_requested;
    context.progress = hooks.progress;
    context.log = [&](LogLevel level, std::string_view text) {
      if (level == LogLevel::kWarning) run.warnings.emplace_back(text);
    };
    StudySink sink(run, kept, result ? std::make_unique<ResultWriter>(*result) : nullptr);
    simulation->run(sink, context, record_layout(file));
    run.end = end_of(run.summary.status);
    if (run.end == StudyRun::End::kFailed) run.reason = "the run failed " + run.summary.message;
    // Contacts with a force law are reported when they end, but happened when they began.
    std::stable_sort(run.impacts.begin(), run.impacts.end(),
                     [](const ImpactRecord& a, const ImpactRecord& b) { return a.time_s < b.time_s; });
  } catch (const ModelError& error) {
    take_reason(error, run);
  }
  if (hooks.run_ends) hooks.run_ends(run);
  return run;
}

}  // namespace freeplay::study

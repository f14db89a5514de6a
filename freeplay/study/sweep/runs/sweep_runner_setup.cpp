// What a study is before its first run: its points, measures and backend, all checked.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/core/version.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/resolved_text.h"
#include "freeplay/simulation/measures.h"
#include "freeplay/simulation/recording/row_recorder.h"
#include "freeplay/study/sweep/runs/measure_option.h"
#include "freeplay/study/sweep/runs/sweep_runner.h"

namespace freeplay::study {

namespace {

constexpr std::int64_t kRunsForGpu = 10000;  // fewer are done before the code for a GPU is compiled

std::vector<SweepAxis> parse_axes(const std::vector<std::string>& texts) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : texts) axes.push_back(parse_sweep_axis(text));
  return axes;
}

// Samples are drawn from parameters that scatter as well, unless --over says otherwise.
std::vector<SweepAxis> axes_of(const SweepPlan& plan, const ModelFile& model) {
  std::vector<SweepAxis> axes = parse_axes(plan.over);
  if (plan.sample.empty() && plan.worst.empty()) return axes;
  for (const ModelParameter& parameter : model.parameters) {
    const auto is_varied = [&](const SweepAxis& axis) { return axis.name == parameter.name; };
    if (!parameter.distribution || std::any_of(axes.begin(), axes.end(), is_varied)) continue;
    SweepAxis axis;
    axis.name = parameter.name;
    axis.dimension = parameter.value.dimension;
    axis.distribution = parameter.distribution;
    axis.from = parameter.lowest;
    axis.to = parameter.highest;
    axes.push_back(std::move(axis));
  }
  return axes;
}

// A search finds its points itself; those that are drawn here only stand for the ranges.
SweepSampling sampling_of_plan(const SweepPlan& plan) {
  if (plan.worst.empty()) return parse_sweep_sampling(plan.sample, plan.seed);
  const auto refuse = [](const std::string& message, const std::string& hint) {
    throw ModelError({Diagnostic{{"--worst", 0, 0}, "", message, hint, {}}});
  };
  if (!plan.sample.empty()) refuse("a search finds its runs itself", "leave out --sample");
  for (const SweepAxis& axis : parse_axes(plan.over)) {
    if (axis.is_list)
      refuse(fmt::format("'{}' is a list, and worst cases are looked for in ranges", axis.name),
             "write FROM:TO, or one search per value by --set");
  }
  return {SweepSampling::Kind::kRandom, 1, plan.seed};
}

// What is wrong with a point of the study is said of --over, not of --set, which the reader knows.
[[noreturn]] void rethrow_as(const char* option, const ModelError& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.mark.file == "--set" || diagnostic.mark.file.empty()) diagnostic.mark = {option, 0, 0};
    diagnostic.excerpt.clear();
  }
  throw ModelError(std::move(diagnostics));
}

}  // namespace

SweepBackend sweep_backend(const std::string& name) {
  if (name == "compiled") return SweepBackend::kCompiled;
  if (name == "cuda") return SweepBackend::kCuda;
  return name == "auto" ? SweepBackend::kAuto : SweepBackend::kEngine;
}

SweepRunner::SweepRunner(const SweepPlan& plan)
    : family_(plan.text ? ModelFamily(*plan.text, plan.model.string(), plan.overrides)
                        : ModelFamily(plan.model, plan.overrides)),
      points_(axes_of(plan, family_.base()), sampling_of_plan(plan)),
      chains_(points_, parse_follow(plan.follow)),
      section_(plan.section),
      dynamics_(plan.lyapunov, plan.orbit) {
  try {
    family_.check(points_.overrides(0));
  } catch (const ModelError& error) {
    rethrow_as("--over", error);
  }
  read_measures(plan);
  choose_channels(plan.measures.empty());
  choose_backend(plan);
  describe(plan);
}

void SweepRunner::choose_backend(const SweepPlan& plan) {
  const SweepBackend wanted = plan.backend;
  if (wanted == SweepBackend::kEngine) return;
  try {
    if (chains_.follows() || !dynamics_.is_empty())
      throw CompileError("followed attractors, Lyapunov exponents and orbits need the engine's states");
    if (plan.needs_warnings) throw CompileError("compiled runs give no warnings, which --strict asks for");
    if (!plan.worst.empty()) throw CompileError("a search chooses its points one after the other");
    if (wanted == SweepBackend::kCuda || (wanted == SweepBackend::kAuto && points_.size() >= kRunsForGpu)) {
      try {
        compiled_ = std::make_unique<CompiledSweep>(family_, points_, measures_, channels_, section_, LaneDevice::kGpu);
        backend_ = "cuda";
        return;
      } catch (const CompileError& error) {
        if (wanted == SweepBackend::kCuda) throw;
        backend_note_ = error.what();
      }
    }
    compiled_ =
        std::make_unique<CompiledSweep>(family_, points_, measures_, channels_, section_, LaneDevice::kProcessor);
    backend_ = "compiled";
  } catch (const CompileError& error) {
    if (wanted != SweepBackend::kAuto)
      throw ModelError({Diagnostic{
          {"--backend", 0, 0},
          "",
          fmt::format("this study is not compiled: {}", error.what()),
          wanted == SweepBackend::kCuda ? "use --backend compiled, engine, or auto" : "use --backend engine, or auto",
          {}}});
    backend_note_ = error.what();
  }
}

void SweepRunner::read_measures(const SweepPlan& plan) {
  measures_ = plan.measures.empty() ? expanded_measures(family_.base().measures) : std::vector<MeasureSpec>{};
  const auto refuse = [](const std::string& message, const std::string& hint) {
    throw ModelError({Diagnostic{{"--measure", 0, 0}, "", message, hint, {}}});
  };
  for (const std::string& asked : plan.measures) {
    const MeasureSpec given = parse_measure_option(asked);
    for (MeasureSpec& made : expanded_measures({given})) {
      for (const MeasureSpec& known : measures_) {
        if (known.name == made.name)
          refuse(fmt::format("there are two measures '{}'", made.name), "give each a name of its own");
      }
      measures_.push_back(std::move(made));
    }
  }
  for (const MeasureSpec& known : measures_) {
    for (const SweepColumn& column : dynamics_.columns()) {
      if (known.name == column.name)
        refuse(fmt::format("there are two measures '{}'", column.name), "give yours another name");
    }
  }
  if (measures_.empty() && section_.at.empty() && dynamics_.is_empty())
    refuse("nothing is measured, and the model has no block 'measure'", "write --measure \"peak=max(bearing.force)\"");
}

// Reads the measures as a run would: units, and the channels without which nothing is computed for the rows.
void SweepRunner::choose_channels(bool are_own) {
  ModelFile file = family_.base();
  file.measures = measures_;
  const Model model = build_model(file);
  try {
    std::vector<NamedQuantity> constants;
    for (const ModelParameter& parameter : file.parameters) {
      if (!parameter.word) constants.push_back({parameter.name, parameter.value});
    }
    std::vector<MeasuredContact> contacts;
    for (const ContactPoint* point : model.contacts->descriptions())
      contacts.push_back({point->contact, point->name()});
    const std::vector<ChannelInfo> known = available_channels(*model.system, *model.contacts, file.simulate.integrator);
    const Measures measures(measures_, constants, known, contacts);
    channels_ = measures.channels();
    for (const ChannelInfo& label : measures.labels()) header_.measures.push_back({label.name, label.unit, {}});
  } catch (const ModelError& error) {
    if (are_own) throw file.located(error);
    rethrow_as("--measure", error);
  }
  describe_dynamics(file, model);
  refuse_names_of_parameters();
  if (channels_.empty()) {  // none would mean all
    const std::vector<ChannelInfo> known = available_channels(*model.system, *model.contacts, file.simulate.integrator);
    if (!known.empty()) channels_.push_back(known.front().name);
  }
  static_cast<void>(build_simulation(file, model));  // what no run can be made of
}

// Tables have a column for each, and Python a key.
void SweepRunner::refuse_names_of_parameters() const {
  const auto refuse_in = [&](const std::vector<SweepColumn>& columns, const char* option, const char* what) {
    for (const SweepColumn& column : columns) {
      const auto has_its_name = [&](const SweepAxis& axis) { return axis.name == column.name; };
      if (std::none_of(points_.axes().begin(), points_.axes().end(), has_its_name)) continue;
      throw ModelError(
          {Diagnostic{{option, 0, 0},
                      "",
                      fmt::format("'{}' is the name of a parameter that varies and of {}", column.name, what),
                      fmt::format("give {} a name of its own", what),
                      {}}});
    }
  };
  refuse_in(header_.measures, "--measure", "a measure");
  refuse_in(header_.section, "--point", "a point of the section");
}

void SweepRunner::describe_dynamics(const ModelFile& file, const Model& model) {
  dynamics_.check(file, model);
  for (SweepColumn& column : dynamics_.columns()) header_.measures.push_back(std::move(column));
  if (!section_.at.empty()) {
    const Section section(section_, file, model);
    for (const ChannelInfo& label : section.labels()) header_.section.push_back({label.name, label.unit, {}});
    for (const std::string& channel : section.channels()) {
      if (std::find(channels_.begin(), channels_.end(), channel) == channels_.end()) channels_.push_back(channel);
    }
  } else if (!section_.points.empty()) {
    throw ModelError({Diagnostic{
        {"--point", 0, 0}, "", "points are noted at a section, and there is none", "write --section, too", {}}});
  }
  if (!chains_.follows()) return;
  for (int i = 1; i <= model.system->coordinate_count(); ++i)
    header_.final_state.push_back({fmt::format("q_{}", i), "SI", {}});
  for (int i = 1; i <= model.system->velocity_count(); ++i)
    header_.final_state.push_back({fmt::format("u_{}", i), "SI", {}});
}

void SweepRunner::describe(const SweepPlan& plan) {
  for (const SweepAxis& axis : points_.axes())
    header_.parameters.push_back(
        {axis.name, axis.dimension.si_unit(), axis.has_words() ? axis.texts : std::vector<std::string>{}});
  if (chains_.has_directions()) header_.parameters.push_back({"direction", "1", {"up", "down"}});
  header_.runs = chains_.size();
  // What makes it this study. No clock time and no path: twice the same study gives the same bytes.
  nlohmann::ordered_json study;
  study["model"] = family_.fingerprint();
  study["set"] = plan.overrides;
  study["over"] = plan.over;
  study["sample"] = plan.sample;
  study["seed"] = plan.seed;
  if (!plan.worst.empty()) study["worst"] = plan.worst;
  nlohmann::ordered_json measures = nlohmann::ordered_json::object();
  for (const MeasureSpec& spec : measures_) measures[spec.name] = spec.text;
  study["measures"] = measures;
  if (compiled_ != nullptr) study["backend"] = backend_;  // their rows differ by rounding
  if (!section_.at.empty()) {
    study["section"] = section_.at;
    study["points"] = section_.points;
    study["skip"] = section_.skip;
    if (section_.turns) study["turns"] = *section_.turns;
  }
  if (chains_.follows()) study["follow"] = plan.follow;
  if (plan.lyapunov) study["lyapunov"] = *plan.lyapunov;
  if (!plan.orbit.empty()) study["orbit"] = plan.orbit;
  study["version"] = std::string(version());
  const ModelFile& base = family_.base();
  header_.attributes = {
      {"study", study.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)},
      {"model", plan.own_text.value_or(base.text)},
      {"model_file", base.path.filename().string()},
      {"name", base.name},
      {"version", std::string(version())},
  };
  const std::string& resolved = plan.own_text ? *plan.text : resolved_text(base);
  if (!resolved.empty()) header_.attributes[kResolvedModelAttribute] = resolved;
  if (compiled_ == nullptr) return;
  header_.attributes["backend"] = backend_;
  header_.attributes["backend_note"] =
      "compiled code watches its runs for nothing but the solution of every step: only runs that were left to the "
      "engine (left_to_engine) can have warnings; where a motion is chaotic the two part by rounding";
}

}  // namespace freeplay::study

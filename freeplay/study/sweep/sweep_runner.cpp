#include "freeplay/study/sweep/sweep_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/core/version.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/simulation/measures.h"
#include "freeplay/simulation/row_recorder.h"
#include "freeplay/study/sweep/followed_start.h"

namespace freeplay::study {

namespace {

constexpr std::int64_t kRunsForGpu = 10000;  // fewer are done before the code for a GPU is compiled

// Measures see the rows; nothing else is kept.
class NoSink final : public RecordSink {
 public:
  void begin(const RecordLayout& layout) override { measures = layout.measures; }
  void row(double /*time_s*/, std::span<const double> /*values*/) override {}
  void impact(const ImpactRecord& /*record*/) override {}
  void end(const RunSummary& /*summary*/) override {}

  std::vector<ChannelInfo> measures;
};

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

// "max(bearing.force)" is the measure max_bearing_force, unless it is given another name.
std::string name_of_measure(const std::string& expression) {
  std::string name;
  for (const char c : expression) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

std::string reasons(const ModelError& error) {
  std::string text;
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", diagnostic.path, diagnostic.path.empty() ? "" : ": ",
                        diagnostic.message);
  }
  return text;
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
    const bool has_name = asked.find('=') != std::string::npos;
    const std::string text = has_name ? asked : fmt::format("{}={}", name_of_measure(asked), asked);
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, text.find_last_not_of(' ', equals == 0 ? 0 : equals - 1) + 1);
    if (equals == 0 || equals + 1 == text.size())
      refuse(fmt::format("'{}' is not of the form NAME=EXPRESSION", asked),
             "write --measure \"peak=max(bearing.force)\"");
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const bool is_name = is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
                           return is_letter(c) || (c >= '0' && c <= '9');
                         });
    if (!is_name) refuse(fmt::format("'{}' cannot be the name of a measure", name), "use letters, digits and '_'");
    const MeasureSpec given{name, text.substr(equals + 1)};
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
  if (channels_.empty()) {  // none would mean all
    const std::vector<ChannelInfo> known = available_channels(*model.system, *model.contacts, file.simulate.integrator);
    if (!known.empty()) channels_.push_back(known.front().name);
  }
  static_cast<void>(build_simulation(file, model));  // what no run can be made of
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
      {"model", base.text},
      {"model_file", base.path.filename().string()},
      {"name", base.name},
      {"version", std::string(version())},
  };
}

struct SweepRunner::Member {
  ModelFile file;
  Model model;
  std::optional<Section> section;
  State start;
};

std::vector<SweepRow> SweepRunner::run_several(std::span<const std::int64_t> indices,
                                               const std::atomic<bool>* stop_requested) const {
  std::vector<std::optional<LaneResult>> measured(indices.size());
  if (compiled_ != nullptr) measured = compiled_->measure(indices, stop_requested);
  std::vector<SweepRow> rows;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (measured[i]) {
      SweepRow& row = rows.emplace_back();
      row.index = indices[i];
      row.values = points_.values(indices[i]);
      row.values.insert(row.values.end(), measured[i]->values.begin(), measured[i]->values.end());
      row.crossings = std::move(measured[i]->crossings);
      continue;
    }
    if (stop_requested != nullptr && stop_requested->load(std::memory_order_relaxed)) break;
    if (compiled_ != nullptr) ++left_to_engine_;
    std::optional<SweepRow> row = run(indices[i], {}, stop_requested);
    if (!row) break;
    rows.push_back(std::move(*row));
  }
  return rows;
}

std::optional<SweepRow> SweepRunner::run(std::int64_t index, std::span<const double> start,
                                         const std::atomic<bool>* stop_requested) const {
  std::vector<double> values = points_.values(chains_.point_of(index));
  if (chains_.has_directions()) values.push_back(chains_.is_down(index) ? 1 : 0);
  return run_from(index, std::move(values), start, stop_requested);
}

std::optional<SweepRow> SweepRunner::run_at(std::int64_t index, std::vector<double> values,
                                            const std::atomic<bool>* stop_requested) const {
  return run_from(index, std::move(values), {}, stop_requested);
}

std::optional<SweepRow> SweepRunner::run_from(std::int64_t index, std::vector<double> values,
                                              std::span<const double> start,
                                              const std::atomic<bool>* stop_requested) const {
  SweepRow row;
  row.index = index;
  row.values = std::move(values);
  row.values.resize(header_.parameters.size() + header_.measures.size() + header_.final_state.size(),
                    std::numeric_limits<double>::quiet_NaN());
  bool was_stopped = false;
  try {
    const Member one = member(row.values, start);
    measure(one, stop_requested, row, was_stopped);
    if (!dynamics_.is_empty() && !was_stopped) measure_dynamics(one, stop_requested, row, was_stopped);
  } catch (const ModelError& error) {
    row.status = SweepStatus::kRefused;
    row.message = reasons(error);
  }
  if (was_stopped) return std::nullopt;
  return row;
}

std::vector<double> SweepRunner::values_in_box(const std::vector<double>& place) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < place.size(); ++k) values.push_back(points_.axes()[k].value_in_range(place[k]));
  return values;
}

std::vector<double> SweepRunner::nominal_place() const {
  std::vector<double> place;
  for (const SweepAxis& axis : points_.axes()) {
    place.push_back(0.5);
    for (const ModelParameter& parameter : family_.base().parameters) {
      if (parameter.name == axis.name && !parameter.word) place.back() = axis.place_in_range(parameter.value.value);
    }
  }
  return place;
}

std::vector<double> SweepRunner::final_state(const SweepRow& row) const {
  if (row.status != SweepStatus::kCompleted) return {};
  return {row.values.end() - static_cast<std::ptrdiff_t>(header_.final_state.size()), row.values.end()};
}

SweepRunner::Member SweepRunner::member(const std::vector<double>& values, std::span<const double> start) const {
  Member one{family_.member(points_.overrides_of(values)), {}, {}, {}};
  one.file.measures = measures_;
  one.file.record.channels = channels_;
  one.file.record.motion = false;
  one.file.record.contact_forces = 0;
  one.model = build_model(one.file);
  if (!section_.at.empty()) {
    one.section.emplace(section_, one.file, one.model);
    one.section->adapt(one.file.simulate);
    one.file.record.every = 1;
  }
  one.start = start.empty() ? one.model.system->initial_state() : followed_start(one.model, start);
  return one;
}

void SweepRunner::measure(const Member& member, const std::atomic<bool>* stop_requested, SweepRow& row,
                          bool& was_stopped) const {
  const std::unique_ptr<Simulation> simulation = build_simulation(member.file, member.model);
  RunContext context;
  context.stop_requested = stop_requested;
  NoSink nothing;
  std::optional<SectionSink> crossings;
  if (member.section) crossings.emplace(*member.section);
  RecordSink& sink = crossings ? static_cast<RecordSink&>(*crossings) : nothing;
  simulation->open(member.start, sink, context);
  // A neighbour that follows takes up the motion at the end of the duration, in which the drive has come to its start
  // again, and not at some crossing.
  const bool ends_early = crossings && !chains_.follows();
  while (!(ends_early && crossings->is_full()) && simulation->advance()) {
  }
  const RunSummary summary = simulation->close();
  was_stopped = summary.status == RunStatus::kInterrupted;
  row.warnings = static_cast<std::int32_t>(summary.warnings.size());
  if (crossings) row.crossings = std::move(crossings->crossings());
  if (summary.status == RunStatus::kFailed) {
    row.status = SweepStatus::kFailed;
    row.message = "the run failed " + summary.message;
    row.crossings.clear();
    return;
  }
  const std::size_t first_measure = header_.parameters.size();
  for (std::size_t i = 0; i < summary.measures.size(); ++i) row.values[first_measure + i] = summary.measures[i].value;
  if (header_.final_state.empty()) return;
  const State& state = simulation->state();
  auto next = row.values.end() - static_cast<std::ptrdiff_t>(header_.final_state.size());
  next = std::copy(state.q.begin(), state.q.end(), next);
  std::copy(state.u.begin(), state.u.end(), next);
}

void SweepRunner::measure_dynamics(const Member& member, const std::atomic<bool>* stop_requested, SweepRow& row,
                                   bool& was_stopped) const {
  if (row.status != SweepStatus::kCompleted) return;
  const auto first = row.values.begin() + static_cast<std::ptrdiff_t>(header_.parameters.size());
  const std::span<double> values(first + static_cast<std::ptrdiff_t>(measures_.size()),
                                 header_.measures.size() - measures_.size());
  const DynamicMeasures::Outcome outcome =
      dynamics_.measure(member.file, member.model, member.start, stop_requested, values);
  was_stopped = outcome.was_stopped;
  if (outcome.failure.empty()) return;
  std::fill_n(first, header_.measures.size(), std::numeric_limits<double>::quiet_NaN());
  row.status = SweepStatus::kFailed;
  row.message = outcome.failure;
}

}  // namespace freeplay::study

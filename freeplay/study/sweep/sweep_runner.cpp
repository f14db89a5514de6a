#include "freeplay/study/sweep/sweep_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/core/version.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/simulation/measures.h"
#include "freeplay/simulation/row_recorder.h"

namespace freeplay::study {

namespace {

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

std::string reasons(const ModelError& error) {
  std::string text;
  for (const Diagnostic& diagnostic : error.diagnostics()) {
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", diagnostic.path, diagnostic.path.empty() ? "" : ": ",
                        diagnostic.message);
  }
  return text;
}

}  // namespace

SweepRunner::SweepRunner(const SweepPlan& plan)
    : family_(plan.text ? ModelFamily(*plan.text, plan.model.string(), plan.overrides)
                        : ModelFamily(plan.model, plan.overrides)),
      points_(axes_of(plan, family_.base()), sampling_of_plan(plan)) {
  try {
    family_.check(points_.overrides(0));
  } catch (const ModelError& error) {
    rethrow_as("--over", error);
  }
  read_measures(plan);
  choose_channels(plan.measures.empty());
  describe(plan);
}

void SweepRunner::read_measures(const SweepPlan& plan) {
  measures_ = plan.measures.empty() ? family_.base().measures : std::vector<MeasureSpec>{};
  const auto refuse = [](const std::string& message, const std::string& hint) {
    throw ModelError({Diagnostic{{"--measure", 0, 0}, "", message, hint, {}}});
  };
  for (const std::string& text : plan.measures) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, text.find_last_not_of(' ', equals == 0 ? 0 : equals - 1) + 1);
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      refuse(fmt::format("'{}' is not of the form NAME=EXPRESSION", text),
             "write --measure \"peak=max(abs(bearing.force_x))\"");
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const bool is_name = is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
                           return is_letter(c) || (c >= '0' && c <= '9');
                         });
    if (!is_name) refuse(fmt::format("'{}' cannot be the name of a measure", name), "use letters, digits and '_'");
    for (const MeasureSpec& known : measures_) {
      if (known.name == name) refuse(fmt::format("there are two measures '{}'", name), "give each a name of its own");
    }
    measures_.push_back({name, text.substr(equals + 1)});
  }
  if (measures_.empty())
    refuse("nothing is measured, and the model has no block 'measure'",
           "write --measure \"peak=max(abs(bearing.force_x))\"");
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
    if (channels_.empty() && !known.empty()) channels_.push_back(known.front().name);  // none would mean all
    for (const ChannelInfo& label : measures.labels()) header_.measures.push_back({label.name, label.unit, {}});
  } catch (const ModelError& error) {
    if (are_own) throw file.located(error);
    rethrow_as("--measure", error);
  }
  static_cast<void>(build_simulation(file, model));  // what no run can be made of
}

void SweepRunner::describe(const SweepPlan& plan) {
  for (const SweepAxis& axis : points_.axes())
    header_.parameters.push_back(
        {axis.name, axis.dimension.si_unit(), axis.has_words() ? axis.texts : std::vector<std::string>{}});
  header_.runs = points_.size();
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

std::optional<SweepRow> SweepRunner::run(std::int64_t index, const std::atomic<bool>* stop_requested) const {
  return run_at(index, points_.values(index), stop_requested);
}

std::optional<SweepRow> SweepRunner::run_at(std::int64_t index, std::vector<double> values,
                                            const std::atomic<bool>* stop_requested) const {
  SweepRow row;
  row.index = index;
  row.values = std::move(values);
  row.values.resize(points_.axes().size() + measures_.size(), std::numeric_limits<double>::quiet_NaN());
  bool was_stopped = false;
  try {
    measure(stop_requested, row, was_stopped);
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

void SweepRunner::measure(const std::atomic<bool>* stop_requested, SweepRow& row, bool& was_stopped) const {
  ModelFile file = family_.member(points_.overrides_of(row.values));
  file.measures = measures_;
  file.record.channels = channels_;
  file.record.motion = false;
  const Model model = build_model(file);
  const std::unique_ptr<Simulation> simulation = build_simulation(file, model);
  RunContext context;
  context.stop_requested = stop_requested;
  NoSink sink;
  const RunSummary summary = simulation->run(sink, context);
  was_stopped = summary.status == RunStatus::kInterrupted;
  row.warnings = static_cast<std::int32_t>(summary.warnings.size());
  if (summary.status == RunStatus::kFailed) {
    row.status = SweepStatus::kFailed;
    row.message = "the run failed " + summary.message;
    return;
  }
  const std::size_t first_measure = row.values.size() - measures_.size();
  for (std::size_t i = 0; i < summary.measures.size(); ++i) row.values[first_measure + i] = summary.measures[i].value;
}

}  // namespace freeplay::study

// Goes on with a run that was interrupted or killed, or with a study.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/resolved_text.h"
#include "freeplay/io/result/checkpoint.h"
#include "freeplay/io/result/result_writer.h"
#include "freeplay/io/schema/record_layout.h"
#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/study/sweep/study_plan.h"
#include "session/result_access.h"
#include "session/run_checkpoints.h"
#include "session/run_session.h"
#include "session/study_access.h"
#include "text/error_report.h"
#include "verbs/kept_text.h"
#include "verbs/sweep_run.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

// Puts the rows, impacts and events of the earlier run in front of those that come.
class ContinuedSink final : public RecordSink {
 public:
  ContinuedSink(const ResultReader& earlier, const RecordedCounts& counts, RecordSink& next)
      : earlier_(earlier), counts_(counts), next_(next) {}

  void begin(const RecordLayout& layout) override {
    std::vector<ChannelInfo> known = earlier_.channels();
    known.insert(known.end(), earlier_.motion_channels().begin(), earlier_.motion_channels().end());
    const bool is_same = std::equal(known.begin(), known.end(), layout.channels.begin(), layout.channels.end(),
                                    [](const ChannelInfo& a, const ChannelInfo& b) { return a.name == b.name; });
    if (!is_same || layout.contacts != earlier_.contacts())
      throw IoError(fmt::format("{} holds other channels than the model has now", earlier_.path().string()));
    next_.begin(layout);
    copy_rows(known);
    for (std::int64_t first = 0; first < counts_.impacts; first += kBlock) {
      std::vector<ImpactRecord> records(static_cast<std::size_t>(std::min(kBlock, counts_.impacts - first)));
      earlier_.read_impacts(first, records);
      for (const ImpactRecord& record : records) next_.impact(record);
    }
    for (std::int64_t first = 0; first < counts_.events; first += kBlock) {
      std::vector<EventRecord> records(static_cast<std::size_t>(std::min(kBlock, counts_.events - first)));
      earlier_.read_events(first, records);
      for (const EventRecord& record : records) next_.event(record);
    }
  }
  void row(double time_s, std::span<const double> values) override { next_.row(time_s, values); }
  void impact(const ImpactRecord& record) override { next_.impact(record); }
  void event(const EventRecord& record) override { next_.event(record); }
  void contact_forces(std::span<const ContactForce> forces) override { next_.contact_forces(forces); }
  void checkpoint(const Checkpoint& checkpoint) override { next_.checkpoint(checkpoint); }
  void end(const RunSummary& summary) override { next_.end(summary); }

 private:
  static constexpr std::int64_t kBlock = 1024;

  void copy_rows(const std::vector<ChannelInfo>& channels) {
    std::vector<double> time(kBlock), columns(kBlock * channels.size()), values(channels.size());
    for (std::int64_t first = 0; first < counts_.rows; first += kBlock) {
      const auto count = static_cast<std::size_t>(std::min(kBlock, counts_.rows - first));
      earlier_.read_time(first, std::span(time).first(count));
      for (std::size_t c = 0; c < channels.size(); ++c)
        earlier_.read_channel(channels[c].name, first, std::span(columns).subspan(c * kBlock, count));
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t c = 0; c < channels.size(); ++c) values[c] = columns[c * kBlock + r];
        copy_forces(first + static_cast<std::int64_t>(r));
        next_.row(time[r], values);
      }
    }
  }

  // Rows come in order, and so do the forces of the file.
  void copy_forces(std::int64_t row) {
    if (earlier_.contact_force_count() == 0) return;
    std::vector<ContactForce> forces;
    while (true) {
      if (next_force_ == pending_.size()) {
        const auto left = static_cast<std::size_t>(earlier_.contact_force_count() - read_forces_);
        pending_.resize(std::min<std::size_t>(left, 64 * kBlock));
        earlier_.read_contact_forces(read_forces_, pending_);
        read_forces_ += static_cast<std::int64_t>(pending_.size());
        next_force_ = 0;
        if (pending_.empty()) break;
      }
      if (pending_[next_force_].row > row) break;
      forces.push_back(pending_[next_force_++].force);
    }
    next_.contact_forces(forces);
  }

  const ResultReader& earlier_;
  std::vector<StoredContactForce> pending_;
  std::size_t next_force_ = 0;
  std::int64_t read_forces_ = 0;
  RecordedCounts counts_;
  RecordSink& next_;
};

// The checkpoint of a run that ended cleanly is in its file, and all rows are before it; that of a killed one is
// beside it.
KeptCheckpoint checkpoint_of(const ResultReader& result) {
  const RecordedCounts all{result.rows(), result.impact_count(), result.event_count()};
  if (result.summary()) return {all, read_checkpoint(result)};
  const std::optional<KeptCheckpoint> kept = read_kept_checkpoint(result.path());
  if (kept && kept->counts.rows <= all.rows && kept->counts.impacts <= all.impacts && kept->counts.events <= all.events)
    return *kept;
  throw IoError(
      fmt::format("{} has no checkpoint to go on from: the run goes on at this moment, or was killed before its "
                  "first one, or by a method that keeps none (cvode-*); begin it anew",
                  result.path().string()));
}

std::vector<std::string> texts_of(const std::string& json) {
  const nlohmann::json list = nlohmann::json::parse(json, nullptr, false);
  std::vector<std::string> texts;
  if (!list.is_array()) throw IoError("the result does not say with which --set it was run");
  for (const nlohmann::json& text : list) texts.push_back(text.get<std::string>());
  return texts;
}

const std::string& attribute_of(const std::map<std::string, std::string>& attributes, const char* name) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) throw IoError(fmt::format("the file does not hold '{}'", name));
  return found->second;
}

// A run goes on as it was: its state is that of its model, its steps are counted by its step. Only its end may be
// later.
void refuse_changes(const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) {
    const std::string key = text.substr(0, text.find('='));
    if (key == "simulate.duration") continue;
    throw UsageError(fmt::format("a run goes on as it was begun: '{}' cannot be another one", key),
                     "only its end can be changed, by --set simulate.duration=2s; begin anew for anything else");
  }
}

// While rows are copied into the new file, the old one waits beside it.
fs::path waiting_path(const fs::path& path) {
  return path.string() + ".earlier";
}

// A kill in that time leaves both: the old one takes its place again, unless the new one can go on.
void recover(const fs::path& path) {
  if (!fs::exists(waiting_path(path))) return;
  try {
    if (fs::exists(path)) {
      static_cast<void>(checkpoint_of(open_result(path)));
      fs::remove(waiting_path(path));
      return;
    }
  } catch (const std::exception&) {  // it is the one that was not finished
  }
  fs::rename(waiting_path(path), path);
}

// The model of the result itself, or that of a file, where it names tables or meshes.
ModelFile model_of(const ResultReader& result, const ResumeArguments& arguments) {
  const std::map<std::string, std::string>& attributes = result.attributes();
  std::vector<std::string> overrides = texts_of(attribute_of(attributes, "overrides"));
  refuse_changes(arguments.overrides);
  const auto read = [&] {
    if (arguments.model) return load_model(*arguments.model, overrides);
    const char* const text = attributes.contains(kResolvedModelAttribute) ? kResolvedModelAttribute : "model";
    return parse_model(attribute_of(attributes, text), attribute_of(attributes, "model_file"), overrides);
  };
  if (arguments.overrides.empty()) return read();
  // A later end must not make its steps longer, nor the window of its forces, where these follow from the duration.
  const SimulationOptions begun = read().simulate;
  if (const std::optional<double> longest_s = longest_step_by_duration(begun))
    overrides.push_back(fmt::format("simulate.max_step={} s", *longest_s));
  const auto window = attributes.find("force_window");
  if (!begun.force_window_s && window != attributes.end() && window->second != "0")
    overrides.push_back(fmt::format("simulate.force_window={} s", window->second));
  overrides.insert(overrides.end(), arguments.overrides.begin(), arguments.overrides.end());
  return read();
}

// A model that was read from all its texts in one keeps its own text as well.
RecordLayout layout_of(const ModelFile& file, const ResultReader& earlier) {
  RecordLayout layout = record_layout(file);
  const auto resolved = earlier.attributes().find(kResolvedModelAttribute);
  if (resolved == earlier.attributes().end() || resolved->second != file.text) return layout;
  layout.attributes["model"] = attribute_of(earlier.attributes(), "model");
  layout.attributes[kResolvedModelAttribute] = file.text;
  return layout;
}

ExitCode resume_run(const ResumeArguments& arguments, const fs::path& path) {
  recover(path);
  const ResultReader earlier = open_result(path);
  const ModelFile file = model_of(earlier, arguments);
  const KeptCheckpoint kept = checkpoint_of(earlier);
  const double reached_s = kept.checkpoint.state.t;
  if (!arguments.overrides.empty() && !(file.simulate.duration_s > reached_s))
    throw UsageError(fmt::format("the run has got to t = {:.9g} s, beyond the new duration", reached_s),
                     "give a longer one, or cut rows off where they are read: --to");
  const Overview overview = overview_of(file);
  const std::unique_ptr<Simulation> simulation = build_simulation(file, overview.model());
  const RunView view{arguments.json, arguments.quiet, arguments.strict};
  RunReport report = begin_report(file, overview, path, view);
  report.warnings = kept.checkpoint.summary.warnings;
  watch_run(
      file, view,
      [&](const RunContext& context) {
        // The checkpoint in the file goes with the file: beside it, it outlives a kill while the new one is written.
        keep_checkpoint(path, kept.counts, kept.checkpoint);
        fs::rename(path, waiting_path(path));
        try {
          ResultWriter writer(path);
          CheckpointingSink file_sink(writer, path, kCheckpointInterval_s);
          file_sink.observe(*simulation, file.simulate.integrator);
          ContinuedSink sink(earlier, kept.counts, file_sink);
          RunSummary summary = simulation->resume(kept.checkpoint, sink, context, layout_of(file, earlier));
          fs::remove(waiting_path(path));
          return summary;
        } catch (...) {  // a full disk, other channels
          recover(path);
          throw;
        }
      },
      report);
  return tell(report, view);
}

ExitCode resume_study(const ResumeArguments& arguments, const fs::path& path) {
  if (!arguments.overrides.empty())
    throw UsageError("a study goes on as it was begun", "leave out --set, or begin another study: freeplay sweep");
  const SweepTable begun = open_study(path);
  if (arguments.strict && begun.header.is_compiled())
    throw UsageError("--strict asks for warnings, and this study is compiled: its runs are not watched for any",
                     "leave out --strict, or begin another study with --backend engine");
  SweepPlan plan = plan_of_study(begun, arguments.model);
  plan.needs_warnings = arguments.strict;
  SweepOptions options;
  options.out = path.has_parent_path() ? path.parent_path() : fs::path(".");
  options.workers = arguments.workers;
  options.must_exist = true;
  return run_sweep_verb(plan, options, {arguments.csv, arguments.json, arguments.quiet, arguments.strict});
}

}  // namespace

ExitCode resume(const ResumeArguments& arguments) {
  const fs::path& given = arguments.result;
  const fs::path study = fs::is_directory(given) ? given / kSweepFileName : given;
  const fs::path run = result_file_of(given);
  return from_kept_text(arguments.model, [&] {
    if (study.filename() == kSweepFileName && fs::exists(study)) return resume_study(arguments, study);
    return resume_run(arguments, run);
  });
}

}  // namespace freeplay::app

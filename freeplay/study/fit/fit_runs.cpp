#include "freeplay/study/fit/fit_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::study {

namespace {

constexpr double kTimeRounding = 1e-9;  // of the end of the data

// Takes from the rows what the channels are at the times of the data.
class DataTimesSink final : public RecordSink {
 public:
  explicit DataTimesSink(const FitData& data) : data_(data), values_(data.series.size()) {}

  void begin(const RecordLayout& layout) override {
    for (const FitSeries& series : data_.series) {
      const auto at = std::find_if(layout.channels.begin(), layout.channels.end(),
                                   [&](const ChannelInfo& info) { return info.name == series.channel; });
      columns_.push_back(static_cast<std::size_t>(at - layout.channels.begin()));
    }
    last_.resize(data_.series.size());
  }
  void row(double time_s, std::span<const double> row_values) override {
    for (std::size_t s = 0; s < values_.size(); ++s) {
      const double now = row_values[columns_[s]];
      const std::vector<double>& times = data_.series[s].time_s;
      for (std::size_t i = values_[s].size(); i < times.size() && times[i] <= time_s; ++i) {
        const double part = has_row_ && time_s > last_time_ ? (times[i] - last_time_) / (time_s - last_time_) : 1;
        values_[s].push_back(has_row_ ? last_[s] + part * (now - last_[s]) : now);
      }
      last_[s] = now;
    }
    last_time_ = time_s;
    has_row_ = true;
  }
  void impact(const ImpactRecord& /*record*/) override {}
  void end(const RunSummary& /*summary*/) override {}

  // False if rows are missing at the end, beyond rounding.
  bool complete() {
    for (std::size_t s = 0; s < values_.size(); ++s) {
      const std::vector<double>& times = data_.series[s].time_s;
      for (std::size_t i = values_[s].size(); i < times.size(); ++i) {
        if (!has_row_ || times[i] > last_time_ + kTimeRounding * data_.end_s()) return false;
        values_[s].push_back(last_[s]);
      }
    }
    return true;
  }
  std::vector<std::vector<double>> take() { return std::move(values_); }

 private:
  const FitData& data_;
  std::vector<std::size_t> columns_;
  std::vector<double> last_;
  double last_time_ = 0;
  bool has_row_ = false;
  std::vector<std::vector<double>> values_;
};

}  // namespace

FitRuns::FitRuns(const ModelFamily& family, const FitData& data, std::vector<SweepAxis> parameters)
    : family_(family), data_(data), parameters_(std::move(parameters)) {
  const double duration = family.base().simulate.duration_s;
  if (data.end_s() > duration * (1 + kTimeRounding))
    throw ModelError(
        {Diagnostic{{"--data", 0, 0},
                    "",
                    fmt::format("the data go on to {:.6g} s, a run ends at {:.6g} s", data.end_s(), duration),
                    fmt::format("write --set simulate.duration={:.6g}s", data.end_s()),
                    {}}});
  choose_steps();
}

// Steps under error control may be longer than the distance of the data, and a straight line between their ends too
// coarse.
void FitRuns::choose_steps() {
  constexpr std::array<std::string_view, 4> kControlled = {"dopri5", "cvode-bdf", "cvode-adams", "event-driven"};
  const SimulationOptions& options = family_.base().simulate;
  if (std::find(kControlled.begin(), kControlled.end(), options.integrator) == kControlled.end()) return;
  constexpr double kRowsPerDistance = 8;
  double step = data_.grid_s();
  if (!(step > 0)) step = data_.end_s() / static_cast<double>(data_.times_s.size()) / kRowsPerDistance;
  step_s_ = options.step_s && *options.step_s < step ? step / std::ceil(step / *options.step_s) : step;
}

FitRuns::Outcome FitRuns::run(const VecX& point, const std::atomic<bool>* stop_requested) const {
  Outcome outcome;
  try {
    std::vector<std::string> overrides;
    for (std::size_t k = 0; k < parameters_.size(); ++k)
      overrides.push_back(parameters_[k].override_text(point[static_cast<Eigen::Index>(k)]));
    ModelFile file = family_.member(overrides);
    file.measures = {};
    file.record.channels.clear();
    for (const FitSeries& series : data_.series) file.record.channels.push_back(series.channel);
    file.record.every = 1;
    file.record.motion = false;
    file.record.contact_forces = 0;
    if (step_s_) file.simulate.step_s = step_s_;
    const Model model = build_model(file);
    const std::unique_ptr<Simulation> simulation = build_simulation(file, model);
    RunContext context;
    context.stop_requested = stop_requested;
    DataTimesSink sink(data_);
    const RunSummary summary = simulation->run(sink, context);
    outcome.was_stopped = summary.status == RunStatus::kInterrupted;
    if (summary.status == RunStatus::kFailed)
      outcome.failure = "the run failed " + summary.message;
    else if (!outcome.was_stopped && !sink.complete())
      outcome.failure = "the run ended before the data";
    else if (!outcome.was_stopped)
      outcome.values = sink.take();
  } catch (const ModelError& error) {
    outcome.failure = error.diagnostics().empty() ? error.what() : error.diagnostics().front().message;
  }
  return outcome;
}

}  // namespace freeplay::study

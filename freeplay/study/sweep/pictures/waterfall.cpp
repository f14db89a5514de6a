#include "freeplay/study/sweep/pictures/waterfall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/simulation/measure/spectrum.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/recording/row_recorder.h"
#include "freeplay/study/sweep/runs/study_member.h"
#include "freeplay/study/sweep/workers/parallel.h"

namespace freeplay::study {

namespace {

constexpr std::size_t kMostBands = 240;

// The one that is asked for, or the one with most values.
std::size_t parameter_across(const SweepTable& table, const std::string& name) {
  const std::vector<SweepColumn>& columns = table.header.parameters;
  std::vector<std::string> known;
  std::size_t best = columns.size(), most = 1;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (!columns[k].words.empty()) continue;
    known.push_back(columns[k].name);
    if (columns[k].name == name) return k;
    std::set<double> values;
    for (const SweepRow& row : table.rows) values.insert(row.values[k]);
    if (values.size() <= most) continue;
    most = values.size();
    best = k;
  }
  if (!name.empty())
    throw PlotError(fmt::format("the study has no parameter '{}' that is a number", name), did_you_mean(name, known));
  if (best == columns.size())
    throw PlotError("a waterfall needs a parameter with several values", "vary one: freeplay sweep --over NAME=...");
  return best;
}

// The runs of one line through the study, by the parameter, and where that line is.
std::vector<const SweepRow*> rows_along(const SweepTable& table, std::size_t across, Waterfall& waterfall) {
  std::vector<const SweepRow*> rows;
  const SweepRow& first = table.rows.front();
  const std::size_t count = table.header.parameters.size();
  std::set<std::size_t> others;
  for (const SweepRow& row : table.rows) {
    bool is_on_line = true;
    for (std::size_t k = 0; k < count; ++k) {
      if (k == across || row.values[k] == first.values[k]) continue;
      is_on_line = false;
      others.insert(k);
    }
    if (is_on_line) rows.push_back(&row);
  }
  for (const std::size_t k : others) {
    const SweepColumn& column = table.header.parameters[k];
    const std::string value =
        column.words.empty() ? fmt::format("{:.4g}{}", first.values[k], column.unit == "1" ? "" : " " + column.unit)
                             : column.words.at(static_cast<std::size_t>(first.values[k]));
    waterfall.slice += fmt::format("{}{} = {}", waterfall.slice.empty() ? "" : ", ", column.name, value);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const SweepRow* a, const SweepRow* b) { return a->values[across] < b->values[across]; });
  return rows;
}

struct RunSpectrum {
  std::vector<SpectrumPeak> lines;  // none: the run has failed or is too short
  double window_s = 0;
};

std::string unit_of_channel(const RecordedMember& member, const std::string& name) {
  std::vector<std::string> known;
  for (const ChannelInfo& channel :
       available_channels(*member.model.system, *member.model.contacts, member.file.simulate.integrator)) {
    if (channel.name == name) return channel.unit;
    known.push_back(channel.name);
  }
  throw PlotError(fmt::format("the runs of this study have no channel '{}'", name), did_you_mean(name, known));
}

RunSpectrum spectrum_of(RecordedMember member, const WaterfallRequest& request, const std::atomic<bool>* stop) {
  member.file.record.channels = {request.channel};
  member.file.record.motion = false;
  member.file.record.contact_forces = 0;
  const std::unique_ptr<Simulation> simulation = build_simulation(member.file, member.model);
  RunContext context;
  context.stop_requested = stop;
  MemorySink rows;
  static_cast<void>(simulation->run(member.start, rows, context));
  if (rows.summary.status != RunStatus::kCompleted) return {};
  std::vector<double> times, values;
  const std::vector<double>& column = rows.channel(request.channel);
  for (std::size_t i = 0; i < rows.time.size(); ++i) {
    const double t = rows.time[i];
    const bool is_inside = t >= request.from_s.value_or(-INFINITY) && t <= request.to_s.value_or(INFINITY);
    if (!is_inside || !std::isfinite(column[i]) || (!times.empty() && !(t > times.back()))) continue;
    times.push_back(t);
    values.push_back(column[i]);
  }
  RunSpectrum spectrum{amplitude_spectrum(times, values), 0};
  if (!spectrum.lines.empty()) spectrum.window_s = times.back() - times.front();
  return spectrum;
}

// Bands are no narrower than the lines of any run lie apart, so that none is empty.
void sort_into_bands(const std::vector<RunSpectrum>& spectra, Waterfall& waterfall) {
  double highest = 0, widest = 0;
  waterfall.window_s = INFINITY;
  for (const auto& [lines, window_s] : spectra) {
    if (lines.empty()) continue;
    highest = std::max(highest, highest_worth_showing(lines));
    widest = std::max(widest, lines.front().frequency_Hz);  // the first line is as far from 0 as from the next one
    waterfall.window_s = std::min(waterfall.window_s, window_s);
  }
  waterfall.band_Hz = std::max(widest, highest / static_cast<double>(kMostBands));
  waterfall.bands = std::max<std::size_t>(1, static_cast<std::size_t>(highest / waterfall.band_Hz + 1e-9));
  for (const auto& [lines, window_s] : spectra) {
    if (lines.empty()) continue;
    std::vector<double>& levels = waterfall.levels.emplace_back(waterfall.bands, 0.0);
    for (const auto& [frequency_Hz, amplitude] : lines) {
      const auto band = static_cast<std::size_t>(std::max(0.0, frequency_Hz / waterfall.band_Hz - 0.5));
      if (band >= waterfall.bands) break;
      levels[band] = std::max(levels[band], amplitude);
      waterfall.largest = std::max(waterfall.largest, amplitude);
    }
  }
}

}  // namespace

Waterfall make_waterfall(const SweepTable& table, const WaterfallRequest& request,
                         const std::atomic<bool>* stop_requested) {
  if (table.rows.empty()) throw PlotError("the study has no runs yet");
  const std::size_t across = parameter_across(table, request.against);
  Waterfall waterfall;
  waterfall.parameter = table.header.parameters[across];
  waterfall.channel = request.channel;
  const StudyMembers members(table, request.model);
  const std::vector<const SweepRow*> rows = rows_along(table, across, waterfall);
  std::vector<RunSpectrum> spectra(rows.size());
  for (const SweepRow* row : rows) {
    if (row->status != SweepStatus::kCompleted) continue;
    waterfall.unit = unit_of_channel(members.member(row->index), request.channel);
    break;
  }
  const auto work = [&](std::size_t i) {
    if (rows[i]->status == SweepStatus::kCompleted)
      spectra[i] = spectrum_of(members.member(rows[i]->index), request, stop_requested);
    return stop_requested == nullptr || !stop_requested->load(std::memory_order_relaxed);
  };
  if (work_in_parallel(rows.size(), worker_count(request.workers), stop_requested, work) < rows.size())
    throw PlotError("the waterfall was interrupted");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (spectra[i].lines.empty()) {
      ++waterfall.left_out;
      continue;
    }
    waterfall.runs.push_back(rows[i]->index);
    waterfall.values.push_back(rows[i]->values[across]);
  }
  if (waterfall.runs.empty())
    throw PlotError(fmt::format("no run of the study has a spectrum of '{}'", request.channel),
                    "runs need at least 8 rows between --from and --to, and have to end well");
  sort_into_bands(spectra, waterfall);
  return waterfall;
}

}  // namespace freeplay::study

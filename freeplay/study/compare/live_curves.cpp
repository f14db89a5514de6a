#include "freeplay/study/compare/live_curves.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace freeplay::study {

namespace {

using LiveJson = nlohmann::ordered_json;

constexpr std::size_t kFewRows = 600;
constexpr std::size_t kBuckets = kFewRows / 2;  // each with its lowest and its highest row

void add_times(const std::vector<double>& time, const std::vector<double>& values, std::vector<double>& grid) {
  if (time.size() <= kFewRows) {
    grid.insert(grid.end(), time.begin(), time.end());
    return;
  }
  grid.push_back(time.front());
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const std::size_t first = b * time.size() / kBuckets, end = (b + 1) * time.size() / kBuckets;
    std::size_t low = first, high = first;
    for (std::size_t i = first; i < end; ++i) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    grid.push_back(time[low]);
    grid.push_back(time[high]);
  }
  grid.push_back(time.back());
}

// All digits: the page subtracts runs that nearly agree.
LiveJson number_json(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

LiveJson channel_json(const Comparison& comparison, const std::string& name, const std::string& unit) {
  std::vector<double> grid;
  for (const StudyRun& run : comparison.runs) {
    const std::vector<double>* values = run.has_data() ? run.trace.find(name) : nullptr;
    if (values != nullptr) add_times(run.trace.time, *values, grid);
  }
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  LiveJson json = {{"name", name}, {"unit", unit}, {"time", LiveJson::array()}, {"values", LiveJson::array()}};
  for (const double t : grid) json["time"].push_back(number_json(t));
  for (const StudyRun& run : comparison.runs) {
    const std::vector<double>* values = run.has_data() ? run.trace.find(name) : nullptr;
    LiveJson list = LiveJson::array();
    for (const double t : grid) {
      const bool is_inside = values != nullptr && t >= run.trace.time.front() && t <= run.trace.time.back();
      list.push_back(is_inside ? number_json(value_at(run.trace.time, *values, t)) : LiveJson());
    }
    json["values"].push_back(std::move(list));
  }
  return json;
}

}  // namespace

int style_of_run(const Comparison& comparison, std::size_t run) {
  const std::size_t reference = comparison.reference.value_or(0);
  if (run == reference) return 0;
  return static_cast<int>(run < reference ? run + 1 : run);
}

std::string live_curves_json(const Comparison& comparison) {
  LiveJson json = {{"reference", comparison.reference.value_or(0)}, {"runs", LiveJson::array()}};
  for (std::size_t i = 0; i < comparison.runs.size(); ++i)
    json["runs"].push_back({{"label", comparison.runs[i].label},
                            {"style", style_of_run(comparison, i)},
                            {"has_data", comparison.runs[i].has_data()}});
  json["channels"] = LiveJson::array();
  for (const std::string& name : comparison.curves) {
    const StudyRun& reference = comparison.runs[comparison.reference.value_or(0)];
    std::string unit;
    for (const ChannelInfo& info : reference.trace.channels) {
      if (info.name == name) unit = info.unit;
    }
    json["channels"].push_back(channel_json(comparison, name, unit));
  }
  json["marks"] = LiveJson::array();
  for (const PairReport& pair : comparison.pairs) {
    if (!pair.partings.empty()) json["marks"].push_back({{"run", pair.run}, {"time", pair.agrees_until_s}});
  }
  json["shaded_from"] = nullptr;
  if (comparison.twin && comparison.twin->parted_at_s) json["shaded_from"] = *comparison.twin->parted_at_s;
  const std::string text = json.dump(-1, ' ', true, LiveJson::error_handler_t::replace);
  // No name may end the element that it stands in.
  std::string safe;
  for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

}  // namespace freeplay::study

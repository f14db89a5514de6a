#include "freeplay/study/sweep/statistics/sweep_statistics.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace freeplay::study {

namespace {

// Freedman and Diaconis: parts that are as wide as the scatter of the counts allows.
std::size_t histogram_parts(const std::vector<double>& sorted, double between_quartiles) {
  constexpr double kFewest = 8, kMost = 40;
  const double width = 2 * between_quartiles / std::cbrt(static_cast<double>(sorted.size()));
  const double parts = width > 0 ? std::ceil((sorted.back() - sorted.front()) / width) : kFewest;
  return static_cast<std::size_t>(std::clamp(parts, kFewest, kMost));
}

MeasureDistribution distribution_of(std::vector<double> values) {
  MeasureDistribution found;
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  found.runs = static_cast<std::int64_t>(values.size());
  for (const double value : values) found.mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - found.mean) * (value - found.mean);
  found.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
  found.least = values.front();
  found.p5 = sorted_percentile(values, 0.05);
  found.p25 = sorted_percentile(values, 0.25);
  found.median = sorted_percentile(values, 0.5);
  found.p75 = sorted_percentile(values, 0.75);
  found.p95 = sorted_percentile(values, 0.95);
  found.largest = values.back();
  const double width = found.largest - found.least;
  found.histogram.resize(width > 0 ? histogram_parts(values, found.p75 - found.p25) : 1);
  for (const double value : values) {
    const double part = width > 0 ? (value - found.least) / width * static_cast<double>(found.histogram.size()) : 0;
    ++found.histogram[std::min(static_cast<std::size_t>(part), found.histogram.size() - 1)];
  }
  return found;
}

}  // namespace

double sorted_percentile(std::span<const double> sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

StudySampling sampling_of(const SweepTable& table) {
  StudySampling sampling;
  const auto text = table.header.attributes.find("study");
  if (text == table.header.attributes.end()) return sampling;
  const auto study = nlohmann::json::parse(text->second, nullptr, false);
  if (!study.is_object()) return sampling;
  if (const auto sample = study.find("sample"); sample != study.end() && sample->is_string()) {
    const std::string words = sample->get<std::string>();
    sampling.kind = words.substr(0, words.find(':'));
  }
  if (const auto seed = study.find("seed"); seed != study.end() && seed->is_number_unsigned())
    sampling.seed = seed->get<std::uint64_t>();
  if (const auto over = study.find("over"); over != study.end() && over->is_array()) {
    for (const auto& axis : *over) {
      if (!axis.is_string()) continue;
      std::string name = axis.get<std::string>();
      name.resize(std::min(name.find('='), name.size()));
      while (name.ends_with(' ')) name.pop_back();
      sampling.ranges.push_back(std::move(name));
    }
  }
  return sampling;
}

std::vector<MeasureDistribution> distributions_of(const SweepTable& table) {
  const std::string kind = sampling_of(table).kind;
  std::vector<MeasureDistribution> found;
  if (kind.empty() || kind == "morris") return found;
  const std::size_t parameters = table.header.parameters.size();
  const auto is_independent = [&](const SweepRow& row) {
    return kind != "sobol" || row.index % static_cast<std::int64_t>(parameters + 2) < 2;
  };
  for (std::size_t m = 0; m < table.header.measures.size(); ++m) {
    std::vector<double> values;
    std::int64_t left_out = 0;
    for (const SweepRow& row : table.rows) {
      if (!is_independent(row)) continue;
      const double value = row.values.at(parameters + m);
      std::isfinite(value) ? values.push_back(value) : static_cast<void>(++left_out);
    }
    if (values.empty()) continue;
    found.push_back(distribution_of(std::move(values)));
    found.back().measure = table.header.measures[m].name;
    found.back().unit = table.header.measures[m].unit;
    found.back().left_out = left_out;
  }
  return found;
}

nlohmann::ordered_json distributions_json(const std::vector<MeasureDistribution>& distributions) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const MeasureDistribution& found : distributions) {
    nlohmann::ordered_json& entry = object[found.measure];
    entry["unit"] = found.unit;
    entry["runs"] = found.runs;
    entry["left_out"] = found.left_out;
    entry["mean"] = found.mean;
    entry["deviation"] = found.deviation;
    entry["least"] = found.least;
    entry["p5"] = found.p5;
    entry["p25"] = found.p25;
    entry["median"] = found.median;
    entry["p75"] = found.p75;
    entry["p95"] = found.p95;
    entry["largest"] = found.largest;
    entry["histogram"] = found.histogram;
  }
  return object;
}

}  // namespace freeplay::study

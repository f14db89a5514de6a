#include "text/study_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "freeplay/study/sweep/statistics/sensitivity.h"
#include "freeplay/study/sweep/statistics/sweep_statistics.h"
#include "terminal/text_table.h"

namespace freeplay::app {

namespace {

// One character per part, from a low block to a full one; a part without runs is blank.
std::string histogram_text(const std::vector<std::int64_t>& histogram) {
  constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::int64_t most = *std::max_element(histogram.begin(), histogram.end());
  std::string text;
  for (const std::int64_t count : histogram) text += count == 0 ? " " : kBlocks[(count * 8 - 1) / most];
  return text;
}

void print_distributions(const std::vector<MeasureDistribution>& distributions, const Painter& paint) {
  if (distributions.empty()) return;
  TextTable table("lrrrrrl");
  table.add({paint.dim("distribution"), paint.dim("mean"), paint.dim("deviation"), paint.dim("5 %"),
             paint.dim("median"), paint.dim("95 %"), paint.dim("from the least to the largest")});
  for (const MeasureDistribution& found : distributions) {
    table.add({printable(found.measure), short_number(found.mean), short_number(found.deviation),
               short_number(found.p5), short_number(found.median), short_number(found.p95),
               "|" + histogram_text(found.histogram) + "|"});
  }
  fmt::print("{}", table.text());
}

std::string bounds_text(const Estimate& estimate) {
  return fmt::format("{:.3g} to {:.3g}", estimate.low, estimate.high);
}

void print_sensitivity(const Sensitivities& all, const MeasureSensitivity& found, const Painter& paint) {
  const bool is_sobol = !found.sobol.empty();
  TextTable table(is_sobol ? "lrlrl" : "lrlrr");
  if (is_sobol)
    table.add({printable(found.measure), paint.dim("alone"), paint.dim("95 %"), paint.dim("total"), paint.dim("95 %")});
  else
    table.add({printable(found.measure), paint.dim("mean size"), paint.dim("95 %"), paint.dim("mean"),
               paint.dim("deviation")});
  for (std::size_t k = 0; k < all.parameters.size(); ++k) {
    if (is_sobol) {
      const SobolIndices& of = found.sobol[k];
      table.add({"  " + printable(all.parameters[k]), fmt::format("{:.3f}", of.first.value), bounds_text(of.first),
                 fmt::format("{:.3f}", of.total.value), bounds_text(of.total)});
    } else {
      const MorrisEffects& of = found.morris[k];
      table.add({"  " + printable(all.parameters[k]), fmt::format("{:.4g}", of.mean_size.value),
                 bounds_text(of.mean_size), fmt::format("{:.4g}", of.mean), fmt::format("{:.4g}", of.deviation)});
    }
  }
  fmt::print("{}", table.text());
  if (found.left_out > 0)
    fmt::print("  {} left out, since runs of them have no {}\n", counted(found.left_out, is_sobol ? "block" : "walk"),
               printable(found.measure));
}

// What run_worst_case() has found; null if it was no search, or if another program has written something else there.
nlohmann::ordered_json worst_case_of(const SweepTable& table) {
  const auto text = table.header.attributes.find("worst");
  if (text == table.header.attributes.end()) return nullptr;
  nlohmann::ordered_json worst = nlohmann::ordered_json::parse(text->second, nullptr, false);
  const auto has_text = [](const nlohmann::ordered_json& object, const char* key) {
    return object.contains(key) && object[key].is_string();
  };
  const auto has_flag = [](const nlohmann::ordered_json& object, const char* key) {
    return object.contains(key) && object[key].is_boolean();
  };
  const auto has_values = [](const nlohmann::ordered_json& object) {
    return object.contains("value") && object.contains("nominal");
  };
  if (!worst.is_object() || !has_text(worst, "goal") || !has_text(worst, "measure") || !has_text(worst, "unit") ||
      !has_flag(worst, "is_converged") || !has_values(worst) || !worst.contains("parameters"))
    return nullptr;
  for (const nlohmann::ordered_json& parameter : worst["parameters"]) {
    if (!parameter.is_object() || !has_text(parameter, "unit") || !has_flag(parameter, "is_at_an_end") ||
        !has_values(parameter))
      return nullptr;
  }
  return worst;
}

void print_worst_case(const nlohmann::ordered_json& worst, const Painter& paint) {
  const auto number = [](const nlohmann::ordered_json& value) {
    return short_number(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
  };
  TextTable table("lrrl");
  table.add({paint.dim(worst["goal"] == "max" ? "largest" : "least"), paint.dim("worst"), paint.dim("nominal"), ""});
  table.add({printable(worst["measure"].get<std::string>()), number(worst["value"]), number(worst["nominal"]),
             printable(worst["unit"].get<std::string>())});
  for (const auto& [name, parameter] : worst["parameters"].items()) {
    const bool is_at_an_end = parameter["is_at_an_end"];
    table.add({"  " + printable(name), number(parameter["value"]), number(parameter["nominal"]),
               printable(parameter["unit"].get<std::string>()) + (is_at_an_end ? ", an end of its range" : "")});
  }
  fmt::print("{}", table.text());
  if (!worst["is_converged"])
    fmt::print("{} the search ran out of runs; --worst {}:{}:N gives it more\n", paint.yellow("note:"),
               printable(worst["goal"].get<std::string>()), printable(worst["measure"].get<std::string>()));
}

}  // namespace

void print_study_statistics(const SweepTable& table, const Painter& paint) {
  if (const nlohmann::ordered_json worst = worst_case_of(table); worst.is_object()) print_worst_case(worst, paint);
  print_distributions(distributions_of(table), paint);
  const std::optional<Sensitivities> sensitivities = sensitivities_of(table);
  if (!sensitivities) return;
  for (const MeasureSensitivity& found : sensitivities->measures) print_sensitivity(*sensitivities, found, paint);
}

void add_study_statistics(const SweepTable& table, nlohmann::ordered_json& object) {
  const std::vector<MeasureDistribution> distributions = distributions_of(table);
  if (nlohmann::ordered_json worst = worst_case_of(table); worst.is_object()) object["worst"] = std::move(worst);
  if (!distributions.empty()) object["distributions"] = distributions_json(distributions);
  if (const std::optional<Sensitivities> sensitivities = sensitivities_of(table))
    object["sensitivity"] = sensitivities_json(*sensitivities);
}

}  // namespace freeplay::app

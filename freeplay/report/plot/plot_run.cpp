#include "freeplay/report/plot/plot_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "freeplay/core/error.h"

namespace freeplay::report {

namespace {

std::string key_of(const std::string& override_text) {
  return override_text.substr(0, override_text.find('='));
}

RunFacts facts_of(const ResultReader& result) {
  RunFacts facts{attribute(result, "name"), attribute(result, "integrator"), attribute(result, "solver"), "", {}, {}};
  const std::filesystem::path& path = result.path();
  facts.path = path.filename() == "result.h5" && path.has_parent_path() ? path.parent_path().filename().string()
                                                                        : path.stem().string();
  const auto overrides = nlohmann::ordered_json::parse(attribute(result, "overrides"), nullptr, false);
  if (overrides.is_array()) {
    for (const auto& entry : overrides) {
      if (entry.is_string()) facts.overrides.push_back(entry.get<std::string>());
    }
  }
  const auto parameters = nlohmann::ordered_json::parse(attribute(result, "parameters"), nullptr, false);
  if (parameters.is_object()) {
    for (const auto& [name, value] : parameters.items()) {
      if (value.contains("text") && value["text"].is_string())
        facts.parameters.emplace_back(name, value["text"].get<std::string>());
    }
  }
  return facts;
}

// "step=1us" of "simulate.step=1us": the section is clear from the name.
std::string without_section(const std::string& text) {
  constexpr std::string_view kSection = "simulate.";
  return text.starts_with(kSection) ? text.substr(kSection.size()) : text;
}

template <typename Member>
bool differ(const std::vector<RunFacts>& runs, Member member) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const RunFacts& run) { return run.*member != runs.front().*member; });
}

bool is_common(const std::vector<RunFacts>& runs, const std::string& text) {
  return std::all_of(runs.begin(), runs.end(), [&](const RunFacts& run) {
    return std::find(run.overrides.begin(), run.overrides.end(), text) != run.overrides.end();
  });
}

}  // namespace

std::string attribute(const ResultReader& result, const std::string& name) {
  const auto found = result.attributes().find(name);
  return found == result.attributes().end() ? "" : found->second;
}

std::vector<std::string> run_labels(const std::vector<RunFacts>& runs) {
  if (runs.size() < 2) return std::vector<std::string>(runs.size());
  const bool models = differ(runs, &RunFacts::model), integrators = differ(runs, &RunFacts::integrator),
             solvers = differ(runs, &RunFacts::solver);
  std::set<std::string> keys;  // that some run changed, and not all alike
  for (const RunFacts& run : runs) {
    for (const std::string& text : run.overrides) {
      if (!is_common(runs, text)) keys.insert(key_of(text));
    }
  }
  std::vector<std::string> labels;
  for (const RunFacts& run : runs) {
    std::vector<std::string> parts;
    if (models) parts.push_back(run.model);
    std::set<std::string> shown;
    for (const auto& [name, text] : run.parameters) {
      // A run that kept the value of the file shows it too: "c=1 mm" beside "c=0.5 mm".
      if (keys.contains(name)) parts.push_back(fmt::format("{}={}", name, text)), shown.insert(name);
    }
    for (const std::string& text : run.overrides) {
      const std::string key = key_of(text);
      const bool is_told = (integrators && key == "simulate.integrator") || (solvers && key == "simulate.solver");
      if (keys.contains(key) && !shown.contains(key) && !is_told) parts.push_back(without_section(text));
    }
    if (integrators) parts.push_back(run.integrator);
    if (solvers) parts.push_back(run.solver);
    labels.push_back(parts.empty() ? "as in the file" : fmt::format("{}", fmt::join(parts, ", ")));
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool is_unique = std::count(labels.begin(), labels.end(), labels[i]) == 1;
    if (!is_unique && differ(runs, &RunFacts::path)) {
      for (std::size_t k = 0; k < runs.size(); ++k) labels[k] = runs[k].path;
      break;
    }
  }
  return labels;
}

std::vector<PlotRun> open_runs(const std::vector<NamedResult>& results) {
  std::vector<PlotRun> runs;
  std::vector<RunFacts> facts;
  for (const NamedResult& result : results) {
    runs.push_back({ResultReader(result.path), ""});
    facts.push_back(facts_of(runs.back().result));
  }
  const std::vector<std::string> labels = run_labels(facts);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].label = results[i].label.empty() ? labels[i] : results[i].label;
  return runs;
}

RowSpan row_span(const ResultReader& result, double from_s, double to_s) {
  const auto time_of = [&](std::int64_t row) {
    double time = 0;
    result.read_time(row, {&time, 1});
    return time;
  };
  // The first row whose time is not below (or, for `beyond`, is above) the limit.
  const auto find = [&](double limit, bool beyond) {
    std::int64_t low = 0, high = result.rows();
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      const double time = time_of(middle);
      if (time < limit || (beyond && time == limit))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  RowSpan span;
  span.first = find(from_s, false);
  span.count = std::max<std::int64_t>(0, find(to_s, true) - span.first);
  if (span.count > 0) span.from_s = time_of(span.first), span.to_s = time_of(span.first + span.count - 1);
  return span;
}

}  // namespace freeplay::report

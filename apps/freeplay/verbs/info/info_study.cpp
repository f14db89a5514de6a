#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "freeplay/study/dynamics/attractors.h"
#include "session/study_access.h"
#include "terminal/json_output.h"
#include "terminal/text_table.h"
#include "text/error_report.h"
#include "text/study_statistics.h"
#include "verbs/info/info.h"

namespace freeplay::app {

namespace {

using Json = nlohmann::ordered_json;

struct ColumnFacts {
  double least = NAN, largest = NAN;
  std::set<double> values;

  void add(double value) {
    least = std::fmin(least, value);
    largest = std::fmax(largest, value);
    values.insert(value);
  }
};

ColumnFacts facts_of_value(const SweepTable& table, std::size_t column) {
  ColumnFacts facts;
  for (const SweepRow& row : table.rows) {
    if (!std::isnan(row.values[column])) facts.add(row.values[column]);
  }
  return facts;
}

ColumnFacts facts_of_point(const SweepTable& table, std::size_t column) {
  ColumnFacts facts;
  for (const SweepRow& row : table.rows) {
    for (std::size_t i = column; i < row.crossings.size(); i += table.header.section.size()) {
      if (!std::isnan(row.crossings[i])) facts.add(row.crossings[i]);
    }
  }
  return facts;
}

struct StudyFacts {
  explicit StudyFacts(const SweepTable& table) {
    for (const SweepRow& row : table.rows) {
      without_measures += row.status != SweepStatus::kCompleted ? 1 : 0;
      crossings += static_cast<long long>(table.crossing_count(row));
    }
    const auto found = table.header.attributes.find("study");
    if (found != table.header.attributes.end()) request = Json::parse(found->second, nullptr, false);
    if (!table.header.section.empty()) attractors = find_attractors(table);
  }
  long long without_measures = 0, crossings = 0;
  Json request = Json::object();
  Attractors attractors;
};

std::string attribute_or_nothing(const SweepTable& table, const char* name) {
  const auto found = table.header.attributes.find(name);
  return found == table.header.attributes.end() ? "" : found->second;
}

void print_columns(const SweepTable& table, const Painter& paint) {
  const SweepHeader& header = table.header;
  TextTable rows("llrrll");
  rows.add({"", "", paint.dim("least"), paint.dim("largest"), "", ""});
  const auto add = [&](const char* kind, const SweepColumn& column, const ColumnFacts& facts, bool counts_values) {
    const bool has_numbers = column.words.empty() && !facts.values.empty();
    rows.add({kind, printable(column.name), has_numbers ? short_number(facts.least) : "",
              has_numbers ? short_number(facts.largest) : "", column.unit == "1" ? "" : printable(column.unit),
              counts_values ? counted(static_cast<long long>(facts.values.size()), "value") : ""});
  };
  for (std::size_t i = 0; i < header.parameters.size(); ++i)
    add("parameter", header.parameters[i], facts_of_value(table, i), true);
  for (std::size_t i = 0; i < header.measures.size(); ++i)
    add("measure", header.measures[i], facts_of_value(table, header.parameters.size() + i), false);
  for (std::size_t i = 1; i < header.section.size(); ++i)
    add("point", header.section[i], facts_of_point(table, i), false);
  fmt::print("{}", rows.text());
}

// Each of a few; of many, as along a parameter, how many runs have which period.
void print_attractors(const SweepTable& table, const Attractors& found, const Painter& paint) {
  constexpr std::size_t kMostAttractors = 12;
  if (found.list.empty()) return;
  fmt::print("{}\n", paint.bold("Attractors"));
  TextTable rows("rl");
  std::map<int, std::int64_t> runs_by_period;
  for (const Attractor& attractor : found.list) runs_by_period[attractor.period] += attractor.runs;
  if (found.list.size() <= kMostAttractors) {
    for (const Attractor& attractor : found.list)
      rows.add({counted(attractor.runs, "run"), printable(attractor_text(table, attractor))});
  } else {
    for (const auto& [period, runs] : runs_by_period)
      rows.add({counted(runs, "run"), period == 0 ? "not periodic" : fmt::format("period {}", period)});
  }
  fmt::print("{}", rows.text());
}

// What runs have warned of is not kept; why the first one has no measures is.
void add_endings(const SweepTable& table, TextTable& head) {
  const auto warned =
      std::count_if(table.rows.begin(), table.rows.end(), [](const SweepRow& row) { return row.warnings > 0; });
  if (warned > 0) head.add({"with warnings", fmt::format("{}; `freeplay view --run N` shows which", grouped(warned))});
  const auto failed = std::find_if(table.rows.begin(), table.rows.end(),
                                   [](const SweepRow& row) { return row.status != SweepStatus::kCompleted; });
  if (failed != table.rows.end() && !failed->message.empty())
    head.add({fmt::format("run {}", failed->index), printable(failed->message)});
}

void print_study_text(const SweepTable& table, const std::filesystem::path& path) {
  const Painter paint(stdout);
  const StudyFacts facts(table);
  fmt::print("{}  a study, {}\n", paint.bold(printable(attribute_or_nothing(table, "name"))),
             table.is_complete() ? paint.green("complete") : paint.yellow("not complete"));
  TextTable head("ll");
  head.add({"file", printable(path.string())});
  head.add({"model", printable(attribute_or_nothing(table, "model_file"))});
  head.add({"freeplay", printable(attribute_or_nothing(table, "version"))});
  head.add({"runs", fmt::format("{} of {}, {} without measures", grouped(static_cast<long long>(table.rows.size())),
                                grouped(table.header.runs), grouped(facts.without_measures))});
  add_endings(table, head);
  const auto text_of = [&](const char* key) {
    return facts.request.is_object() && facts.request.contains(key) ? facts.request[key].dump() : std::string();
  };
  for (const char* key :
       {"set", "over", "sample", "worst", "section", "skip", "turns", "follow", "lyapunov", "orbit"}) {
    const std::string text = text_of(key);
    if (!text.empty() && text != "[]" && text != "\"\"") head.add({key, printable(text)});
  }
  if (table.header.is_compiled()) {
    const auto left = std::count_if(table.rows.begin(), table.rows.end(),
                                    [](const SweepRow& row) { return row.is_left_to_engine(); });
    head.add({"backend", fmt::format("{}, not watched for warnings; {} left to the engine",
                                     printable(attribute_or_nothing(table, "backend")), grouped(left))});
  }
  if (!table.header.section.empty()) head.add({"points in the section", grouped(facts.crossings)});
  fmt::print("{}", head.text());
  print_columns(table, paint);
  print_study_statistics(table, paint);
  print_attractors(table, facts.attractors, paint);
}

Json columns_json(const std::vector<SweepColumn>& columns) {
  Json list = Json::array();
  for (const SweepColumn& column : columns) {
    list.push_back({{"name", column.name}, {"unit", column.unit}});
    if (!column.words.empty()) list.back()["words"] = column.words;
  }
  return list;
}

void print_study_json(const SweepTable& table, const std::filesystem::path& path) {
  const StudyFacts facts(table);
  Json attractors = Json::array();
  for (const Attractor& attractor : facts.attractors.list)
    attractors.push_back({{"period", attractor.period}, {"runs", attractor.runs}, {"points", attractor.points}});
  Json object = {{"kind", "study"},
                 {"file", path.string()},
                 {"name", attribute_or_nothing(table, "name")},
                 {"model_file", attribute_or_nothing(table, "model_file")},
                 {"version", attribute_or_nothing(table, "version")},
                 {"study", facts.request},
                 {"runs", table.header.runs},
                 {"done", table.rows.size()},
                 {"without_measures", facts.without_measures},
                 {"parameters", columns_json(table.header.parameters)},
                 {"measures", columns_json(table.header.measures)},
                 {"section", columns_json(table.header.section)},
                 {"crossings", facts.crossings},
                 {"attractors", std::move(attractors)}};
  add_study_statistics(table, object);
  print_json(object);
}

}  // namespace

void print_study_info(const std::filesystem::path& study, bool json) {
  const SweepTable table = open_study(study);
  json ? print_study_json(table, study) : print_study_text(table, study);
}

}  // namespace freeplay::app

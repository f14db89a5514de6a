// A result that a figure is made of, and what tells it from the others in the same figure.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

struct PlotRun {
  ResultReader result;
  std::string label;  // "c=0.5 mm, lemke"; empty for a run alone
};

struct NamedResult {
  std::filesystem::path path;
  std::string label;  // empty: to be found
};
// Opens them. Labels say what differs: parameters, other overrides, integrator, solver; else the path.
std::vector<PlotRun> open_runs(const std::vector<NamedResult>& results);

// What is known about one run, and the labels for several.
struct RunFacts {
  std::string model, integrator, solver, path;
  std::vector<std::string> overrides;                           // "c=0.5mm", "simulate.step=1us"
  std::vector<std::pair<std::string, std::string>> parameters;  // name and text
};
std::vector<std::string> run_labels(const std::vector<RunFacts>& runs);

// The rows from time `from_s` to `to_s`.
struct RowSpan {
  std::int64_t first = 0, count = 0;
  double from_s = 0, to_s = 0;
};
RowSpan row_span(const ResultReader& result, double from_s, double to_s);

// "" if the file has no such text.
std::string attribute(const ResultReader& result, const std::string& name);

}  // namespace freeplay::report

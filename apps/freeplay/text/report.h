// The end of a run, for people and for programs.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "exit_code.h"
#include "freeplay/report/findings/run_findings.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::app {

struct DumpedProblems {
  std::int64_t written = 0, left_out = 0;
};

struct RunReport {
  bool is_strict = false;  // warnings count
  RunSummary summary;
  std::string model;  // the model's name
  std::string integrator;
  std::filesystem::path result;
  std::vector<std::string> notes;          // what assembly did, what is redundant
  std::vector<std::string> warnings;       // from the run
  std::optional<DumpedProblems> problems;  // with --dump-problems
  std::optional<RunFindings> findings;     // of the result, where that takes no longer than a moment
};

ExitCode exit_code_of(const RunSummary& summary);
ExitCode exit_code_of(const RunReport& report);
// What a user may do about a failed run.
std::string cure_of(StepStatus failure);

// A measure as people read it; without a unit if it is a plain number.
std::string measure_number(const MeasuredValue& measure);
std::string measure_unit(const MeasuredValue& measure);

void print_table(const RunReport& report);
void print_json(const RunReport& report);
// The keys of a summary as docs/reference/command.md lists them, SI throughout.
nlohmann::ordered_json summary_json(const RunSummary& summary);

}  // namespace freeplay::app

// `freeplay run --dump-problems`: the contact problems of a run as files, for other solvers and for `freeplay solve`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "freeplay/simulation/simulation.h"

namespace freeplay::app {

struct ProblemDumpOptions {
  int every = 1;           // of the steps that have a contact problem
  bool only_hard = false;  // see is_hard()
  std::filesystem::path folder;
  std::string model;  // its name, for the title of a file
};

// "1", "20" or "hard". Throws UsageError.
ProblemDumpOptions parse_problem_dump(const std::string& text);

// No solution was found, or only by a solver other than the one asked for, or after more than twice as many iterations
// as there are rows and 20 more: most problems take Lemke's method less than one pivot per row, and Newton's less than
// 20 iterations.
bool is_hard(const StepProblem& step);

class ProblemDump {
 public:
  explicit ProblemDump(ProblemDumpOptions options) : options_(std::move(options)) {}

  // Writes <folder>/<step>.hdf5 if the step is to be kept. Throws IoError.
  void operator()(const StepProblem& step);

  std::int64_t written() const { return written_; }
  std::int64_t left_out() const;
  // What was written, and what was not and why.
  std::vector<std::string> notes() const;

 private:
  void remove_earlier_files() const;

  ProblemDumpOptions options_;
  std::int64_t seen_ = 0, written_ = 0;
  std::map<std::string, std::int64_t> obstacles_;
};

}  // namespace freeplay::app

#include "session/problem_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "freeplay/io/problem/contact_problem_file.h"
#include "terminal/text_table.h"
#include "text/error_report.h"

namespace freeplay::app {

namespace fs = std::filesystem;

ProblemDumpOptions parse_problem_dump(const std::string& text) {
  ProblemDumpOptions options;
  if (text == "hard") {
    options.only_hard = true;
    return options;
  }
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, options.every);
  if (error != std::errc() || rest != end || options.every < 1) {
    throw UsageError(fmt::format("--dump-problems={} is neither a count of steps nor 'hard'", text),
                     "write --dump-problems, --dump-problems=20 for every 20th, or --dump-problems=hard");
  }
  return options;
}

bool is_hard(const StepProblem& step) {
  constexpr int kIterationsPerRow = 2, kFreeIterations = 20;
  return step.report.status != StepStatus::kOk || step.report.used_fallback ||
         step.report.iterations > kFreeIterations + kIterationsPerRow * step.problem.size();
}

void ProblemDump::operator()(const StepProblem& step) {
  if (seen_ == 0) remove_earlier_files();
  const bool is_wanted = options_.only_hard ? is_hard(step) : seen_ % options_.every == 0;
  ++seen_;
  if (!is_wanted) return;
  if (const std::string obstacle = obstacle_to_contact_problem(step.problem); !obstacle.empty()) {
    ++obstacles_[obstacle];
    return;
  }
  ContactProblem problem = contact_problem_from(step.problem);
  problem.title = fmt::format("{}, step {}", options_.model, step.step);
  problem.description = fmt::format(
      "The contact problem of the step of {} s that begins at t = {} s; impulses in N s, velocities in m/s.",
      step.report.size_s, step.start_s);
  write_contact_problem(options_.folder / fmt::format("{:06}.hdf5", step.step), problem);
  ++written_;
}

// Those of an earlier run would be taken for this one's. Files of other names are somebody else's.
void ProblemDump::remove_earlier_files() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(options_.folder, error)) {
    const std::string stem = entry.path().stem().string();
    const bool is_number =
        !stem.empty() && std::all_of(stem.begin(), stem.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number && entry.path().extension() == ".hdf5") fs::remove(entry.path(), error);
  }
}

std::int64_t ProblemDump::left_out() const {
  std::int64_t count = 0;
  for (const auto& [obstacle, times] : obstacles_) count += times;
  return count;
}

std::vector<std::string> ProblemDump::notes() const {
  std::vector<std::string> texts;
  texts.push_back(fmt::format("{} of {} contact problems written to {}", grouped(written_), grouped(seen_),
                              options_.folder.string()));
  for (const auto& [obstacle, times] : obstacles_) {
    texts.push_back(fmt::format("{} left out, since the file has no place for it: {}",
                                counted(times, "contact problem"), obstacle));
  }
  return texts;
}

}  // namespace freeplay::app

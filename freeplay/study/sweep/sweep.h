// A family of runs: every point of a plan is run, and its measures go into one file. Runs share nothing but the model,
// so the file has the same bits however many workers there are, and whatever came between.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/study/sweep/runs/sweep_runner.h"
#include "freeplay/study/sweep/workers/ranks.h"

namespace freeplay::study {

inline constexpr const char* kSweepFileName = "sweep.h5";

// One of `count` shares of a study, for jobs that know nothing of each other: every count-th point.
struct SweepPart {
  int index = 0, count = 1;
};
SweepPart parse_sweep_part(const std::string& text);  // "3/16". Throws ModelError with the place "--part".

struct SweepOptions {
  std::filesystem::path out;      // the folder
  int workers = 0;                // 0: one per core
  std::optional<SweepPart> part;  // writes part-INDEX-of-COUNT.h5, which the whole study takes up later
  bool must_exist = false;        // --resume: there has to be something to go on with
};

struct SweepProgress {
  std::int64_t runs = 0, earlier = 0, done = 0, without_measures = 0;  // `earlier` of those done were there before
};

// Who watches. Every member may be empty.
struct SweepHooks {
  const std::atomic<bool>* stop_requested = nullptr;
  std::function<void()> begins;  // all is checked, the first run starts
  std::function<void(const SweepProgress&)> progress;
  // Called when a request to stop has not been followed for 0.8 s, for a step of a run can take minutes and a thread
  // cannot be ended: all runs that are done are in the file, and the process is to end here. Empty: it is waited for.
  std::function<void()> leave;
  Ranks* ranks = nullptr;  // null, or one of several processes that share the study
};

struct SweepOutcome {
  std::filesystem::path file;
  std::string backend = "engine";   // who ran: "engine", "compiled" or "cuda"
  std::string backend_note;         // why it was not another one that was tried
  std::int64_t left_to_engine = 0;  // of this process: runs that compiled code was not sure of
  SweepProgress progress;
  SweepTable table;  // of this part, or of all; empty on other ranks than 0
  bool was_interrupted = false;
  double wall_seconds = 0;
};

// The folder holds another study.
class OtherStudy : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Goes on where an earlier call, or its parts, have left off. Throws ModelError for what is wrong with the plan,
// OtherStudy, and IoError.
SweepOutcome run_sweep(const SweepPlan& plan, const SweepOptions& options, const SweepHooks& hooks);

// The columns in the order given: parameters, then measures. "nan" for measures of a run without; parameters that are
// words as words. Runs that are not there yet have no line. Of a study with a section: a line per crossing, with the
// parameters, its time and its points.
std::string sweep_csv(const SweepTable& table);

}  // namespace freeplay::study

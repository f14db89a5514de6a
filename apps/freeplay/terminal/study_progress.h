// How far a family of runs has got, on stderr: a bar on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <string_view>

#include "freeplay/study/sweep/sweep.h"
#include "terminal/progress.h"

namespace freeplay::app {

class StudyProgress {
 public:
  explicit StudyProgress(Progress::Mode mode) : mode_(mode) {}
  ~StudyProgress();  // clears the bar
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;

  // On a terminal: what happens before the first run.
  void prepare(std::string_view what);
  void update(const SweepProgress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  Progress::Mode mode_;
  Clock::time_point start_ = Clock::now(), next_ = start_;
  bool is_drawn_ = false, has_begun_ = false;
};

}  // namespace freeplay::app

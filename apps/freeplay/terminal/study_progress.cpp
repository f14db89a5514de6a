#include "terminal/study_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "terminal/terminal.h"
#include "terminal/text_table.h"

namespace freeplay::app {

namespace {

constexpr auto kStudyBarInterval = std::chrono::milliseconds(100);
constexpr auto kStudyLineInterval = std::chrono::seconds(5);

}  // namespace

StudyProgress::~StudyProgress() {
  if (!is_drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

void StudyProgress::prepare(std::string_view what) {
  if (mode_ != Progress::Mode::kBar) return;
  fmt::print(stderr, "\r{} ...\x1b[K", what);
  std::fflush(stderr);
  is_drawn_ = true;
}

void StudyProgress::update(const SweepProgress& progress) {
  const Clock::time_point now = Clock::now();
  const bool is_first = !has_begun_;
  if (is_first) start_ = next_ = now;
  has_begun_ = true;
  const bool is_bar = mode_ == Progress::Mode::kBar;
  if (mode_ == Progress::Mode::kSilent || now < next_) return;
  next_ = now + (is_bar ? Clock::duration(kStudyBarInterval) : Clock::duration(kStudyLineInterval));
  if (!is_bar && is_first) return;
  const double fraction =
      static_cast<double>(progress.done) / static_cast<double>(std::max<std::int64_t>(1, progress.runs));
  const auto done_now = static_cast<double>(progress.done - progress.earlier);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left =
      done_now > 0 ? clock_text(elapsed * static_cast<double>(progress.runs - progress.done) / done_now) : "-:--";
  std::string runs = fmt::format("{} of {} runs", grouped(progress.done), grouped(progress.runs));
  if (progress.without_measures > 0) runs += fmt::format(", {} without measures", grouped(progress.without_measures));
  if (!is_bar) {
    fmt::print(stderr, "{:.1f} %, {}, {} left\n", 100 * fraction, runs, left);
    return;
  }
  const std::string tail = fmt::format("  ETA {}  {}", left, runs);
  constexpr int kPercentWidth = 7, kLeastCells = 8, kMostCells = 40;
  const int room = terminal_width(stderr) - kPercentWidth - static_cast<int>(tail.size());
  fmt::print(stderr, "\r{:3.0f} % {}{}\x1b[K", 100 * fraction,
             bar_of_blocks(fraction, std::clamp(room, kLeastCells, kMostCells)), tail);
  std::fflush(stderr);
  is_drawn_ = true;
}

}  // namespace freeplay::app

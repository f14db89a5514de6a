#include "terminal/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "terminal/terminal.h"
#include "terminal/text_table.h"

namespace freeplay::app {

namespace {

constexpr auto kLineInterval = std::chrono::seconds(5);
constexpr int kMinBarCells = 8, kMaxBarCells = 40;

}  // namespace

std::string bar_of_blocks(double fraction, int cells) {
  constexpr std::array kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 8 * cells);
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  bar += kEighths[static_cast<std::size_t>(eighths % 8)];
  const int used = (eighths + 7) / 8;
  for (int i = used; i < cells; ++i) bar += "░";
  return bar;
}

std::string clock_text(double seconds) {
  constexpr double kDay = 86400;
  if (seconds >= 1000 * kDay) return "years";
  if (seconds >= 2 * kDay) return fmt::format("{:.0f} days", seconds / kDay);
  const long long s = std::llround(std::max(seconds, 0.0));
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string time_text(double fraction, double duration_s) {
  const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(duration_s))), 0, 12);
  return fmt::format("t = {:.{}f} of {:.6g} s", fraction * duration_s, decimals, duration_s);
}

Progress::Progress(Mode mode, double duration_s)
    : mode_(mode), duration_s_(duration_s), next_line_(start_ + kLineInterval) {}

Progress::~Progress() {
  clear();
}

double Progress::seconds_since_start() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::update(double fraction, std::int64_t steps) {
  if (mode_ == Mode::kBar) draw_bar(fraction, steps);
  if (mode_ == Mode::kLines && Clock::now() >= next_line_) {
    print_line(fraction, steps);
    next_line_ += kLineInterval;
  }
}

void Progress::draw_bar(double fraction, std::int64_t steps) {
  const double elapsed = seconds_since_start();
  const std::string left = fraction > 0 ? clock_text(elapsed * (1 - fraction) / fraction) : "-:--";
  const std::string percent = fmt::format("{:3.0f} %", std::floor(100 * fraction));
  // What does not fit into the width is left out, the least useful first. The last column stays free: some terminals
  // break the line when it is filled.
  const std::array<std::string, 3> details = {fmt::format("  ETA {}", left), "  " + time_text(fraction, duration_s_),
                                              fmt::format("  {} steps", grouped(steps))};
  int room = terminal_width(stderr) - 1 - static_cast<int>(percent.size()) - 1 - kMinBarCells;
  std::string tail;
  for (const std::string& detail : details) {
    if (static_cast<int>(detail.size()) > room) break;
    tail += detail;
    room -= static_cast<int>(detail.size());
  }
  const int cells = std::clamp(room + kMinBarCells, 1, kMaxBarCells);
  fmt::print(stderr, "\r{} {}{}\x1b[K", percent, bar_of_blocks(fraction, cells), tail);
  std::fflush(stderr);
  is_drawn_ = true;
}

void Progress::print_line(double fraction, std::int64_t steps) const {
  const double elapsed = seconds_since_start();
  const std::string left = fraction > 0 ? clock_text(elapsed * (1 - fraction) / fraction) : "unknown";
  fmt::print(stderr, "{:.1f} %, {}, {} steps, {} left\n", 100 * fraction, time_text(fraction, duration_s_),
             grouped(steps), left);
}

void Progress::say(std::string_view line) {
  clear();
  fmt::print(stderr, "{}\n", line);
}

void Progress::clear() {
  if (!is_drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  is_drawn_ = false;
}

}  // namespace freeplay::app

// How far a run has got, on stderr: a bar on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace freeplay::app {

class Progress {
 public:
  enum class Mode : std::uint8_t { kBar, kLines, kSilent };

  Progress(Mode mode, double duration_s);
  ~Progress();  // clears the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double fraction, std::int64_t steps);
  // A line that stays, above the bar.
  void say(std::string_view line);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void draw_bar(double fraction, std::int64_t steps);
  void print_line(double fraction, std::int64_t steps) const;
  double seconds_since_start() const;

  Mode mode_;
  double duration_s_;
  Clock::time_point start_ = Clock::now(), next_line_;
  bool is_drawn_ = false;
};

// The bar alone: `cells` characters, `fraction` of them full in eighths of a character.
std::string bar_of_blocks(double fraction, int cells);
// "0:07", "12:34", "1:02:03"
std::string clock_text(double seconds);
// "t = 4.250 of 10 s": as many decimals as show a thousandth of the duration, so that the text keeps its width.
std::string time_text(double fraction, double duration_s);

}  // namespace freeplay::app

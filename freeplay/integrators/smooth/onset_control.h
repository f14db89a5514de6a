// What an error-controlled integrator does with a step in which a gap closes, so that no contact begins deep inside
// (Flores, Ambrosio 2010, section 4; the printed equations corrected). delta = -gap, A and E: start and end of the
// step.
//
//   roots        the step is repeated so that it ends where delta = 0
//   procedure-1  the state is interpolated between A and E, eqs (9)-(12), to where the chord of delta is delta_max/2
//   procedure-2  steps whose end has a new contact with delta > delta_max are refused and halved, eq. (13)
//   secant       the same, but with the step that the chord of eq. (9) promises
//   none         contacts begin wherever the step happened to end
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/mechanism/state.h"

namespace freeplay::integrators {

enum class PenetrationControl : std::uint8_t { kRoots, kProcedure1, kProcedure2, kSecant, kNone };

// A gap this small is closed: in reach of the rounding of positions, a thousand times that of a metre and some times
// that of the largest coordinate.
double touching_gap(const State& state);

class OnsetControl {
 public:
  struct Options {
    PenetrationControl control = PenetrationControl::kRoots;
    double max_penetration_m = 1e-6;  // delta_max; roots and none do not need it
    double min_step_s = 1e-7;         // below it a step is not refused for its contacts any more
  };
  OnsetControl(int points, const Options& options);

  // Gaps and their rates (of points that do not touch) where the next step starts.
  void begin_step(const State& state, const VecX& gaps, const VecX& rates);

  enum class Action : std::uint8_t { kAccept, kRetry, kInterpolate };
  struct Verdict {
    Action action = Action::kAccept;
    double size_s = 0;  // kRetry: of the next attempt; kInterpolate: from the start to where the state is taken
  };
  // The end of a step that passed the error test. Steps of at most `smallest_s` are not refused.
  Verdict judge(double size_s, const VecX& gaps, const VecX& rates, double smallest_s);

  // Where the step starts: the points that do not touch, their gaps and rates.
  const std::vector<bool>& watched() const { return is_watched_; }
  const VecX& start_gaps() const { return gaps_; }
  const VecX& start_rates() const { return rates_; }
  // After kAccept: the points whose contact begins at the end of the step.
  const std::vector<int>& starting() const { return starting_; }
  // After kInterpolate: those that are closed at the interpolated state.
  void start_closed(const VecX& gaps);
  // After kAccept: the step that will end where a gap closes, or 0 if none is in sight. Only after a retry.
  double size_to_next_start() const { return size_to_start_; }
  // What the next step depends on beside the state of the contacts.
  struct Memory {
    bool is_hunting = false;
    double size_to_start_s = 0;
    std::int64_t deep_starts = 0;
  };
  Memory memory() const { return {is_hunting_, size_to_start_, deep_starts_}; }
  void set_memory(const Memory& memory) {
    is_hunting_ = memory.is_hunting;
    size_to_start_ = memory.size_to_start_s;
    deep_starts_ = memory.deep_starts;
  }
  // New contacts that are deeper than delta_max because the step could not be made shorter.
  std::int64_t deep_starts() const { return deep_starts_; }

 private:
  Verdict judge_by_roots(double size_s, const VecX& gaps, const VecX& rates, double smallest_s);
  Verdict judge_by_depth(double size_s, const VecX& gaps, double smallest_s);
  bool is_watched(int point) const { return is_watched_[static_cast<std::size_t>(point)]; }

  Options options_;
  std::vector<bool> is_watched_;  // points that do not touch
  VecX gaps_, rates_;             // where the step starts
  double touching_m_ = 0;         // there
  std::vector<int> starting_;
  bool is_hunting_ = false;  // a step was shortened to end at a root
  double size_to_start_ = 0;
  std::int64_t deep_starts_ = 0;
};

}  // namespace freeplay::integrators

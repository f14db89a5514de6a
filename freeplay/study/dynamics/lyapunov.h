// The largest Lyapunov exponent of a motion: at which rate two motions part that begin next to each other. Positive:
// chaos; 0: a motion that neither forgets nor magnifies; negative: all beginnings nearby lead to the same motion.
//
// Two runs are a tiny distance apart. Their distance is measured again and again, and the second one is drawn back
// along their difference each time (Benettin et al. 1980). Impacts need no formula of their own: both runs pass them,
// each at its own instant, and what remains when both have is what the saltation matrix says. That is true where
// instants are found: event-driven, or contacts by force laws. In time stepping with laws of impact two runs strike in
// the same step however far apart they are, and their distance is that of the method, not of the motion.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/model/model.h"
#include "freeplay/study/study_run.h"

namespace freeplay::study {

struct LyapunovOptions {
  double transient_s = 0;        // left out at the beginning
  double interval_s = 0;         // between two measurements; 0: a thousandth of the duration
  double distance = 1e-8;        // relative to positions and velocities
  std::optional<State> start{};  // none: the initial state of the model
};

struct LyapunovExponent {
  double per_s = 0;
  double error_per_s = 0;   // standard error, from the means of ten parts of the run
  bool has_merged = false;  // the two became one motion, to the last digit: the exponent is -infinity
  bool is_complete = false;
  std::string message;           // why it is not
  std::vector<double> time_s;    // when the distance was measured
  std::vector<double> estimate;  // 1/s, up to that time
};

// Throws ModelError where the integrator, or the model, has no exponent that two runs could tell.
void check_lyapunov(const ModelSpec& spec, const System& system);

// Runs the model from its initial state to its duration. Throws ModelError where the model cannot be run, and where
// its integrator cannot tell.
LyapunovExponent largest_lyapunov_exponent(const ModelSpec& spec, const Model& model, const LyapunovOptions& options,
                                           const StudyHooks& hooks = {});

}  // namespace freeplay::study

// All Lyapunov exponents of a motion: at which rates a small ball of beginnings is stretched along its axes. Their sum
// is the rate at which volumes in phase space grow; what friction and impacts take away shows there.
//
// As many runs as there are exponents begin a tiny distance from the motion, each in a direction of its own. Their
// differences are made orthogonal again and again (QR; Benettin et al. 1980). As with the largest exponent
// (lyapunov.h), each run passes impacts at an instant of its own, so that the saltation of impacts is in it.
#pragma once

#include <string>
#include <vector>

#include "freeplay/study/dynamics/lyapunov.h"

namespace freeplay::study {

struct LyapunovSpectrum {
  std::vector<double> per_s;        // the largest first; -infinity where runs became one motion, to the last digit
  std::vector<double> error_per_s;  // standard errors
  bool is_complete = false;
  std::string message;  // why it is not

  double sum_per_s() const;
};

// As many as the state has directions to go (tangent_space.h): two per degree of freedom, what loops and prescribed
// motions do not allow left out. Throws ModelError as largest_lyapunov_exponent() does.
LyapunovSpectrum lyapunov_spectrum(const ModelSpec& spec, const Model& model, const LyapunovOptions& options,
                                   const StudyHooks& hooks = {});

}  // namespace freeplay::study

// Numbers that say what a run amounts to, side by side for several runs: over the whole, and over the time during which
// a run and the reference had the same impacts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/study/trace.h"

namespace freeplay::study {

inline constexpr double kAgreement = 0.01;  // relative spread below which runs agree

struct QuantityValue {
  std::optional<double> whole;  // over the run
  std::optional<double> before,
      reference_before;  // until the run diverges from the reference: its own, the reference's
};

struct ComparedQuantity {
  std::string group;  // "measure", "energy", "motion", "contact", "numerics"
  std::string name;   // "slider.omega, mean"
  std::string unit;
  std::vector<QuantityValue> values;  // one per run; empty for runs without data
  double scale = 0;                   // what differences are relative to: the largest value, of a channel its range
  std::optional<double> spread;       // of the values over the whole, relative; none for numerics
  bool agrees = false;                // spread <= kAgreement
};

// `until_s`: per run, when it diverges from the reference; its end if it does not. Forces are means over `window_s`.
std::vector<ComparedQuantity> compare_quantities(const std::vector<const StudyRun*>& runs, std::size_t reference,
                                                 const std::vector<double>& until_s,
                                                 const std::vector<std::string>& curves, double window_s);

// Time-weighted mean, by trapezoids, of the rows up to `end_s`.
double mean_until(const std::vector<double>& time, const std::vector<double>& values, double end_s);
// Largest mean over any window of this length that ends at a row up to `end_s`.
double peak_of_windows(const std::vector<double>& time, const std::vector<double>& values, double window_s,
                       double end_s);
// What a contact has passed on along its normal up to each row, N s; empty if its force was not recorded. Forces of
// time stepping and of force laws contain the impacts. Where events are located an impact is no force: its impulse is
// added, as a jump, that is as two points at one time.
struct PassedImpulse {
  std::vector<double> time, impulse;
};
PassedImpulse passed_impulse(const StudyRun& run, const std::string& force_channel);

}  // namespace freeplay::study

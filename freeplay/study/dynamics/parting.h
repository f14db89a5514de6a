// How fast neighbours part that are left alone: pairs of runs begin a given distance apart, and the time passes until
// they are another given distance apart. The rate is the logarithm of the factor over that time, as one reads it from
// a picture of the two distances: an exponent at a finite size (Aurell et al. 1997).
//
// Of a chaotic motion the rate of one short run scatters much. So there are several members, machines whose starts
// differ by less than is ever measured; each follows its own motion to the end of the duration, and its neighbour
// begins anew, drawn back along their difference, whenever the two have parted.
//
// How this differs from lyapunov.h: distances are those of positions (m and rad alike), they are given numbers and not
// parts of the state's size, and between them nothing is drawn back. Where both are small beside anything that bends
// the motion, and the run is long, the two rates are the same.
#pragma once

#include <string>
#include <vector>

#include "freeplay/model/model.h"
#include "freeplay/study/study_run.h"

namespace freeplay::study {

struct PartingOptions {
  double apart = 1e-9, until = 1e-4;  // m or rad: the length of the difference of all coordinates
  int members = 24;
  double spread = 1e-6;    // of the members' initial velocities, relative
  double transient_s = 0;  // the neighbours begin here
  double interval_s = 0;   // between two looks at the distance; 0: a thousandth of the duration
};

struct PartingRate {
  double per_s = 0;        // of all members together: growths over times
  double error_per_s = 0;  // standard error, from the scatter of the members
  std::vector<double> member_per_s;
  std::int64_t partings = 0;  // how often a pair has grown from `apart` to `until`
  double tenfold_s() const;   // in which a distance grows by a factor ten; negative: falls
  bool is_complete = false;
  std::string message;  // why it is not
};

// Throws ModelError as largest_lyapunov_exponent() does, and where `apart` is not smaller than `until`.
PartingRate measure_parting(const ModelSpec& spec, const Model& model, const PartingOptions& options,
                            const StudyHooks& hooks = {});

}  // namespace freeplay::study

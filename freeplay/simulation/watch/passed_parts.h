// Parts that fly through each other within one step. Rules that look at one position of a step do not see them: the
// parts are apart at both of its ends, and what follows looks like any other flight.
#pragma once

#include <memory>

#include "freeplay/contact/points/contact_model.h"

namespace freeplay::simulation {

class PassedParts {
 public:
  // Null where there is nothing to look at: no pair of shapes of which one has a size. Where pairs are so few that all
  // are known at every step, all are looked at (passed_among_few.h), otherwise those that are fast enough
  // (passed_among_many.h). System and contacts must outlive it.
  static std::unique_ptr<PassedParts> make(const System& system, const ContactModel& contacts);
  virtual ~PassedParts() = default;

  // Where the next step begins.
  virtual void note_start(const State& state) = 0;
  // After that step, which led to `state`: the entry (ContactModel::entry_of) of a point that was passed; -1: none.
  // Points that carried an impulse were seen.
  virtual int look(const State& state) = 0;
};

// An overlap that is shallower is no passage.
inline constexpr double kNoticeableOverlap_m = 1e-6;

// What is on the other side of the wall of a joint with play is the wall opposite.
inline bool can_be_passed(const ContactPoint& point) {
  return point.has_place && point.clearance_m == 0;
}

}  // namespace freeplay::simulation

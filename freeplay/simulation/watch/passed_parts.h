// Parts that fly through each other within one step. Rules that look at one position of a step do not see them: the
// parts are apart at both of its ends, and what follows looks like any other flight.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "freeplay/contact/points/contact_model.h"

namespace freeplay::simulation {

class PassedParts {
 public:
  // Null where there is nothing to look at: no pair of shapes of which one has a size. Where pairs are so few that all
  // are known at every step, all are looked at (passed_among_few.h), otherwise those that are fast enough
  // (passed_among_many.h). System and contacts must outlive it.
  static std::unique_ptr<PassedParts> make(const System& system, const ContactModel& contacts);
  virtual ~PassedParts() = default;

  // A run begins, or goes on elsewhere.
  virtual void forget() = 0;
  // Where the next step begins.
  virtual void note_start(const State& state) = 0;
  // After that step, which led to `state`: the entry (ContactModel::entry_of) of a point that was passed; -1: none.
  // Points that carried an impulse were seen.
  virtual int look(const State& state) = 0;

  // What decides which of the next steps are looked at, for a checkpoint; set_memory() of another watch, or of another
  // model, is a forget().
  virtual std::vector<double> memory() const = 0;
  virtual void set_memory(std::span<const double> memory) = 0;
};

// An overlap that is shallower is no passage.
inline constexpr double kNoticeableOverlap_m = 1e-6;

// A step may also end, or have begun, inside of the part: where it has approached, leaves, and nothing has struck it,
// it was at its deepest in between. What slides on a surface by rounding moves too little to be meant.
struct PassageInside {
  double start_gap_m = 0, end_gap_m = 0;
  double approach_m_s = 0;  // at the start
  double part_size_m = 0;

  bool is_meant(double size_s, double velocity_change_m_s) const {
    constexpr double kLeastWay_m = 1e-5, kLeastWay = 1e-3, kUnhindered = 0.5;
    return std::min(start_gap_m, end_gap_m) < -kNoticeableOverlap_m &&
           approach_m_s * size_s > std::max(kLeastWay_m, kLeastWay * part_size_m) &&
           velocity_change_m_s <= kUnhindered * approach_m_s;
  }
};

// What is on the other side of the wall of a joint with play is the wall opposite.
inline bool can_be_passed(const ContactPoint& point) {
  return point.has_place && point.clearance_m == 0;
}

}  // namespace freeplay::simulation

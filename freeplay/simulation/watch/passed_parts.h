// Parts that fly through each other within one step. Rules that look at one position of a step do not see them: the
// parts are apart at both of its ends, and what follows looks like any other flight.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/integrators/smooth/hidden_contacts.h"

namespace freeplay::simulation {

class PassedParts {
 public:
  // Null where there is nothing to look at: pairs of shapes of which one has a size, and so few that all are known at
  // every step. System and contacts must outlive it.
  static std::unique_ptr<PassedParts> make(const System& system, const ContactModel& contacts);

  // Where the next step begins.
  void note_start(const State& state);
  // After that step, which led to `state`: the entry (ContactModel::entry_of) of a point that was passed; -1: none.
  // Points that carried an impulse were seen.
  int look(const State& state);

 private:
  PassedParts(const System& system, const ContactModel& contacts, std::vector<bool> has_size);
  // These leave in watched_ the points that it may be true of.
  bool may_have_passed(const State& state);
  bool was_approached();
  bool was_felt(std::size_t point, const State& state) const;

  const ContactModel& contacts_;
  std::unique_ptr<Dynamics> dynamics_;
  HiddenContacts hidden_;
  std::vector<bool> has_size_, watched_;  // per point
  double start_s_ = 0;
  VecX start_q_, start_u_, delta_, q_;
  HiddenContacts::GapMotion start_, end_, between_;
};

}  // namespace freeplay::simulation

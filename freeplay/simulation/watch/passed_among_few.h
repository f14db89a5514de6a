// All pairs are looked at in every step: exact, down to overlaps of a thousandth of the step (HiddenContacts).
#pragma once

#include <memory>
#include <vector>

#include "freeplay/integrators/smooth/hidden_contacts.h"
#include "freeplay/simulation/watch/passed_parts.h"

namespace freeplay::simulation {

class PassedAmongFew final : public PassedParts {
 public:
  PassedAmongFew(const System& system, const ContactModel& contacts);
  void note_start(const State& state) override;
  int look(const State& state) override;

 private:
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

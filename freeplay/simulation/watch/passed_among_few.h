// All pairs are looked at, down to overlaps of a thousandth of the step (HiddenContacts), in every step but those in
// which by the last look nothing can have come near anything.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "freeplay/integrators/smooth/hidden_contacts.h"
#include "freeplay/simulation/watch/passed_parts.h"

namespace freeplay::simulation {

class PassedAmongFew final : public PassedParts {
 public:
  PassedAmongFew(const System& system, const ContactModel& contacts);
  void forget() override { clear_until_s_ = -std::numeric_limits<double>::infinity(); }
  void note_start(const State& state) override;
  int look(const State& state) override;
  std::vector<double> memory() const override;
  void set_memory(std::span<const double> memory) override;

 private:
  // Whether nothing can have come near anything in the step, by what the last look has seen.
  bool is_clear(const State& state) const;
  // After end_ has been measured: how long that will be so.
  void look_ahead(const State& state);
  // These leave in watched_ the points that it may be true of.
  bool may_have_passed(const State& state);
  bool was_approached();
  int passed_from_inside(const State& state) const;
  bool was_felt(std::size_t point, const State& state) const;

  const ContactModel& contacts_;
  std::unique_ptr<Dynamics> dynamics_;
  HiddenContacts hidden_;
  std::vector<bool> has_size_, watched_;  // per point
  double start_s_ = 0;
  VecX start_q_, start_u_, delta_, q_;
  HiddenContacts::GapMotion start_, end_, between_;
  // No gap closes until then, unless velocities change by more than that in all.
  double clear_until_s_ = -std::numeric_limits<double>::infinity(), allowance_m_s_ = 0;
  VecX clear_u_;
};

}  // namespace freeplay::simulation

// Totals of the groups of a contact model: how many of their points carry a load, what they carry together, and how
// deep the deepest one is. A group's points have no channels of their own, unless its pairs were given names.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/simulation/forces/sliding_sums.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

class GroupTotals {
 public:
  // `window_steps`: forces are means over as many steps; 0: they are known at states.
  GroupTotals(const ContactModel& contacts, int window_steps);

  // GROUP.contacts, GROUP.normal_force, GROUP.penetration of every group, in this order.
  static std::vector<ChannelInfo> channels(const ContactModel& contacts);
  // The values of these channels, as update() leaves them; the place of each stays.
  const std::vector<double>& numbers() const { return numbers_; }

  // Somebody reads one of the channels; otherwise the next ones do nothing.
  void use() { is_used_ = true; }
  void after_step(const State& state, double dt);
  // `gaps`: of the points of `near`, at the row's position.
  void update(const State& state, const ContactSet& near, const VecX& gaps);

  // For a run that goes on elsewhere, as SlidingSums has it.
  void forget();
  std::size_t number_count() const { return has_window() ? window_.number_count() : 0; }
  void write(std::vector<double>& numbers) const {
    if (has_window()) window_.write(numbers);
  }
  [[nodiscard]] bool take(std::span<const double> numbers) { return !has_window() || window_.take(numbers); }

 private:
  enum Quantity : std::uint8_t { kContacts, kNormalForce, kPenetration, kQuantityCount };

  bool has_window() const { return is_used_ && window_steps_ > 0; }
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // Of a point: its group, in the order of names; or kNone.
  std::size_t group_of(ContactKey key) const;
  double& number(std::size_t group, Quantity quantity) { return numbers_[group * kQuantityCount + quantity]; }

  const ContactModel& contacts_;
  int window_steps_;
  bool is_used_ = false;
  std::vector<std::size_t> group_of_entry_;  // of named points, and of groups: one for every two materials
  std::size_t group_count_ = 0;
  SlidingSums window_;            // of the normal impulses of each group
  std::vector<double> impulses_;  // of one step
  std::vector<double> numbers_;
};

}  // namespace freeplay::simulation

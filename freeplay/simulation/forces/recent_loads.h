// Which contacts were loaded a moment ago: a contact that lasts is no series of impacts.
//
// Time stepping lets a pressed contact with restitution go for a step or two, by the speed that forces give a part in a
// step, and catches it again, over and over. No flight that short is resolved by the step, and no event-driven run has
// it: it is one contact, from the second load on if that is slow, from the fifth on in any case. A few fast ones that
// follow each other may be blows of their own, as where beads strike each other in turn, and so is any that is much
// faster than those before.
#pragma once

#include <span>
#include <vector>

#include "freeplay/mechanism/state.h"

namespace freeplay::simulation {

class RecentLoads {
 public:
  RecentLoads() {
    constexpr std::size_t kUsualContacts = 64;  // a step allocates only where there are more than ever before
    loads_.reserve(kUsualContacts);
    earlier_.reserve(kUsualContacts);
  }
  // After the step of `dt` to state.t. Comes before goes_on().
  void after_step(const State& state, double dt);
  // The contact was loaded less than three steps before, and either this approach is less than ten times the threshold
  // of impacts, or there were at least four such loads, none much slower than this one.
  bool goes_on(const ContactMemory& memory, double threshold_m_s) const;

  void forget() { loads_.clear(); }
  // For a run that goes on elsewhere: how many there are, then each one.
  void write(std::vector<double>& numbers) const;
  // How many numbers of `numbers` were read; 0 if they cannot be those of loads.
  [[nodiscard]] std::size_t take(std::span<const double> numbers);

 private:
  struct Load {
    ContactKey key;
    double end_s = 0;         // of the last step in which it was loaded
    int count = 1;            // of loads that follow each other
    double approach_m_s = 0;  // the fastest of them; what is long ago counts less
    double earlier_m_s = 0;   // the same before the last one
  };
  const Load* find(ContactKey key) const;

  std::vector<Load> loads_, earlier_;  // by key
};

}  // namespace freeplay::simulation

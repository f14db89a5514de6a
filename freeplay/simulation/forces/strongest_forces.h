// The contacts that carry load at a row, with their places and forces: for chains of forces in pictures of piles, whose
// contacts have no channels of their own.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

class StrongestForces {
 public:
  // The `most` strongest contacts, in the order of the points. `points` stand at the position of `state`, with their
  // gaps. `step_s`: force is the impulse of the step that led to `state` over its length; not given: the state knows
  // forces. What it returns lasts until the next call; nothing is allocated once there is room for all.
  std::span<const ContactForce> find(const ContactKinematics& points, const State& state, std::optional<double> step_s,
                                     int most);

 private:
  void add(const ContactKinematics& points, int point, const ContactMemory& memory, std::optional<double> step_s);
  void keep_strongest(std::size_t most);

  std::vector<std::pair<ContactKey, std::size_t>> loaded_;  // and where in the state they are, by increasing keys
  std::vector<std::pair<double, std::size_t>> sizes_;
  ContactForces forces_;  // room for one
  std::vector<ContactForce> found_, kept_;
};

}  // namespace freeplay::simulation

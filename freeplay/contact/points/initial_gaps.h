// Contacts that overlap before anything has moved.
#pragma once

#include <vector>

#include "freeplay/contact/points/contact_model.h"

namespace freeplay::contact {

struct InitialOverlap {
  int entry = 0;  // ContactModel::entry_of
  const ContactPoint* point = nullptr;
  double depth = 0;  // m, or rad for the stop of a revolute joint
  ContactKey key{};
};

// Those of the initial state of `system` that are deeper than `allowed_m`, rounding excluded. Depths in rad are
// never allowed: no length says how deep they are.
std::vector<InitialOverlap> initial_overlaps(const System& system, const ContactModel& contacts, double allowed_m);

}  // namespace freeplay::contact

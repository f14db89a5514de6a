#include "freeplay/simulation/watch/passed_parts.h"

#include <algorithm>

#include "freeplay/simulation/watch/passed_among_few.h"
#include "freeplay/simulation/watch/passed_among_many.h"

namespace freeplay::simulation {

std::unique_ptr<PassedParts> PassedParts::make(const System& system, const ContactModel& contacts) {
  const std::vector<const ContactPoint*> descriptions = contacts.descriptions();
  const auto has_size = [](const ContactPoint* point) { return can_be_passed(*point) && point->size > 0; };
  if (std::none_of(descriptions.begin(), descriptions.end(), has_size)) return nullptr;
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  if (contacts.make_kinematics(*dynamics)->has_far_points()) return std::make_unique<PassedAmongMany>(system, contacts);
  return std::make_unique<PassedAmongFew>(system, contacts);
}

}  // namespace freeplay::simulation

#include "freeplay/contact/points/mechanism_contacts.h"

namespace freeplay::contact {

int MechanismContacts::entry_of(ContactKey key) const {
  if (!key.is_named()) return point_count() + surfaces[static_cast<std::size_t>(surfaces_of_key(key.pair).first)].group;
  const std::size_t pair = static_cast<std::size_t>(key.pair), pairs = static_cast<std::size_t>(pair_count());
  if (pair >= pairs) return joint_rows[pair - pairs].point;
  const int first = space == Space::kPlanar ? planar_pairs[pair].first_point : spatial_pairs[pair].first_point;
  return first + static_cast<int>(key.point);
}

std::pair<int, int> MechanismContacts::surfaces_of(int pair) const {
  const std::size_t i = static_cast<std::size_t>(pair);
  if (space == Space::kPlanar) return {planar_pairs[i].surface_a, planar_pairs[i].surface_b};
  return {spatial_pairs[i].surface_a, spatial_pairs[i].surface_b};
}

}  // namespace freeplay::contact

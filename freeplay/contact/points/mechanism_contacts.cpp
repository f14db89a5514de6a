#include "freeplay/contact/points/mechanism_contacts.h"

#include <algorithm>

#include "freeplay/contact/carried/part_radius.h"

namespace freeplay::contact {

int MechanismContacts::group_of(int a, int b) const {
  const Surface &first = surfaces[static_cast<std::size_t>(a)], &second = surfaces[static_cast<std::size_t>(b)];
  const auto is_partner = [](const Surface& surface, int group) {
    return std::find(surface.partner_of.begin(), surface.partner_of.end(), group) != surface.partner_of.end();
  };
  if (first.group >= 0 && (second.group == first.group || is_partner(second, first.group))) return first.group;
  if (second.group >= 0 && is_partner(first, second.group)) return second.group;
  return -1;
}

int MechanismContacts::law_of(int a, int b) const {
  const Group& group = surface_groups[static_cast<std::size_t>(group_of(a, b))];
  if (group.material_laws.empty()) return group.first_law;
  const auto [least, most] =
      std::minmax(surfaces[static_cast<std::size_t>(a)].material, surfaces[static_cast<std::size_t>(b)].material);
  const auto found = std::find(group.material_laws.begin(), group.material_laws.end(), std::pair(most, least));
  return group.first_law + static_cast<int>(found - group.material_laws.begin());
}

bool MechanismContacts::has_point(ContactKey key) const {
  if (!key.is_named()) {
    const auto [a, b] = surfaces_of_key(key.pair);
    const int count = static_cast<int>(surfaces.size());
    return a < count && b < a && key.pair == key_of_surfaces(a, b) && group_of(a, b) >= 0;
  }
  const std::size_t pair = static_cast<std::size_t>(key.pair), pairs = static_cast<std::size_t>(pair_count());
  if (pair >= pairs) return pair - pairs < joint_rows.size() && key.point == 0;
  const int count =
      space == Space::kPlanar ? planar_pairs[pair].gap->point_count() : spatial_pairs[pair].gap->point_count();
  return key.point < static_cast<std::uint32_t>(count);
}

int MechanismContacts::entry_of(ContactKey key) const {
  if (!key.is_named()) {
    const auto [a, b] = surfaces_of_key(key.pair);
    return point_count() + law_of(a, b);
  }
  const std::size_t pair = static_cast<std::size_t>(key.pair), pairs = static_cast<std::size_t>(pair_count());
  if (pair >= pairs) return joint_rows[pair - pairs].point;
  const int first = space == Space::kPlanar ? planar_pairs[pair].first_point : spatial_pairs[pair].first_point;
  return first + static_cast<int>(key.point);
}

double MechanismContacts::size_of(ContactKey key, const ContactPoint& description) const {
  if (key.is_named()) return description.size;
  const auto [a, b] = surfaces_of_key(key.pair);
  return smaller_part_m(a, b);
}

double MechanismContacts::smaller_part_m(int a, int b) const {
  return smaller_radius(surfaces[static_cast<std::size_t>(a)].part_radius_m,
                        surfaces[static_cast<std::size_t>(b)].part_radius_m);
}

std::pair<int, int> MechanismContacts::surfaces_of(int pair) const {
  const std::size_t i = static_cast<std::size_t>(pair);
  if (space == Space::kPlanar) return {planar_pairs[i].surface_a, planar_pairs[i].surface_b};
  return {spatial_pairs[i].surface_a, spatial_pairs[i].surface_b};
}

}  // namespace freeplay::contact

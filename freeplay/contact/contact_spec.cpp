#include "freeplay/contact/contact_spec.h"

#include <algorithm>
#include <map>

namespace freeplay::contact {

std::set<std::pair<int, int>> meeting_materials(const ContactGroupSpec& group) {
  // Of each material two bodies are enough: one of them is another one than the partner's.
  using Bodies = std::map<int, std::set<std::string>>;
  const auto note = [](const std::vector<ContactGroupSpec::Member>& list, Bodies& bodies) {
    for (const ContactGroupSpec::Member& member : list) {
      std::set<std::string>& known = bodies[member.material];
      if (known.size() < 2) known.insert(member.body);
    }
  };
  Bodies members, partners;
  note(group.members, members);
  note(group.members, partners);
  note(group.against, partners);
  std::set<std::pair<int, int>> pairs;
  for (const auto& [a, bodies_a] : members) {
    for (const auto& [b, bodies_b] : partners) {
      if (bodies_a.size() > 1 || bodies_b.size() > 1 || bodies_a != bodies_b) pairs.insert(std::minmax(a, b));
    }
  }
  return pairs;
}

}  // namespace freeplay::contact

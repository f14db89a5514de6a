#include "freeplay/model/group_pairs.h"

#include <fmt/format.h>

#include <algorithm>

namespace freeplay::model {

namespace {

using Member = ContactGroupSpec::Member;

// Calls pair(a, b) for every two shapes of different bodies that the group lets touch.
template <typename Pair>
void for_each_pair(const ContactGroupSpec& group, const Pair& pair) {
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const Member& a = group.members[i];
    for (std::size_t j = i + 1; j < group.members.size(); ++j) {
      if (a.body != group.members[j].body) pair(a, group.members[j]);
    }
    for (const Member& b : group.against) {
      if (a.body != b.body) pair(a, b);
    }
  }
}

// The builder of contacts reports materials that have no law; the pair then gets that of the group.
const ContactLawSpec& law_of(const ContactGroupSpec& group, const Member& a, const Member& b) {
  for (const ContactGroupSpec::MaterialLaw& law : group.material_laws) {
    const bool fits = (law.a == a.material && law.b == b.material) || (law.a == b.material && law.b == a.material);
    if (fits) return law.law;
  }
  return group.law;
}

}  // namespace

std::size_t group_pair_count(const ModelSpec& spec) {
  std::size_t count = 0;
  for (const ContactGroupSpec& group : spec.groups) {
    // A heap of stones has too many to be counted one by one.
    const std::size_t members = group.members.size(), at_most = members * (members + group.against.size());
    if (at_most > 100 * kMostNamedPairs) {
      count += at_most / 2;
      continue;
    }
    for_each_pair(group, [&](const Member&, const Member&) { ++count; });
  }
  return count;
}

bool names_group_pairs(const ModelSpec& spec, const IntegratorEntry& integrator) {
  return !integrator.traits.takes_groups && !spec.groups.empty() && group_pair_count(spec) <= kMostNamedPairs;
}

ModelSpec with_named_pairs(ModelSpec spec) {
  for (const ContactGroupSpec& group : spec.groups) {
    for_each_pair(group, [&](const Member& a, const Member& b) {
      spec.contacts.push_back({fmt::format("{}_{}_{}_{}_{}", group.name, a.body, a.shape, b.body, b.shape), a.body,
                               a.shape, b.body, b.shape, law_of(group, a, b), 0, group.name});
    });
  }
  spec.groups.clear();
  return spec;
}

}  // namespace freeplay::model

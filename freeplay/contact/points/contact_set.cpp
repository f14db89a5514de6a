#include "freeplay/contact/points/contact_set.h"

#include <algorithm>

namespace freeplay::contact {

void ContactSet::assign(std::span<const LivePoint> points) {
  points_.assign(points.begin(), points.end());
}

void ContactSet::append(std::span<const LivePoint> points) {
  points_.insert(points_.end(), points.begin(), points.end());
}

bool ContactSet::is_aligned(const State& state) const {
  if (state.contacts.size() < points_.size()) return false;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (state.contacts[i].key != points_[i].key) return false;
  }
  return true;
}

void ContactSet::align(State& state) const {
  if (is_aligned(state)) return;
  before_.swap(state.contacts);
  std::vector<ContactMemory>& old = before_;
  state.contacts.clear();
  // As much room in one list as in the other: the two change places, and would else come to it at different times.
  state.contacts.reserve(std::max(points_.size(), old.capacity()));
  old.reserve(state.contacts.capacity());
  const auto is_before = [](const ContactMemory& a, const ContactMemory& b) { return a.key < b.key; };
  if (!std::is_sorted(old.begin(), old.end(), is_before)) std::sort(old.begin(), old.end(), is_before);
  const auto find = [&](ContactKey key) {
    const auto found = std::lower_bound(old.begin(), old.end(), key,
                                        [](const ContactMemory& memory, ContactKey k) { return memory.key < k; });
    return found != old.end() && found->key == key ? found : old.end();
  };
  is_taken_.assign(old.size(), 0);
  for (const LivePoint& point : points_) {
    const auto found = find(point.key);
    if (found == old.end()) {
      state.contacts.emplace_back().key = point.key;
    } else {
      state.contacts.push_back(*found);
      is_taken_[static_cast<std::size_t>(found - old.begin())] = 1;
    }
  }
  for (std::size_t i = 0; i < old.size(); ++i) {
    const bool tells = old[i].key.is_named() && (old[i].impact_loss != 0 || old[i].friction_loss != 0);
    if (is_taken_[i] != 0 || !tells) continue;
    ContactMemory& gone = state.contacts.emplace_back();
    gone.key = old[i].key;
    gone.impact_loss = old[i].impact_loss;
    gone.friction_loss = old[i].friction_loss;
  }
}

}  // namespace freeplay::contact

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
  std::vector<ContactMemory> old = std::move(state.contacts);
  const auto is_before = [](const ContactMemory& a, const ContactMemory& b) { return a.key < b.key; };
  if (!std::is_sorted(old.begin(), old.end(), is_before)) std::sort(old.begin(), old.end(), is_before);
  const auto find = [&](ContactKey key) {
    const auto found = std::lower_bound(old.begin(), old.end(), key,
                                        [](const ContactMemory& memory, ContactKey k) { return memory.key < k; });
    return found != old.end() && found->key == key ? found : old.end();
  };
  state.contacts.clear();
  state.contacts.reserve(std::max(points_.size(), old.size()));
  std::vector<char> is_taken(old.size(), 0);
  for (const LivePoint& point : points_) {
    const auto found = find(point.key);
    if (found == old.end()) {
      state.contacts.emplace_back().key = point.key;
    } else {
      state.contacts.push_back(*found);
      is_taken[static_cast<std::size_t>(found - old.begin())] = 1;
    }
  }
  for (std::size_t i = 0; i < old.size(); ++i) {
    const bool tells = old[i].key.is_named() && (old[i].impact_loss != 0 || old[i].friction_loss != 0);
    if (is_taken[i] != 0 || !tells) continue;
    ContactMemory& gone = state.contacts.emplace_back();
    gone.key = old[i].key;
    gone.impact_loss = old[i].impact_loss;
    gone.friction_loss = old[i].friction_loss;
  }
}

const ContactMemory* find_memory(const State& state, ContactKey key, std::size_t& likely) {
  const std::vector<ContactMemory>& all = state.contacts;
  if (likely < all.size() && all[likely].key == key) return &all[likely];
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ContactMemory& memory) { return memory.key == key; });
  if (found == all.end()) return nullptr;
  likely = static_cast<std::size_t>(found - all.begin());
  return &*found;
}

}  // namespace freeplay::contact

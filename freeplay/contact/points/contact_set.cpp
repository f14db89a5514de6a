#include "freeplay/contact/points/contact_set.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace freeplay::contact {
namespace {

// Places in the order of keys: a memory is large, and is not moved for that. The room is kept for the next call.
const std::vector<std::uint32_t>& order_by_key(const std::vector<ContactMemory>& memories) {
  thread_local std::vector<std::uint32_t> order;
  order.reserve(memories.capacity());
  order.resize(memories.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) { return memories[a].key < memories[b].key; };
  // Points that joined in a step stand behind all others: only they are put in order.
  const auto joined = std::is_sorted_until(order.begin(), order.end(), is_before);
  if (joined == order.end()) return order;
  std::sort(joined, order.end(), is_before);
  thread_local std::vector<std::uint32_t> merged;
  merged.reserve(memories.capacity());
  merged.resize(order.size());
  std::merge(order.begin(), joined, joined, order.end(), merged.begin(), is_before);
  order.swap(merged);
  return order;
}

}  // namespace

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
  const std::vector<std::uint32_t>& order = order_by_key(old);
  const auto key_of = [&](std::uint32_t i) { return old[i].key; };
  is_taken_.assign(old.size(), 0);
  auto next = order.begin();  // most points come in the order of their keys
  for (const LivePoint& point : points_) {
    while (next != order.end() && key_of(*next) < point.key) ++next;
    if (next == order.end() || key_of(*next) != point.key)
      next = std::lower_bound(order.begin(), order.end(), point.key,
                              [&](std::uint32_t i, ContactKey key) { return key_of(i) < key; });
    if (next == order.end() || key_of(*next) != point.key) {
      state.contacts.emplace_back().key = point.key;
    } else {
      state.contacts.push_back(old[*next]);
      is_taken_[*next] = 1;
    }
  }
  for (const std::uint32_t i : order) {
    const bool tells = old[i].key.is_named() && (old[i].impact_loss != 0 || old[i].friction_loss != 0);
    if (is_taken_[i] != 0 || !tells) continue;
    ContactMemory& gone = state.contacts.emplace_back();
    gone.key = old[i].key;
    gone.impact_loss = old[i].impact_loss;
    gone.friction_loss = old[i].friction_loss;
  }
}

}  // namespace freeplay::contact

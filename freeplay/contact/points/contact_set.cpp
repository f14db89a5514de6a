#include "freeplay/contact/points/contact_set.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace freeplay::contact {
namespace {

constexpr std::uint32_t kNew = std::numeric_limits<std::uint32_t>::max();

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

// Where points and memories both stand in the order of their keys, as in nearly all steps of a pile: what moves
// towards the front goes first, from the front, then what moves towards the back, from the back. Then no memory is
// overwritten before it has moved on. False, and nothing has changed, where that is not all. The room is kept for the
// next call.
bool align_in_place(std::span<const LivePoint> points, std::vector<ContactMemory>& memories) {
  thread_local std::vector<std::uint32_t> source;
  source.clear();
  source.reserve(std::max(points.size(), memories.capacity()));
  std::size_t next = 0;
  const auto leaves_no_trace = [&](std::size_t i) {
    return (i == 0 || memories[i - 1].key < memories[i].key) &&
           !(memories[i].key.is_named() && (memories[i].impact_loss != 0 || memories[i].friction_loss != 0));
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ContactKey key = points[i].key;
    if (i > 0 && !(points[i - 1].key < key)) return false;
    for (; next < memories.size() && memories[next].key < key; ++next) {
      if (!leaves_no_trace(next)) return false;
    }
    const bool is_known = next < memories.size() && memories[next].key == key;
    if (is_known && next > 0 && !(memories[next - 1].key < key)) return false;
    source.push_back(is_known ? static_cast<std::uint32_t>(next++) : kNew);
  }
  for (; next < memories.size(); ++next) {
    if (!leaves_no_trace(next)) return false;
  }
  if (memories.size() < points.size()) memories.resize(points.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != kNew && source[i] > i) memories[i] = memories[source[i]];
  }
  for (std::size_t i = source.size(); i-- > 0;) {
    if (source[i] < i) memories[i] = memories[source[i]];
  }
  memories.resize(points.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != kNew) continue;
    memories[i] = {};
    memories[i].key = points[i].key;
  }
  return true;
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
  if (is_aligned(state) || align_in_place(points_, state.contacts)) return;
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

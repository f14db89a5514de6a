#include "freeplay/contact/problem/last_contacts.h"

#include <algorithm>

namespace freeplay::contact {

void LastContacts::read(const State& state) {
  entries_.clear();
  next_ = 0;
  for (const ContactMemory& memory : state.contacts) {
    // Where nothing is remembered, nothing was in the problem, or it moved with neither velocity nor impulse.
    const double velocity = memory.normal_velocity_after - memory.normal_drift;
    const bool was_loaded = memory.normal_impulse > 0;
    if (!was_loaded && velocity == 0) continue;
    entries_.push_back({memory.key,
                        {.velocity_m_s = velocity,
                         .drift_m_s = memory.normal_drift,
                         .was_loaded = was_loaded,
                         .stuck = memory.mode == ContactMode::kStick,
                         .normal_impulse = memory.normal_impulse,
                         .tangential_impulse = memory.tangential_impulse,
                         .impulse = memory.impulse}});
  }
  const auto is_before = [](const Entry& a, const Entry& b) { return a.key < b.key; };
  if (!std::is_sorted(entries_.begin(), entries_.end(), is_before)) {
    std::sort(entries_.begin(), entries_.end(), is_before);
  }
}

const LastContact* LastContacts::find(ContactKey key) const {
  const auto is_at = [&](std::size_t place) { return place < entries_.size() && entries_[place].key == key; };
  for (const std::size_t place : {next_, next_ - 1}) {
    if (!is_at(place)) continue;
    next_ = place + 1;
    return &entries_[place].contact;
  }
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), key,
                                      [](const Entry& entry, ContactKey k) { return entry.key < k; });
  if (found == entries_.end() || found->key != key) return nullptr;
  next_ = static_cast<std::size_t>(found - entries_.begin()) + 1;
  return &found->contact;
}

}  // namespace freeplay::contact

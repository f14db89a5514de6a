#include "freeplay/simulation/group_totals.h"

#include <algorithm>

namespace freeplay::simulation {

namespace {

// The entries of a group stand together and share its name.
std::vector<std::string> names_of_groups(const ContactModel& contacts) {
  std::vector<std::string> names;
  for (const ContactPoint& entry : contacts.groups()) {
    if (names.empty() || names.back() != entry.contact) names.push_back(entry.contact);
  }
  return names;
}

}  // namespace

GroupTotals::GroupTotals(const ContactModel& contacts, int window_steps)
    : contacts_(contacts), window_steps_(window_steps) {
  for (const ContactPoint& entry : contacts.groups()) {
    const bool is_next =
        group_of_entry_.empty() || contacts.groups()[group_of_entry_.size() - 1].contact != entry.contact;
    if (is_next) ++group_count_;
    group_of_entry_.push_back(group_count_ - 1);
  }
  if (window_steps > 0) window_ = SlidingSums(group_count_, static_cast<std::size_t>(window_steps));
  impulses_.assign(group_count_, 0.0);
  numbers_.assign(group_count_ * kQuantityCount, 0.0);
}

std::vector<ChannelInfo> GroupTotals::channels(const ContactModel& contacts) {
  std::vector<ChannelInfo> channels;
  for (const std::string& name : names_of_groups(contacts)) {
    channels.push_back({name + ".contacts", "1"});
    channels.push_back({name + ".normal_force", "N"});
    channels.push_back({name + ".penetration", "m"});
  }
  return channels;
}

std::size_t GroupTotals::group_of(ContactKey key) const {
  return group_of_entry_[static_cast<std::size_t>(contacts_.entry_of(key) - contacts_.point_count())];
}

void GroupTotals::after_step(const State& state, double dt) {
  if (!has_window()) return;
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  for (const ContactMemory& memory : state.contacts) {
    if (!memory.key.is_named() && memory.normal_impulse > 0) impulses_[group_of(memory.key)] += memory.normal_impulse;
  }
  window_.push(dt, impulses_);
}

void GroupTotals::update(const State& state, const ContactSet& near, const VecX& gaps) {
  if (!is_used_) return;
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
  for (const ContactMemory& memory : state.contacts) {
    const double load = window_steps_ > 0 ? memory.normal_impulse : memory.normal_force;
    if (memory.key.is_named() || !(load > 0)) continue;
    const std::size_t group = group_of(memory.key);
    number(group, kContacts) += 1;
    if (window_steps_ == 0) number(group, kNormalForce) += load;
  }
  for (std::size_t group = 0; group < group_count_ && window_steps_ > 0 && !window_.is_empty(); ++group)
    number(group, kNormalForce) = window_.mean(group);
  for (int i = 0; i < near.size(); ++i) {
    if (near.key(i).is_named() || !(gaps[i] < 0)) continue;
    double& depth = number(group_of(near.key(i)), kPenetration);
    depth = std::max(depth, -gaps[i]);
  }
}

void GroupTotals::forget() {
  if (window_steps_ > 0) window_.forget();
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
}

}  // namespace freeplay::simulation

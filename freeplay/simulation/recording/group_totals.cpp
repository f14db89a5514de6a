#include "freeplay/simulation/recording/group_totals.h"

#include <algorithm>

namespace freeplay::simulation {

namespace {

// The name of the group of each entry, of named points and then of groups; "": of none.
std::vector<std::string> group_names_of_entries(const ContactModel& contacts) {
  std::vector<std::string> names;
  for (const ContactPoint& point : contacts.points()) names.push_back(point.group);
  for (const ContactPoint& entry : contacts.groups()) names.push_back(entry.contact);
  return names;
}

// The points and entries of a group stand together.
std::vector<std::string> names_of_groups(const ContactModel& contacts) {
  std::vector<std::string> names = group_names_of_entries(contacts);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase(names, "");
  return names;
}

}  // namespace

GroupTotals::GroupTotals(const ContactModel& contacts, int window_steps)
    : contacts_(contacts), window_steps_(window_steps) {
  const std::vector<std::string> names = names_of_groups(contacts);
  group_count_ = names.size();
  for (const std::string& name : group_names_of_entries(contacts)) {
    const auto found = std::ranges::find(names, name);
    group_of_entry_.push_back(found == names.end() ? kNone : static_cast<std::size_t>(found - names.begin()));
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
  return group_of_entry_[static_cast<std::size_t>(contacts_.entry_of(key))];
}

void GroupTotals::after_step(const State& state, double dt) {
  if (!has_window()) return;
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  for (const ContactMemory& memory : state.contacts) {
    if (!(memory.normal_impulse > 0)) continue;
    if (const std::size_t group = group_of(memory.key); group != kNone) impulses_[group] += memory.normal_impulse;
  }
  window_.push(dt, impulses_);
}

void GroupTotals::update(const State& state, const ContactSet& near, const VecX& gaps) {
  if (!is_used_) return;
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
  for (const ContactMemory& memory : state.contacts) {
    const double load = window_steps_ > 0 ? memory.normal_impulse : memory.normal_force;
    const std::size_t group = load > 0 ? group_of(memory.key) : kNone;
    if (group == kNone) continue;
    number(group, kContacts) += 1;
    if (window_steps_ == 0) number(group, kNormalForce) += load;
  }
  for (std::size_t group = 0; group < group_count_ && window_steps_ > 0 && !window_.is_empty(); ++group)
    number(group, kNormalForce) = window_.mean(group);
  for (int i = 0; i < near.size(); ++i) {
    const std::size_t group = gaps[i] < 0 ? group_of(near.key(i)) : kNone;
    if (group == kNone) continue;
    double& depth = number(group, kPenetration);
    depth = std::max(depth, -gaps[i]);
  }
}

void GroupTotals::forget() {
  if (window_steps_ > 0) window_.forget();
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
}

}  // namespace freeplay::simulation

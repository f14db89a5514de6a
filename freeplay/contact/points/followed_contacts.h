// Which contact each point has, in pairs whose contacts come and go in their points: what the state says, and what has
// been found since. Private to contact/points.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "freeplay/contact/points/contact_set.h"

namespace freeplay::contact {

class FollowedContacts {
 public:
  void recall(const State& state) {
    recalled_.clear();
    for (const ContactMemory& memory : state.contacts) {
      if (memory.feature != 0) recalled_.emplace_back(memory.key, memory.feature);
    }
    is_recalled_ = true;
  }

  // Before the points of the list are looked at. A list that is new, or was recalled, starts from what the state says;
  // one that has grown keeps what it has.
  void resize(const ContactSet& points, bool is_new_list) {
    const std::size_t size = static_cast<std::size_t>(points.size());
    if (is_new_list || is_recalled_) before_.clear();
    is_recalled_ = false;
    now_.assign(size, 0);
    for (std::size_t i = before_.size(); i < size; ++i) before_.push_back(feature_of(points.key(static_cast<int>(i))));
  }
  std::span<const std::uint64_t> before(std::size_t first, std::size_t count) const {
    return std::span(before_).subspan(first, count);
  }
  std::span<std::uint64_t> now(std::size_t first, std::size_t count) { return std::span(now_).subspan(first, count); }

  // A contact that is new stays in its point until the next recall, also where the step looks at another position.
  void keep_new() {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      if (now_[i] != 0 && before_[i] == 0) before_[i] = now_[i];
    }
  }

  void remember(State& state) const {
    for (std::size_t i = 0; i < now_.size(); ++i) state.contacts[i].feature = now_[i];
  }

 private:
  // Few contacts are followed at a time, and the list is asked for only after a recall: no search tree is needed.
  std::uint64_t feature_of(ContactKey key) const {
    for (const auto& [known, feature] : recalled_) {
      if (known == key) return feature;
    }
    return 0;
  }

  std::vector<std::pair<ContactKey, std::uint64_t>> recalled_;
  bool is_recalled_ = false;
  std::vector<std::uint64_t> before_, now_;  // per point of the list
};

}  // namespace freeplay::contact

// The contacts of the step before, by key: what a step must know of them to tell a contact that lasts from one that
// strikes.
#pragma once

#include <vector>

#include "freeplay/contact/problem/law_writer.h"
#include "freeplay/mechanism/state.h"

namespace freeplay::contact {

class LastContacts {
 public:
  void reserve(int points) { entries_.reserve(static_cast<std::size_t>(points)); }
  // The points with a normal row that were in the problem of the step which led to `state`. Allocates nothing, except
  // where there are more than ever before.
  void read(const State& state);
  bool is_empty() const { return entries_.empty(); }
  // Null if the point was not in it; valid until the next read().
  const LastContact* find(ContactKey key) const;

 private:
  struct Entry {
    ContactKey key;
    LastContact contact;
  };
  std::vector<Entry> entries_;    // in the order of keys
  mutable std::size_t next_ = 0;  // behind the one that was found last: most are asked for in their order
};

}  // namespace freeplay::contact

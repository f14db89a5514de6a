// The contact points that exist now. Pairs of surfaces come into reach and leave it; what a step needs of a point, it
// keeps by the place of the point in this list, and what outlives a step is found again by the point's key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/contact/points/contact_point.h"
#include "freeplay/mechanism/state.h"

namespace freeplay::contact {

struct LivePoint {
  ContactKey key;
  const ContactPoint* description = nullptr;
};

class ContactSet {
 public:
  int size() const { return static_cast<int>(points_.size()); }
  const ContactPoint& operator[](int point) const { return *points_[static_cast<std::size_t>(point)].description; }
  ContactKey key(int point) const { return points_[static_cast<std::size_t>(point)].key; }
  std::span<const LivePoint> points() const { return points_; }

  void assign(std::span<const LivePoint> points);
  // Behind those that there are, until the next assign().
  void append(std::span<const LivePoint> points);

  // Brings the memory of a state into the order of the points: points that are new have none, points that have gone
  // stand behind all others if they are named and have lost energy, and are forgotten otherwise.
  void align(State& state) const;
  bool is_aligned(const State& state) const;

 private:
  std::vector<LivePoint> points_;
  // Room for align(), kept from one call to the next.
  mutable std::vector<ContactMemory> before_;
  mutable std::vector<char> is_taken_;
};

}  // namespace freeplay::contact

// Contacts that come and go, put into the points of a pair: a contact stays in its point for as long as it exists.
// Shared by the gap functions whose points follow their contacts (contours, surfaces).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "freeplay/core/layers.h"

namespace freeplay::geometry {

inline constexpr std::size_t kMostFollowed = 64;  // contacts at a time

// `before`: per point the feature that it has had, 0 for none. `found`: the features of the contacts that there are,
// at most kMostFollowed and no more than points. `now` is filled, 0 for points without contact.
//   apart(one, two, across): how far two features are from each other; infinite if they cannot be the same contact.
//     First contacts between the same stretches are compared, then (across) those that have gone on to the next one.
//   place(point, k): puts contact k into a point.
template <class Apart, class Place>
void put_into_points(std::span<const std::uint64_t> before, std::span<const std::uint64_t> found,
                     std::span<std::uint64_t> now, Apart apart, Place place) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const std::size_t slots = now.size(), count = found.size();
  std::array<bool, kMostFollowed> is_placed{};
  for (std::uint64_t& feature : now) feature = 0;
  const auto put = [&](std::size_t slot, std::size_t k) {
    place(slot, k);
    now[slot] = found[k];
    is_placed[k] = true;
  };
  // The nearest of what fits, one after the other.
  for (const bool across : {false, true}) {
    while (true) {
      double nearest = kNever;
      std::size_t best_slot = 0, best = 0;
      for (std::size_t i = 0; i < slots; ++i) {
        if (before[i] == 0 || now[i] != 0) continue;
        for (std::size_t k = 0; k < count; ++k) {
          if (is_placed[k]) continue;
          const double distance = apart(before[i], found[k], across);
          if (distance >= nearest) continue;
          nearest = distance;
          best_slot = i;
          best = k;
        }
      }
      if (!(nearest < kNever)) break;
      put(best_slot, best);
    }
  }
  // New ones go to points that have none; where all have one, to those whose contact has gone.
  for (const bool to_gone : {false, true}) {
    for (std::size_t i = 0, k = 0; i < slots; ++i) {
      if (now[i] != 0 || (before[i] != 0 && !to_gone)) continue;
      while (k < count && is_placed[k]) ++k;
      if (k < count) put(i, k);
    }
  }
}

}  // namespace freeplay::geometry

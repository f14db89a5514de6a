// Which contact is which, for gap functions of surfaces whose points follow their contacts: where a contact is on a
// surface as a number, and how far two such places are from each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "freeplay/geometry/surfaces/surface_pair.h"

namespace freeplay::geometry {

// A stretch of a surface as a number of 8 bits that is never 0, which would be no contact.
inline std::uint64_t stretch_number(std::int32_t feature) {
  return static_cast<std::uint64_t>(feature) % 255 + 1;
}

// A place on a surface, 8 bits per coordinate, of the ball around it. A plane has no end, and a place on it says
// nothing that the other side does not say.
inline std::uint64_t place_number(const SpatialSurface& surface, const Vec3& x) {
  constexpr int kPlaces = 256;
  if (!(surface.size_m() > 0 && surface.size_m() < kInfinity)) return 0;
  std::uint64_t number = 0;
  for (int i = 0; i < 3; ++i) {
    const double share = (x[i] - surface.centre()[i]) / (2 * surface.size_m()) + 0.5;
    number = (number << 8) | static_cast<std::uint64_t>(std::clamp(share * kPlaces, 0.0, kPlaces - 1.0));
  }
  return number;
}

// A contact that goes from one stretch to the next, such as a ball that rolls over an edge, stays where it is on both
// bodies. It is the same contact if it has not gone farther than this in any coordinate.
inline constexpr int kContinuedPlaces = 4;

// By the lowest `coordinates` bytes of two numbers: all together, and the largest.
struct PlacesApart {
  int sum = 0, largest = 0;
};
inline PlacesApart places_between(std::uint64_t one, std::uint64_t two, int coordinates) {
  PlacesApart apart;
  for (int shift = 0; shift < 8 * coordinates; shift += 8) {
    const int by = std::abs(static_cast<int>((one >> shift) & 255) - static_cast<int>((two >> shift) & 255));
    apart.sum += by;
    apart.largest = std::max(apart.largest, by);
  }
  return apart;
}

// Exchanged bodies have the opposite tangent, as they have the opposite normal.
inline Vec3 odd_tangent_to(const Vec3& n) {
  return std::signbit(n.z()) ? Vec3(-tangent_to(-n)) : tangent_to(n);
}

inline void set_point(SpatialContactPoint& point, const SurfaceContact& contact) {
  point.gap = contact.gap;
  point.point_a = contact.point_a;
  point.point_b = contact.point_b;
  point.normal = contact.normal;
  point.tangent = odd_tangent_to(contact.normal);
  point.bend_a = contact.bend_a;
  point.bend_b = contact.bend_b;
  point.normal_is = contact.is_centred ? SpatialContactPoint::Normal::kAny : SpatialContactPoint::Normal::kDefined;
}

// By insertion: std::stable_sort allocates. Few contacts; equal gaps keep their order, feet first.
inline void sort_by_gap(std::span<SurfaceContact> contacts) {
  for (std::size_t i = 1; i < contacts.size(); ++i) {
    for (std::size_t k = i; k > 0 && contacts[k].gap < contacts[k - 1].gap; --k)
      std::swap(contacts[k], contacts[k - 1]);
  }
}

}  // namespace freeplay::geometry

// Which contact is which, for gap functions of surfaces whose points follow their contacts: where a contact is on a
// surface as a number, and how far two such places are from each other.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "freeplay/geometry/pairs/followed_points.h"
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

// The contacts of a pair in the points that they had before; true if there are more that are closed than points.
//   find(a, b, reach_m, contacts): the search; returns how many there are, even if the list holds fewer.
//   number(contact): the contact as a number whose lowest `coordinates` bytes are its places; what is above tells
//   between which stretches it is.
template <class Find, class Number>
bool follow_surface_contacts(const Frame& a, const Frame& b, double reach_m, int coordinates, Find find, Number number,
                             std::span<const std::uint64_t> before, std::span<SpatialContactPoint> points,
                             std::span<std::uint64_t> now) {
  std::array<SurfaceContact, kMostFollowed> found;
  std::array<std::uint64_t, kMostFollowed> features;
  // Positions relative to B: digits are not lost far from the origin.
  const Frame near_a{a.R, a.p - b.p}, near_b{b.R, Vec3::Zero()};
  std::size_t count = find(near_a, near_b, reach_m, std::span(found));
  // Too many for the list: those that are closed. Even these may be too many.
  if (count > found.size()) count = find(near_a, near_b, 0, std::span(found));
  bool is_crowded = count > found.size();
  count = std::min(count, found.size());
  if (count > now.size()) {
    sort_by_gap(std::span(found).first(count));
    is_crowded = is_crowded || found[now.size()].gap <= 0;
    count = now.size();
  }
  for (std::size_t k = 0; k < count; ++k) {
    features[k] = number(found[k]);
    found[k].point_a += b.p;
    found[k].point_b += b.p;
  }
  for (SpatialContactPoint& point : points) {
    point = {};
    point.gap = kInfinity;
  }
  put_into_points(
      before, std::span(features).first(count), now,
      [coordinates](std::uint64_t one, std::uint64_t two, bool across) {
        const PlacesApart apart = places_between(one, two, coordinates);
        const bool are_same_stretches = one >> (8 * coordinates) == two >> (8 * coordinates);
        return (across ? apart.largest <= kContinuedPlaces : are_same_stretches) ? apart.sum : kInfinity;
      },
      [&](std::size_t point, std::size_t k) { set_point(points[point], found[k]); });
  return is_crowded;
}

}  // namespace freeplay::geometry

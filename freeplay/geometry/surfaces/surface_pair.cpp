#include "freeplay/geometry/surfaces/surface_pair.h"

#include <algorithm>
#include <array>
#include <utility>

#include "freeplay/geometry/surfaces/surface_search.h"

namespace freeplay::geometry {

namespace {

constexpr int kMostMatched = 64;  // contacts of one pair that keep_numbers tells apart, and that refine looks at

void swap_sides(SurfaceContact& contact) {
  std::swap(contact.point_a, contact.point_b);
  swap(contact.bend_a, contact.bend_b);
  std::swap(contact.place_a, contact.place_b);
  std::swap(contact.key.feature_a, contact.key.feature_b);
  contact.normal = -contact.normal;
}

bool same_features(const SurfaceContact& one, const SurfaceContact& two) {
  return one.key.feature_a == two.key.feature_a && one.key.feature_b == two.key.feature_b;
}

// On the bodies; on a plane the distance is the one between the points.
double apart_m(const SurfaceContact& one, const SurfaceContact& two) {
  return (one.place_a.x - two.place_a.x).norm() + (one.place_b.x - two.place_b.x).norm();
}

}  // namespace

int SurfacePair::find(const Frame& a, const Frame& b, double reach_m, std::span<SurfaceContact> out) const {
  if (a_->kind() >= b_->kind()) return SurfaceSearch(*a_, *b_, a, b, reach_m, out).all();
  const int count = SurfaceSearch(*b_, *a_, b, a, reach_m, out).all();
  for (int i = 0; i < std::min(count, static_cast<int>(out.size())); ++i) swap_sides(out[static_cast<std::size_t>(i)]);
  return count;
}

bool SurfacePair::refine(const Frame& a, const Frame& b, const SurfaceContact& start, SurfaceContact& contact) const {
  const bool swapped = a_->kind() < b_->kind();
  SurfaceContact near;
  SurfaceContact from = start;
  if (swapped) swap_sides(from);
  const bool found = swapped ? SurfaceSearch(*b_, *a_, b, a, kInfinity, {&near, 1}).from(from)
                             : SurfaceSearch(*a_, *b_, a, b, kInfinity, {&near, 1}).from(from);
  if (swapped) swap_sides(near);
  if (found && same_features(near, start)) {
    contact = near;
    contact.key.which = start.key.which;
    return true;
  }
  std::array<SurfaceContact, kMostMatched> all;
  const double size = std::min(a_->size_m(), b_->size_m());
  const int count = std::min(find(a, b, start.gap + size, all), kMostMatched);
  const SurfaceContact* best = nullptr;
  for (int i = 0; i < count; ++i) {
    const SurfaceContact& other = all[static_cast<std::size_t>(i)];
    if (same_features(other, start) && (best == nullptr || apart_m(other, start) < apart_m(*best, start)))
      best = &other;
  }
  if (best == nullptr) return false;
  contact = *best;
  contact.key.which = start.key.which;
  return true;
}

void keep_numbers(std::span<const SurfaceContact> before, std::span<SurfaceContact> now) {
  const std::size_t count_before = std::min<std::size_t>(before.size(), kMostMatched);
  const std::size_t count = std::min<std::size_t>(now.size(), kMostMatched);
  std::array<bool, kMostMatched> taken{}, done{};
  for (;;) {  // the nearest pair that is left
    std::size_t from = 0, to = 0;
    double least = kInfinity;
    for (std::size_t i = 0; i < count_before; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        if (taken[i] || done[k] || !same_features(before[i], now[k])) continue;
        const double apart = apart_m(before[i], now[k]);
        if (apart < least) least = apart, from = i, to = k;
      }
    }
    if (least == kInfinity) break;
    taken[from] = done[to] = true;
    now[to].key.which = before[from].key.which;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (done[k]) continue;
    const auto is_used = [&](std::int32_t number) {
      for (std::size_t i = 0; i < count; ++i) {
        if (done[i] && same_features(now[i], now[k]) && now[i].key.which == number) return true;
      }
      return false;
    };
    now[k].key.which = 0;
    while (is_used(now[k].key.which)) ++now[k].key.which;
    done[k] = true;
  }
}

}  // namespace freeplay::geometry

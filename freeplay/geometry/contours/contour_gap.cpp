#include "freeplay/geometry/contours/contour_gap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/pairs/followed_points.h"

namespace freeplay::geometry {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Corners that lean out of their cone by no more than this over an edge are contacts too: more than a body turns in a
// step, so that the second corner of a box that lands flat is known before it touches.
constexpr double kLean_rad = 0.1;

// Where the ends of two faces that lie on each other meet, each has a corner over the other one: one place with two
// contacts. Nearer than this share of both sizes they hold the same, and where points are few one of them is enough.
constexpr double kRepeatedPlace = 1e-4;

// Contours of few elements are compared whole, so that gaps are known at any distance. Of larger ones, such as two
// gears, all pairs of flanks would have a minimum: what is farther than this share of both sizes is left out.
constexpr std::size_t kFewElementPairs = 1024;
constexpr double kReach = 1.0 / 64;

// A feature as a number: the two stretches of the contours, and how far along the contours it is.
//   stretch of A + 1 | stretch of B | place on A | place on B,   16 bits each
// The places tell contacts of the same stretches apart. Their resolution, 1/65536 of the length, is fine enough for
// that: contacts of the same two smooth stretches that are nearer to each other are about to merge.
constexpr std::uint64_t kPlaces = 65536, kPart = kPlaces - 1;
// A contact that goes from one stretch to the next, such as a ball that rolls over a corner, stays where it is on both
// contours. It is the same contact if it has not gone farther than this share of the length.
constexpr std::int64_t kContinued = kPlaces / 256;

std::uint64_t part(std::uint64_t feature, int which) {
  return (feature >> (16 * (3 - which))) & kPart;
}

std::uint64_t place_number(const PlanarContour& contour, double travelled_m) {
  const double length = contour.length_m();
  if (!(length > 0 && length < kInfinity)) return 0;
  const double share = travelled_m / length, inside = share - std::floor(share);
  return std::min(static_cast<std::uint64_t>(inside * static_cast<double>(kPlaces)), kPart);
}

// Around a closed contour, the shorter way.
std::int64_t places_between(std::uint64_t one, std::uint64_t two) {
  const std::int64_t apart = std::abs(static_cast<std::int64_t>(one) - static_cast<std::int64_t>(two));
  return std::min(apart, static_cast<std::int64_t>(kPlaces) - apart);
}

bool same_stretches(std::uint64_t one, std::uint64_t two) {
  return (one >> 32) == (two >> 32);
}

bool is_convex(const PlanarContour& contour) {
  return std::none_of(contour.elements().begin(), contour.elements().end(),
                      [](const ContourElement& e) { return e.hollow || !e.touches || e.hidden; });
}

// Nothing that another body could lie flat on.
bool is_smooth(const PlanarContour& contour) {
  return contour.is_loop() && std::none_of(contour.elements().begin(), contour.elements().end(),
                                           [](const ContourElement& e) { return e.kind == ElementKind::kEdge; });
}

double reach_of(const PlanarContour& a, const PlanarContour& b) {
  if (a.elements().size() * b.elements().size() <= kFewElementPairs) return kInfinity;
  return kReach * (a.size_m() + b.size_m());
}

struct Found {
  std::array<ContourContact, 2 * kMostContourPoints> contacts;
  std::array<std::uint64_t, 2 * kMostContourPoints> features;
  int count = 0;
};

// Moves contacts at the place and with about the normal of an earlier one to the end; returns how many others there
// are.
std::size_t put_repeated_last(std::span<ContourContact> contacts, double near_m) {
  std::size_t places = 0, end = contacts.size();
  while (places < end) {
    const ContourContact& one = contacts[places];
    const bool is_repeated = std::any_of(
        contacts.begin(), contacts.begin() + static_cast<std::ptrdiff_t>(places), [&](const ContourContact& other) {
          return (other.point_a - one.point_a).norm() <= near_m && (other.normal - one.normal).norm() <= 2 * kLean_rad;
        });
    if (!is_repeated) {
      ++places;
      continue;
    }
    std::rotate(contacts.begin() + static_cast<std::ptrdiff_t>(places),
                contacts.begin() + static_cast<std::ptrdiff_t>(places) + 1, contacts.end());
    --end;
  }
  return places;
}

void set_empty(PlanarContactPoint& point) {
  point = {};
  point.gap = kInfinity;
}

}  // namespace

ContourGap::ContourGap(PlanarContour a, PlanarContour b, int points)
    : a_(std::move(a)),
      b_(std::move(b)),
      pair_(a_, b_),
      point_count_(points > 0 ? std::min(points, kMostContourPoints) : default_points(a_, b_)),
      reach_m_(reach_of(a_, b_)) {
  FREEPLAY_ASSERT(a_.feature_count() < static_cast<int>(kPart) && b_.feature_count() <= static_cast<int>(kPart));
}

int ContourGap::default_points(const PlanarContour& a, const PlanarContour& b) {
  const bool convex_a = is_convex(a), convex_b = is_convex(b), smooth_a = is_smooth(a), smooth_b = is_smooth(b);
  if (convex_a && convex_b) return smooth_a || smooth_b ? 1 : 2;
  return (convex_a && smooth_a) || (convex_b && smooth_b) ? 4 : 6;
}

std::uint64_t ContourGap::feature_of(const ContourContact& contact) const {
  return (static_cast<std::uint64_t>(contact.key.feature_a + 1) << 48) |
         (static_cast<std::uint64_t>(contact.key.feature_b) << 32) |
         (place_number(a_, contact.place_a.travelled_m) << 16) | place_number(b_, contact.place_b.travelled_m);
}

double ContourGap::apart_m(std::uint64_t one, std::uint64_t two) const {
  const auto along = [](const PlanarContour& contour, std::int64_t places) {
    return contour.length_m() < kInfinity ? contour.length_m() * static_cast<double>(places) : 0;
  };
  return along(a_, places_between(part(one, 2), part(two, 2))) + along(b_, places_between(part(one, 3), part(two, 3)));
}

bool ContourGap::is_continued(std::uint64_t one, std::uint64_t two) const {
  return places_between(part(one, 2), part(two, 2)) <= kContinued &&
         places_between(part(one, 3), part(two, 3)) <= kContinued;
}

void ContourGap::evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                          std::span<PlanarContactPoint> points) const {
  const std::array<std::uint64_t, kMostContourPoints> before{};
  std::array<std::uint64_t, kMostContourPoints> now{};
  const std::size_t count = static_cast<std::size_t>(point_count_);
  follow(a, b, std::span(before).first(count), points, std::span(now).first(count));
}

bool ContourGap::follow(const PlanarPlacement& a, const PlanarPlacement& b, std::span<const std::uint64_t> before,
                        std::span<PlanarContactPoint> points, std::span<std::uint64_t> now) const {
  Found found;
  const int most = static_cast<int>(found.contacts.size());
  double reach = reach_m_;
  found.count = pair_.find(a, b, reach, found.contacts, kLean_rad);
  // Too many for the list: only nearer ones. All that are closed may still be too many.
  for (int tries = 0; found.count > most && tries < 3; ++tries) {
    reach = tries == 2 ? 0 : std::min(reach, a_.size_m() + b_.size_m()) / 8;
    found.count = pair_.find(a, b, reach, found.contacts, kLean_rad);
  }
  bool is_crowded = found.count > most;
  found.count = std::min(found.count, most);
  if (found.count > point_count_) {
    const auto all = std::span(found.contacts).first(static_cast<std::size_t>(found.count));
    std::sort(all.begin(), all.end(),
              [](const ContourContact& one, const ContourContact& two) { return one.gap < two.gap; });
    const std::size_t places = put_repeated_last(all, kRepeatedPlace * (a_.size_m() + b_.size_m()));
    const auto left_out = static_cast<std::size_t>(point_count_);
    is_crowded = is_crowded || (left_out < places && all[left_out].gap <= 0);
    found.count = point_count_;
  }
  const std::size_t count = static_cast<std::size_t>(found.count);
  for (std::size_t k = 0; k < count; ++k) found.features[k] = feature_of(found.contacts[k]);
  for (PlanarContactPoint& point : points) set_empty(point);
  put_into_points(
      before, std::span(found.features).first(count), now.first(points.size()),
      [&](std::uint64_t one, std::uint64_t two, bool across) {
        const bool fits = across ? is_continued(one, two) : same_stretches(one, two);
        return fits ? apart_m(one, two) : kInfinity;
      },
      [&](std::size_t point, std::size_t k) { points[point] = found.contacts[k].point(); });
  return is_crowded;
}

}  // namespace freeplay::geometry

#include "freeplay/geometry/surfaces/surface_gap.h"

#include <algorithm>
#include <array>
#include <utility>

#include "freeplay/geometry/surfaces/surface_features.h"

namespace freeplay::geometry {

namespace {

using Kind = SpatialSurface::Kind;

// Against a plane or a ball all minima are known at any distance. Of two surfaces of patches, whose search takes
// longer, those that are farther apart than this share of both sizes are left out.
constexpr double kReach = 1.0 / 16;

// A feature as a number: the two stretches of the surfaces, and where on both bodies it is.
//   stretch of A (1 to 255) | stretch of B | place on A | place on B,   8, 8, 24 and 24 bits
// The places tell contacts of the same stretches apart.
constexpr int kPlacesOfBoth = 6;

double reach_of(const SpatialSurface& a, const SpatialSurface& b) {
  const Kind simpler = std::min(a.kind(), b.kind());
  if (simpler == Kind::kPlane || simpler == Kind::kBall) return kInfinity;
  return kReach * (a.size_m() + b.size_m());
}

}  // namespace

SurfaceGap::SurfaceGap(SpatialSurface a, SpatialSurface b, int points)
    : a_(std::move(a)),
      b_(std::move(b)),
      pair_(a_, b_),
      point_count_(points > 0 ? std::min(points, kMostSurfacePoints) : default_points(a_, b_)),
      reach_m_(reach_of(a_, b_)) {}

int SurfaceGap::default_points(const SpatialSurface& a, const SpatialSurface& b) {
  const bool rough_a = a.kind() == Kind::kPatches, rough_b = b.kind() == Kind::kPatches;
  return rough_a && rough_b ? 8 : rough_a || rough_b ? 6 : 1;
}

std::uint64_t SurfaceGap::feature_of(const SurfaceContact& contact) const {
  return (stretch_number(contact.key.feature_a) << 56) | ((stretch_number(contact.key.feature_b) - 1) << 48) |
         (place_number(a_, contact.place_a.x) << 24) | place_number(b_, contact.place_b.x);
}

void SurfaceGap::evaluate(const Frame& a, const Frame& b, std::span<SpatialContactPoint> points) const {
  const std::array<std::uint64_t, kMostSurfacePoints> before{};
  std::array<std::uint64_t, kMostSurfacePoints> now{};
  const std::size_t count = static_cast<std::size_t>(point_count_);
  follow(a, b, std::span(before).first(count), points, std::span(now).first(count));
}

bool SurfaceGap::follow(const Frame& a, const Frame& b, std::span<const std::uint64_t> before,
                        std::span<SpatialContactPoint> points, std::span<std::uint64_t> now) const {
  return follow_surface_contacts(
      a, b, reach_m_, kPlacesOfBoth,
      [this](const Frame& near_a, const Frame& near_b, double reach_m, std::span<SurfaceContact> found) {
        return static_cast<std::size_t>(pair_.find(near_a, near_b, reach_m, found));
      },
      [this](const SurfaceContact& contact) { return feature_of(contact); }, before, points, now);
}

}  // namespace freeplay::geometry

// The set of spatial friction: a disc, which a half-plane may cut.
//
//   {x : |x| <= radius,  x . direction >= cut}
//
// In an impact by Poisson's law the expansion keeps the direction of the compression's impulse and gives back at least
// a share of it (contact/problem/impact.h); everywhere else the disc is whole.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "freeplay/math/types.h"

namespace freeplay::complementarity {

// |v|. std::hypot guards against squares that overflow or vanish, and takes ten times as long: it is asked only there.
inline double length_of(const Vec2& v) {
  constexpr double kLeastSquare = 1e-250, kLargestSquare = 1e250;
  const double square = v[0] * v[0] + v[1] * v[1];
  return square > kLeastSquare && square < kLargestSquare ? std::sqrt(square) : std::hypot(v[0], v[1]);
}

struct CutDisc {
  double radius = 0;
  double cut = -kInfinity;          // no larger than the radius, or the set is empty
  Vec2 direction = Vec2(1.0, 0.0);  // of length 1

  bool is_empty() const { return radius < 0 || cut > radius; }
  Vec2 across() const { return Vec2(-direction[1], direction[0]); }
  // Written as a product: where the cut nearly touches the circle, a difference of squares would lose the digits.
  double half_chord() const { return std::sqrt(std::max(0.0, (radius - cut) * (radius + cut))); }
};

// The part of the boundary on which a point lies.
enum class DiscPart : std::uint8_t { kInside, kArc, kChord, kCorner };

struct NearestInDisc {
  Vec2 x;
  DiscPart part = DiscPart::kInside;
};

// The point of the disc, which is not empty, that is nearest to y. If the nearest point of the whole disc is cut off,
// the bound of the half-plane is active, and what is left is a projection onto the chord.
inline NearestInDisc nearest_in_disc(const CutDisc& disc, const Vec2& y) {
  const double length = length_of(y);
  const bool is_inside = length <= disc.radius;
  const Vec2 x = is_inside ? y : Vec2((disc.radius / length) * y);
  if (!(x.dot(disc.direction) < disc.cut)) return {x, is_inside ? DiscPart::kInside : DiscPart::kArc};
  const double half = disc.half_chord(), along = y.dot(disc.across());
  const Vec2 on_chord = disc.cut * disc.direction + std::clamp(along, -half, half) * disc.across();
  return {on_chord, std::abs(along) < half ? DiscPart::kChord : DiscPart::kCorner};
}

}  // namespace freeplay::complementarity

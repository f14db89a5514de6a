#include "freeplay/contact/points/point_size.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::contact {

namespace {

double size_m(const Bound& bound) {
  const bool has_radius = bound.kind == Bound::Kind::kBall || bound.kind == Bound::Kind::kBore;
  return has_radius && bound.ball.radius_m > 0 ? bound.ball.radius_m : std::numeric_limits<double>::infinity();
}

}  // namespace

double smaller_size_m(const Bound& a, const Bound& b) {
  const double smaller = std::min(size_m(a), size_m(b));
  return std::isfinite(smaller) ? smaller : 1;
}

}  // namespace freeplay::contact

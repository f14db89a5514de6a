#include "freeplay/report/draw/triangulation.h"

#include <algorithm>
#include <numeric>

namespace freeplay::report {

namespace {

// Twice the area of a triangle, positive if it turns counter-clockwise.
double turn(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

bool is_inside(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

}  // namespace

std::vector<std::array<std::int64_t, 3>> triangulated(const std::vector<Vec3>& corners) {
  std::vector<std::array<std::int64_t, 3>> triangles;
  if (corners.size() < 3) return triangles;
  double area = 0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) area += turn(corners[0], corners[i], corners[i + 1]);
  std::vector<std::size_t> left(corners.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  if (area < 0) std::reverse(left.begin(), left.end());

  const auto is_ear = [&](std::size_t before, std::size_t tip, std::size_t after) {
    const Vec3 &a = corners[before], &b = corners[tip], &c = corners[after];
    if (turn(a, b, c) <= 0) return false;
    return std::none_of(left.begin(), left.end(), [&](std::size_t i) {
      const Vec3& p = corners[i];
      return i != before && i != tip && i != after && p != a && p != b && p != c && is_inside(p, a, b, c);
    });
  };
  std::size_t at = 0, misses = 0;
  while (left.size() > 2 && misses < left.size()) {
    const std::size_t n = left.size();
    const std::size_t before = left[(at + n - 1) % n], tip = left[at % n], after = left[(at + 1) % n];
    // A corner on a straight edge, or one that doubles back, encloses nothing and goes without a triangle.
    const bool is_flat = turn(corners[before], corners[tip], corners[after]) == 0;
    if (is_flat || is_ear(before, tip, after)) {
      if (!is_flat)
        triangles.push_back(
            {static_cast<std::int64_t>(before), static_cast<std::int64_t>(tip), static_cast<std::int64_t>(after)});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(at % n));
      misses = 0;
      at = at % n;
      // Going on behind the ear instead of at it keeps triangles from becoming a fan of needles.
      if (!left.empty()) at = (at + (is_flat ? 0 : 1)) % left.size();
    } else {
      ++misses;
      at = (at + 1) % n;
    }
  }
  return triangles;
}

}  // namespace freeplay::report

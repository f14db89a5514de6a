#include "freeplay/geometry/contours/planar_contour.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr int kTreeDepth = 64;
constexpr double kTurn = 2 * std::numbers::pi;
// Directions that differ by less cannot be told from the neighbourhood of a point itself.
constexpr double kSameDirection = 1e-12, kGrazing = 1e-9;
constexpr double kTooClose = 1e-6;  // of the size
constexpr int kMaxIterations = 100;

bool in_range(const ContourElement& element, const Vec2& n) {
  const double past = std::remainder(std::atan2(n.y(), n.x()) - (element.normal_from + element.normal_to) / 2, kTurn);
  return std::abs(past) <= (element.normal_to - element.normal_from) / 2 + kSameDirection;
}

// Radius of the circle inside that touches x (outward normal n) and the segment; infinite if there is none. At a convex
// corner, where x is an end of the segment, it is 0.
double radius_at_segment(const Vec2& start, const Vec2& along, double length, const Vec2& x, const Vec2& n) {
  const Vec2 m = normal_of_tangent(along), arm = x - start;
  const double height = m.dot(arm), turn = 1 - m.dot(n);
  const double tiny = kSameDirection * (length < kInfinity ? length : arm.norm());
  if (height > tiny || turn < kSameDirection) return kInfinity;
  const double r = std::max(0.0, -height / turn), foot = along.dot(arm) - std::max(r, tiny) * along.dot(n);
  return !(length < kInfinity) || (foot >= 0 && foot <= length) ? r : kInfinity;
}

double touching_radius(const ContourElement& other, const Vec2& x, const Vec2& n) {
  if (other.kind == ElementKind::kEdge) return radius_at_segment(other.start, other.along, other.length_m, x, n);
  const Vec2 v = x - other.centre;
  const double rho = other.radius_m;
  if (rho == 0) {  // |v - r n| = r
    const double behind = v.dot(n);
    return behind > kGrazing * v.norm() ? v.squaredNorm() / (2 * behind) : kInfinity;
  }
  // |v - r n| = |rho - r|
  const double turn = rho - v.dot(n), tiny = kSameDirection * std::abs(rho);
  if (std::abs(turn) < tiny) return kInfinity;
  double r = (rho * rho - v.squaredNorm()) / (2 * turn);
  if (!(r > -tiny) || (rho > 0 && r > rho)) return kInfinity;
  r = std::max(r, tiny);
  const double gap = rho - r;
  return gap == 0 || in_range(other, Vec2((v - r * n) / gap)) ? r : kInfinity;
}

}  // namespace

CurvePlace curve_place(const ContourElement& element, double s) {
  const CurvePoint c = element.curve->at(s);
  CurvePlace place;
  const double speed = c.dx.norm();
  place.x = c.x;
  place.tangent = c.dx / speed;
  place.curvature = cross(c.dx, c.ddx) / (speed * speed * speed);
  place.metres_per_s = speed;
  if (element.offset_m != 0) {
    const double shrink = 1 - element.offset_m * place.curvature;
    place.x -= element.offset_m * normal_of_tangent(place.tangent);
    place.curvature /= shrink;
    place.metres_per_s *= shrink;
  }
  if (element.s_to < element.s_from) {
    place.tangent = -place.tangent;
    place.curvature = -place.curvature;
    place.metres_per_s = -place.metres_per_s;
  }
  return place;
}

// x'(s) . n vanishes where the normal is n, and changes its sign there once.
double curve_parameter(const ContourElement& element, const Vec2& normal, double angle) {
  const double travel_from = element.hollow ? element.normal_to : element.normal_from;
  const double travel_to = element.hollow ? element.normal_from : element.normal_to;
  const double share = (angle - travel_from) / (travel_to - travel_from);
  if (!(share > 0)) return element.s_from;
  if (!(share < 1)) return element.s_to;
  double direct = 0;
  if (element.curve->parameter_of_normal(element.s_to < element.s_from ? Vec2(-normal) : normal,
                                         (element.s_from + element.s_to) / 2, direct))
    return std::clamp(direct, std::min(element.s_from, element.s_to), std::max(element.s_from, element.s_to));
  const double width = element.s_to - element.s_from;
  // On a convex element the tangent turns left: its component along n falls through zero in the direction of travel.
  const double falling = (element.hollow ? -1.0 : 1.0) * (width < 0 ? -1.0 : 1.0);
  double before = element.s_from, after = element.s_to;
  double s = before + share * width;
  for (int i = 0; i < kMaxIterations; ++i) {
    const CurvePoint c = element.curve->at(s);
    const double value = c.dx.dot(normal);
    if (value == 0) break;
    (falling * value > 0 ? before : after) = s;
    const double step = -value / c.ddx.dot(normal);
    double next = s + step;
    if (std::abs(step) <= 1e-15 * std::abs(width)) break;
    if (!((next - before) * (after - next) > 0)) next = (before + after) / 2;
    if (next == s || next == before || next == after) break;  // the numbers are used up
    s = next;
  }
  return s;
}

double PlanarContour::inner_radius(const Vec2& x, const Vec2& n, int own, double limit_m) const {
  double least = limit_m;
  const ContourElement& here = elements_[static_cast<std::size_t>(own)];
  if (here.kind == ElementKind::kRound && !here.hollow) least = std::min(least, here.radius_m);
  std::array<std::int32_t, kTreeDepth> stack;
  int top = 0;
  stack[0] = 0;
  while (top >= 0 && least > 0) {
    const ContourNode& node = nodes_[static_cast<std::size_t>(stack[static_cast<std::size_t>(top--)])];
    if ((node.centre - (x - least * n)).norm() > node.radius_m + least) continue;
    if (node.left >= 0) {
      stack[static_cast<std::size_t>(++top)] = node.right;
      stack[static_cast<std::size_t>(++top)] = node.left;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const ContourElement& other = elements_[static_cast<std::size_t>(i)];
      if (other.hidden) continue;
      if (other.kind == ElementKind::kCurve) {
        const std::size_t from = static_cast<std::size_t>(first_point_[static_cast<std::size_t>(i)]);
        const bool is_own = other.feature == here.feature;
        for (std::size_t k = from; k < from + kPointsPerCurve; ++k) {
          const Vec2 v = x - points_[k];
          const double behind = v.dot(n), distance = v.norm();
          if (is_own && distance < kTooClose * size_m_) continue;  // rounding decides
          if (behind > kGrazing * distance) least = std::min(least, distance * distance / (2 * behind));
          // Chords would cut off the curve that x lies on.
          if (is_own || k + 1 == from + kPointsPerCurve) continue;
          const Vec2 chord = points_[k + 1] - points_[k];
          const double length = chord.norm();
          least = std::min(least, radius_at_segment(points_[k], chord / length, length, x, n));
        }
      } else if (i != own) {
        // The same holds for the tiny corners that rounding leaves between smooth neighbours.
        const bool is_joint = other.feature == here.feature && other.length_m == 0;
        if (is_joint && (x - other.centre).norm() < kTooClose * size_m_) continue;
        least = std::min(least, touching_radius(other, x, n));
      }
    }
  }
  return least;
}

std::vector<PlanarContour::Sample> PlanarContour::samples(int per_element) const {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const ContourElement& e = elements_[i];
    const auto add = [&](const Vec2& x) { samples.push_back({x, static_cast<std::int32_t>(i)}); };
    if (e.kind == ElementKind::kRound && e.radius_m == 0) {
      add(e.centre);
      continue;
    }
    if (!(e.length_m < kInfinity) || e.hidden) continue;
    for (int k = 0; k < per_element; ++k) {
      const double share = double(k) / per_element;
      if (e.kind == ElementKind::kEdge) add(e.start + share * (e.end - e.start));
      if (e.kind == ElementKind::kCurve) add(curve_place(e, e.s_from + share * (e.s_to - e.s_from)).x);
      if (e.kind == ElementKind::kRound) {
        const double passed = share * (e.normal_to - e.normal_from);
        add(e.centre + e.radius_m * unit_vector(e.hollow ? e.normal_to - passed : e.normal_from + passed));
      }
    }
  }
  return samples;
}

// Crossings of a ray, even or odd.
bool PlanarContour::contains(const Vec2& x) const {
  if (!loop_) return normal_of_tangent(elements_[0].along).dot(x - elements_[0].start) < 0;
  bool is_inside = is_hole_;
  for (std::size_t i = 0; i < polygon_.size(); ++i) {
    const Vec2 p = polygon_[i] - x, q = polygon_[i + 1 < polygon_.size() ? i + 1 : 0] - x;
    if ((p.y() > 0) != (q.y() > 0) && p.x() - p.y() * (q.x() - p.x()) / (q.y() - p.y()) > 0) is_inside = !is_inside;
  }
  return is_inside;
}

}  // namespace freeplay::geometry

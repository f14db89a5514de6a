#include "freeplay/geometry/contours/planar_contour.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr int kPointsPerCurve = 9;
constexpr int kPolygonPoints = 24;  // per element
constexpr int kLeafElements = 2;
constexpr int kTreeDepth = 64;
// Neighbours whose tangents differ by no more belong to one smooth stretch.
constexpr double kSmoothAngle = 1e-6;
constexpr double kTurn = 2 * std::numbers::pi;
// Directions that differ by less cannot be told from the neighbourhood of a point itself.
constexpr double kSameDirection = 1e-12, kGrazing = 1e-9;
constexpr double kTooClose = 1e-6;  // of the size
constexpr int kMaxIterations = 100;
constexpr double kHiddenShare = 0.25;  // of the way through the matter

Vec2 direction(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

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
        add(e.centre + e.radius_m * direction(e.hollow ? e.normal_to - passed : e.normal_from + passed));
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

double PlanarContour::ray_length(const Vec2& x, const Vec2& along, double limit_m) const {
  double least = limit_m;
  const auto try_chord = [&](const Vec2& from, const Vec2& to) {
    const Vec2 chord = to - from, arm = from - x;
    const double turn = cross(along, chord);
    if (turn == 0) return;
    const double at = cross(arm, chord) / turn, share = cross(arm, along) / turn;
    if (share >= 0 && share <= 1 && at > kTooClose * limit_m) least = std::min(least, at);
  };
  const std::vector<Sample> points = samples(kPointsPerCurve - 1);
  for (std::size_t i = 0; i < points.size(); ++i) try_chord(points[i].x, points[(i + 1) % points.size()].x);
  return least;
}

double PlanarContour::circle_behind(std::size_t corner, const Vec2& into) const {
  const std::size_t count = elements_.size(), before = (corner + count - 1) % count, after = (corner + 1) % count;
  double least = kInfinity;
  for (const Sample& sample : samples(kPointsPerCurve - 1)) {
    const std::size_t i = static_cast<std::size_t>(sample.element);
    if (i == corner || i == before || i == after) continue;
    const Vec2 v = sample.x - elements_[corner].centre;
    const double ahead = v.dot(into);
    if (ahead > kGrazing * v.norm()) least = std::min(least, v.squaredNorm() / ahead);
  }
  return least;
}

void PlanarContour::hide_edges() {
  std::vector<ContourElement> all;
  const std::size_t count = elements_.size();
  length_m_ = 0;
  for (const ContourElement& e : elements_) length_m_ += e.length_m;
  for (std::size_t i = 0; i < count; ++i) {
    const ContourElement& corner = elements_[i];
    if (corner.touches) {
      all.push_back(corner);
      continue;
    }
    const auto hidden = [&](const ContourElement& neighbour, bool is_before) {
      const double angle = is_before != neighbour.hollow ? neighbour.normal_to : neighbour.normal_from;
      ContourElement e;
      e.hidden = true;
      e.along = tangent_of_normal(direction(angle));
      e.normal_from = e.normal_to = angle;
      const Vec2 into = is_before ? e.along : Vec2(-e.along);
      e.length_m = kHiddenShare * std::min(ray_length(corner.centre, into, length_m_), circle_behind(i, into));
      e.start = is_before ? corner.centre : Vec2(corner.centre + e.length_m * into);
      e.end = e.start + e.length_m * e.along;
      return e;
    };
    all.push_back(hidden(elements_[(i + count - 1) % count], true));
    all.push_back(corner);
    all.push_back(hidden(elements_[(i + 1) % count], false));
  }
  elements_ = std::move(all);
}

void PlanarContour::freeze(bool loop) {
  loop_ = loop;
  hide_edges();
  length_m_ = 0;
  first_point_.assign(elements_.size(), 0);
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    ContourElement& e = elements_[i];
    // A hidden edge counts on from the corner, or up to it.
    const bool leads_out = e.hidden && i > 0 && !elements_[i - 1].touches;
    e.travelled_m = leads_out ? length_m_ - e.length_m : length_m_;
    if (!e.hidden) length_m_ += e.length_m;
    if (e.kind == ElementKind::kEdge) {
      e.bound_centre = (e.start + e.end) / 2;
      e.bound_radius_m = e.length_m / 2;
    } else if (e.kind == ElementKind::kRound) {
      const double half = (e.normal_to - e.normal_from) / 2;
      const double reach = std::abs(e.radius_m);
      e.bound_centre = e.centre;
      e.bound_radius_m = reach;
      if (half < std::numbers::pi / 2) {
        e.bound_centre += e.radius_m * std::cos(half) * direction((e.normal_from + e.normal_to) / 2);
        e.bound_radius_m = reach * std::sin(half);
      }
    } else {
      // An arch of less than a quarter turn is no farther from the middle of its chord than the chord's ends; the
      // exceptions that a parameter's end can make by rounding are covered by the factor.
      first_point_[i] = static_cast<std::int32_t>(points_.size());
      e.bound_centre = (e.start + e.end) / 2;
      for (int k = 0; k < kPointsPerCurve; ++k) {
        points_.push_back(curve_place(e, e.s_from + (e.s_to - e.s_from) * k / (kPointsPerCurve - 1)).x);
        e.bound_radius_m = std::max(e.bound_radius_m, (points_.back() - e.bound_centre).norm());
      }
      e.bound_radius_m *= 1.02;
    }
  }
  // Features: a stretch ends at a real corner. On a loop the last may be the first.
  const auto is_break = [](const ContourElement& e) {
    return e.kind == ElementKind::kRound && e.radius_m == 0 &&
           (!e.touches || e.normal_to - e.normal_from > kSmoothAngle);
  };
  features_ = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (i > 0 && (is_break(elements_[i]) || is_break(elements_[i - 1]))) ++features_;
    elements_[i].feature = features_;
  }
  if (loop && features_ > 0 && !is_break(elements_.front()) && !is_break(elements_.back())) {
    for (ContourElement& e : elements_) {
      if (e.feature == features_) e.feature = 0;
    }
    --features_;
  }
  ++features_;
  convex_curve_ = loop && features_ == 1 && std::all_of(elements_.begin(), elements_.end(), [&](const auto& e) {
                    return e.kind == ElementKind::kCurve && !e.hollow && e.curve == elements_[0].curve;
                  });
  nodes_.clear();
  build_tree(0, static_cast<int>(elements_.size()));
  size_m_ = nodes_[0].radius_m < kInfinity ? nodes_[0].radius_m : 0;
  double twice_area = 0;
  for (const Sample& sample : samples(kPolygonPoints)) polygon_.push_back(sample.x);
  for (std::size_t i = 0; i + 1 < polygon_.size(); ++i)
    twice_area += cross(polygon_[i] - polygon_[0], polygon_[i + 1] - polygon_[0]);
  is_hole_ = twice_area < 0;
  measure_thickness();
}

// Sampled, with a margin: it only decides which deep overlaps are looked at.
void PlanarContour::measure_thickness() {
  constexpr int kPlaces = 7;
  constexpr double kMargin = 1.25;
  const double limit = loop_ ? 4 * size_m_ : kInfinity;  // of a hole the matter has no bound
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    ContourElement& e = elements_[i];
    if (!loop_) e.inner_m = kInfinity;
    if (e.hidden) e.inner_m = e.length_m;
    if (!loop_ || e.length_m == 0 || e.hidden) continue;
    for (int k = 1; k <= kPlaces; ++k) {
      const double share = double(k) / (kPlaces + 1);
      Vec2 x = e.start + share * (e.end - e.start), n = normal_of_tangent(e.along);
      if (e.kind == ElementKind::kRound) {
        n = direction(e.normal_from + share * (e.normal_to - e.normal_from));
        x = e.centre + e.radius_m * n;
      } else if (e.kind == ElementKind::kCurve) {
        const CurvePlace place = curve_place(e, e.s_from + share * (e.s_to - e.s_from));
        x = place.x;
        n = normal_of_tangent(place.tangent);
      }
      e.inner_m = std::max(e.inner_m, kMargin * inner_radius(x, n, static_cast<int>(i), limit));
    }
  }
  for (std::size_t i = nodes_.size(); i-- > 0;) {  // children stand behind their parents
    ContourNode& node = nodes_[i];
    for (int k = node.first; k < node.first + node.count; ++k)
      node.inner_m = std::max(node.inner_m, elements_[static_cast<std::size_t>(k)].inner_m);
  }
}

int PlanarContour::build_tree(int first, int count) {
  const int at = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  ContourNode node;
  node.first = first;
  node.count = count;
  const auto join = [&](const Vec2& centre, double radius, bool touches, double from, double to, bool is_first) {
    if (is_first) {
      node.centre = centre;
      node.radius_m = radius;
    } else if (!(radius < kInfinity)) {
      node.radius_m = kInfinity;
    } else {
      const double distance = (centre - node.centre).norm();
      if (distance + radius > node.radius_m) {
        if (distance + node.radius_m <= radius) {
          node.centre = centre;
          node.radius_m = radius;
        } else {
          const double both = (distance + radius + node.radius_m) / 2;
          node.centre += (centre - node.centre) * ((both - node.radius_m) / distance);
          node.radius_m = both * (1 + 1e-12);
        }
      }
    }
    if (!touches) return;
    if (!node.touches) {
      node.normal_from = from;
      node.normal_to = to;
      node.touches = true;
      return;
    }
    // Of all copies of the new range, the one next to the old one.
    const double turns = kTurn * std::round(((node.normal_from + node.normal_to) - (from + to)) / (2 * kTurn));
    node.normal_from = std::min(node.normal_from, from + turns);
    node.normal_to = std::max(node.normal_to, to + turns);
    if (node.normal_to - node.normal_from > kTurn) node.normal_to = node.normal_from + kTurn;
  };
  if (count <= kLeafElements) {
    for (int i = first; i < first + count; ++i) {
      const ContourElement& e = elements_[static_cast<std::size_t>(i)];
      join(e.bound_centre, e.bound_radius_m, e.touches, e.normal_from, e.normal_to, i == first);
    }
  } else {
    node.left = build_tree(first, count / 2);
    node.right = build_tree(first + count / 2, count - count / 2);
    for (const int child : {node.left, node.right}) {
      const ContourNode& c = nodes_[static_cast<std::size_t>(child)];
      join(c.centre, c.radius_m, c.touches, c.normal_from, c.normal_to, child == node.left);
    }
  }
  nodes_[static_cast<std::size_t>(at)] = node;
  return at;
}

}  // namespace freeplay::geometry

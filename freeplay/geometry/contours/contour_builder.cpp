#include "freeplay/geometry/contours/contour_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kJoint = 1e-9;         // of the size: strokes that end where the next one starts
constexpr double kStraightOn = 1e-14;   // rad: no corner
constexpr double kSmoothReflex = 1e-6;  // rad: neighbours that overlap by less need no corner between them
constexpr double kWallPerLength = 0.1;  // of an open contour
constexpr double kCuspAngle = 1e-9;     // rad short of turning back
constexpr int kChords = 7;  // per element in the search for crossings; odd, since drawings cross in the middle

double angle_of(const Vec2& v) {
  return std::atan2(v.y(), v.x());
}
std::string place_text(const Vec2& x) {
  return fmt::format("({:.6g}, {:.6g}) mm", 1e3 * x.x(), 1e3 * x.y());
}

double start_normal(const ContourElement& e) {
  return e.hollow ? e.normal_to : e.normal_from;
}
double end_normal(const ContourElement& e) {
  return e.hollow ? e.normal_from : e.normal_to;
}

}  // namespace

double default_wall_depth(double length_m, double least_radius_m) {
  return std::min(kWallPerLength * length_m, least_radius_m / 2);
}

void ContourBuilder::fail(std::string key, std::string message, std::string hint) {
  if (problem_.empty()) problem_ = {std::move(key), std::move(message), std::move(hint)};
}

void ContourBuilder::edge(const Vec2& from, const Vec2& to) {
  ContourElement e;
  e.kind = ElementKind::kEdge;
  e.start = from;
  e.end = to;
  e.length_m = (to - from).norm();
  if (!(e.length_m > 1e-12 * size_m_) || !std::isfinite(e.length_m))
    return fail("points", fmt::format("a side has no length at {}", place_text(from)), "leave out the repeated point");
  e.along = (to - from) / e.length_m;
  e.normal_from = e.normal_to = angle_of(normal_of_tangent(e.along));
  add(e);
}

void ContourBuilder::arc(const Vec2& centre, double radius_m, double from, double to) {
  ContourElement e;
  e.kind = ElementKind::kRound;
  e.hollow = to < from;
  e.centre = centre;
  e.radius_m = e.hollow ? -radius_m : radius_m;
  e.start = centre + radius_m * unit_vector(from);
  e.end = centre + radius_m * unit_vector(to);
  e.length_m = radius_m * std::abs(to - from);
  if (!(e.length_m > 1e-12 * size_m_) || !std::isfinite(e.length_m))
    return fail("points", fmt::format("an arc has no length at {}", place_text(e.start)), "leave it out");
  e.normal_from = e.hollow ? to + kPi : from;
  e.normal_to = e.hollow ? from + kPi : to;
  e.curvature_from = e.curvature_to = 1 / e.radius_m;
  add(e);
}

void ContourBuilder::curve(std::shared_ptr<const PlaneCurve> curve, double from, double to, int samples,
                           const char* parameter) {
  std::vector<CurvePiece> pieces;
  const ShapeProblem found = cut_curve(*curve, from, to, samples, size_m_, parameter, pieces);
  if (!found.empty()) return fail(found.key, found.message, found.hint);
  for (const CurvePiece& piece : pieces) {
    if (piece.straight) {
      edge(curve->at(piece.s_from).x, curve->at(piece.s_to).x);
      continue;
    }
    ContourElement e;
    e.kind = ElementKind::kCurve;
    e.hollow = piece.hollow;
    e.curve = curve.get();
    e.s_from = piece.s_from;
    e.s_to = piece.s_to;
    const CurvePlace start = curve_place(e, e.s_from), end = curve_place(e, e.s_to);
    e.start = start.x;
    e.end = end.x;
    // An end at an inflection may have a curvature of the wrong sign by rounding.
    e.curvature_from = e.hollow ? std::min(start.curvature, 0.0) : std::max(start.curvature, 0.0);
    e.curvature_to = e.hollow ? std::min(end.curvature, 0.0) : std::max(end.curvature, 0.0);
    const double at_start = angle_of(normal_of_tangent(start.tangent));
    const double turned = std::atan2(cross(start.tangent, end.tangent), start.tangent.dot(end.tangent));
    e.normal_from = std::min(at_start, at_start + turned);
    e.normal_to = std::max(at_start, at_start + turned);
    constexpr int kParts = 16;
    Vec2 before = e.start;
    for (int k = 1; k <= kParts; ++k) {
      const Vec2 now = curve_place(e, e.s_from + (e.s_to - e.s_from) * k / kParts).x;
      e.length_m += (now - before).norm();
      before = now;
    }
    if (e.hollow ? turned >= 0 : turned <= 0) {  // no turning beyond rounding
      edge(e.start, e.end);
      continue;
    }
    add(e);
  }
  curves_.push_back(std::move(curve));
}

// A convex corner fills the cone of normals; a reflex one bounds the matter and touches nothing.
void ContourBuilder::add_corner(const Vec2& at, double from, double to) {
  ContourElement e;
  e.kind = ElementKind::kRound;
  e.start = e.end = e.centre = at;
  e.touches = to > from;
  e.normal_from = std::min(from, to);
  e.normal_to = std::max(from, to);
  e.curvature_from = e.curvature_to = kInfinity;
  strokes_.push_back(e);
}

bool ContourBuilder::check_joints(bool closed) {
  if (!problem_.empty()) return false;
  if (strokes_.empty()) {
    fail("points", "the contour has no length", "give it at least one side");
    return false;
  }
  for (std::size_t i = closed ? 0 : 1; i < strokes_.size(); ++i) {
    const Vec2 &end = strokes_[i == 0 ? strokes_.size() - 1 : i - 1].end, &start = strokes_[i].start;
    if ((end - start).norm() <= kJoint * size_m_) continue;
    fail("closed", fmt::format("the contour is not closed: it goes from {} to {}", place_text(end), place_text(start)),
         "let it end where it starts, or write 'closed: false'");
    return false;
  }
  return true;
}

PlanarContour ContourBuilder::finish() {
  const std::vector<ContourElement> strokes = std::move(strokes_);
  strokes_.clear();
  const std::size_t n = strokes.size();
  const bool full_circle = n == 1 && strokes[0].kind == ElementKind::kRound;
  for (std::size_t i = 0; i < n; ++i) {
    strokes_.push_back(strokes[i]);
    if (full_circle) break;
    const ContourElement& next = strokes[(i + 1) % n];
    const double before = end_normal(strokes[i]);
    const double turn = std::remainder(start_normal(next) - before, 2 * kPi);
    if (turn < kStraightOn && turn > -kSmoothReflex) continue;
    if (std::abs(turn) > kPi - kCuspAngle) {
      fail("points", fmt::format("the contour turns back on itself at {}", place_text(strokes[i].end)),
           "matter needs some thickness there");
      return {};
    }
    add_corner(strokes[i].end, before, before + turn);
  }
  PlanarContour contour;
  contour.elements_ = std::move(strokes_);
  contour.curves_ = std::move(curves_);
  contour.freeze(true);
  const ShapeProblem crossing = find_crossing(contour);
  if (!crossing.empty()) fail(crossing.key, crossing.message, crossing.hint);
  return contour;
}

PlanarContour ContourBuilder::loop() {
  return check_joints(true) ? finish() : PlanarContour{};
}

// The same stroke `depth_m` behind, run through backwards.
ContourElement ContourBuilder::back_of(const ContourElement& element, double depth_m) const {
  ContourElement e = element;
  e.normal_from += kPi;
  e.normal_to += kPi;
  e.start = element.end - depth_m * unit_vector(end_normal(element));
  e.end = element.start - depth_m * unit_vector(start_normal(element));
  if (e.kind == ElementKind::kEdge) {
    e.along = -element.along;
    return e;
  }
  e.hollow = !element.hollow;
  const auto flip = [&](double curvature) { return -curvature / (1 - depth_m * curvature); };
  e.curvature_from = flip(element.curvature_to);
  e.curvature_to = flip(element.curvature_from);
  if (e.kind == ElementKind::kRound) {
    e.radius_m = -(element.radius_m - depth_m);
    e.length_m = std::abs(e.radius_m) * (e.normal_to - e.normal_from);
    return e;
  }
  e.s_from = element.s_to;
  e.s_to = element.s_from;
  e.offset_m = depth_m;
  e.length_m -= depth_m * (element.hollow ? -1 : 1) * (e.normal_to - e.normal_from);
  return e;
}

// At a corner the backs of two edges are cut where they meet.
bool ContourBuilder::join_backs(std::vector<ContourElement>& backs, double depth_m) {
  for (std::size_t i = 0; i + 1 < backs.size(); ++i) {
    ContourElement &one = backs[i], &two = backs[i + 1];
    if ((one.end - two.start).norm() <= kJoint * size_m_) continue;
    if (one.kind != ElementKind::kEdge || two.kind != ElementKind::kEdge) {
      fail("corners",
           fmt::format("an open outline has a corner between an edge and an arc near {}", place_text(one.end)),
           "round it, or close the outline");
      return false;
    }
    const double along = cross(two.start - one.start, two.along) / cross(one.along, two.along);
    const Vec2 meet = one.start + along * one.along;
    one.end = two.start = meet;
    one.length_m = (one.end - one.start).dot(one.along);
    two.length_m = (two.end - two.start).dot(two.along);
    if (one.length_m > 0 && two.length_m > 0) continue;
    fail("depth",
         fmt::format("the matter behind the outline, {:.6g} mm deep, closes up near {}", 1e3 * depth_m,
                     place_text(meet)),
         "make it less deep, or close the outline");
    return false;
  }
  return true;
}

PlanarContour ContourBuilder::wall(double depth_m) {
  if (!check_joints(false)) return {};
  double length = 0, least_radius = kInfinity, shortest = kInfinity;
  for (const ContourElement& e : strokes_) {
    length += e.length_m;
    const double bend = std::max(e.curvature_from, e.curvature_to);
    if (bend > 0) least_radius = std::min(least_radius, 1 / bend);
    if (e.kind == ElementKind::kEdge) shortest = std::min(shortest, e.length_m);
  }
  double depth = depth_m > 0 ? depth_m : default_wall_depth(length, least_radius);
  if (!(depth_m > 0) && strokes_.size() > 1) depth = std::min(depth, shortest / 4);
  if (!(depth < least_radius)) {
    fail("depth",
         fmt::format("the matter behind the contour, {:.6g} mm deep, reaches beyond its smallest radius of {:.6g} mm",
                     1e3 * depth, 1e3 * least_radius),
         "make it less deep");
    return {};
  }
  std::vector<ContourElement> backs;
  for (std::size_t i = strokes_.size(); i-- > 0;) backs.push_back(back_of(strokes_[i], depth));
  if (!join_backs(backs, depth)) return {};
  const Vec2 first = strokes_.front().start;
  edge(strokes_.back().end, backs.front().start);
  for (const ContourElement& e : backs) add(e);
  edge(backs.back().end, first);
  return problem_.empty() ? finish() : PlanarContour{};
}

PlanarContour ContourBuilder::point(const Vec2& at) {
  ContourElement e;
  e.kind = ElementKind::kRound;
  e.start = e.end = e.centre = at;
  e.normal_from = -kPi;
  e.normal_to = kPi;
  e.curvature_from = e.curvature_to = kInfinity;
  PlanarContour contour;
  contour.elements_ = {e};
  contour.freeze(true);
  return contour;
}

PlanarContour ContourBuilder::half_plane(const Vec2& at, const Vec2& normal) {
  ContourElement e;
  e.kind = ElementKind::kEdge;
  e.start = e.end = at;
  e.along = tangent_of_normal(normal.normalized());
  e.length_m = kInfinity;
  e.normal_from = e.normal_to = angle_of(normal);
  PlanarContour contour;
  contour.elements_ = {e};
  contour.freeze(false);
  return contour;
}

// By chords, each against all that overlap it in x. Chords of one element cannot cross: it turns too little.
ShapeProblem ContourBuilder::find_crossing(const PlanarContour& contour) const {
  struct Chord {
    Vec2 from, to;
    int element, order;
    double low, high;
  };
  const std::vector<PlanarContour::Sample> points = contour.samples(kChords);
  std::vector<Chord> chords;
  const int count = static_cast<int>(points.size());
  for (int i = 0; i < count; ++i) {
    const auto& from = points[static_cast<std::size_t>(i)];
    const auto& to = points[static_cast<std::size_t>((i + 1) % count)];
    chords.push_back({from.x, to.x, from.element, i, std::min(from.x.x(), to.x.x()), std::max(from.x.x(), to.x.x())});
  }
  std::sort(chords.begin(), chords.end(),
            [](const Chord& a, const Chord& b) { return a.low != b.low ? a.low < b.low : a.order < b.order; });
  for (std::size_t i = 0; i < chords.size(); ++i) {
    const Chord& a = chords[i];
    const Vec2 along_a = a.to - a.from;
    for (std::size_t k = i + 1; k < chords.size() && chords[k].low <= a.high; ++k) {
      const Chord& b = chords[k];
      const int apart = std::abs(a.order - b.order);
      if (apart <= 1 || apart == count - 1) continue;
      const Vec2 along_b = b.to - b.from;
      // Neighbours share a point, be there a corner between them. Elsewhere ends count as the left side, so that a
      // crossing in the joints of chords is seen once.
      const double slack = 1e-12 * size_m_ * size_m_;
      const double a0 = cross(along_b, a.from - b.from), a1 = cross(along_b, a.to - b.from);
      const double b0 = cross(along_a, b.from - a.from), b1 = cross(along_a, b.to - a.from);
      const bool is_near = apart <= 3 || apart >= count - 3;
      if (is_near && std::min({(a.from - b.to).norm(), (a.to - b.from).norm()}) < 1e-9 * size_m_) continue;
      if ((a0 < -slack) == (a1 < -slack) || (b0 < -slack) == (b1 < -slack)) continue;
      const Vec2 place = a.from + along_a * (a0 / (a0 - a1));
      return {"points", fmt::format("the contour crosses itself at {}", place_text(place)),
              "keep the contour clear of itself"};
    }
  }
  // The tangent of a boundary that does not cross itself turns once. This sees crossings in the joints of chords.
  double turned = 0;
  for (const ContourElement& e : contour.elements()) {
    if (!e.hidden) turned += (e.hollow || !e.touches ? -1 : 1) * (e.normal_to - e.normal_from);
  }
  if (std::abs(std::abs(turned) - 2 * kPi) > 1e-3)
    return {
        "points",
        fmt::format("the contour crosses itself: it turns by {:.0f} deg instead of a full turn", turned * 180 / kPi),
        "keep the contour clear of itself"};
  return {};
}

}  // namespace freeplay::geometry

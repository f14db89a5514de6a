// From the elements of a contour to what its gap function asks for: hidden edges behind corners, bounds, features, the
// tree, and how thick the matter is.
#include <algorithm>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "freeplay/geometry/contours/planar_contour.h"
#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr int kPolygonPoints = 24;  // per element
constexpr int kLeafElements = 2;
// Neighbours whose tangents differ by no more belong to one smooth stretch.
constexpr double kSmoothAngle = 1e-6;
constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kGrazing = 1e-9;      // directions that differ by less cannot be told from a point's neighbourhood
constexpr double kHiddenShare = 0.25;  // of the way through the matter
constexpr double kTooClose = 1e-6;     // of the length: the place itself

// The distance from a point of the boundary to where a ray into the matter leaves it; at most `limit_m`.
double ray_length(std::span<const PlanarContour::Sample> boundary, const Vec2& x, const Vec2& along, double limit_m) {
  double least = limit_m;
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    const Vec2& from = boundary[i].x;
    const Vec2 chord = boundary[(i + 1) % boundary.size()].x - from, arm = from - x;
    const double turn = cross(along, chord);
    if (turn == 0) continue;
    const double at = cross(arm, chord) / turn, share = cross(arm, along) / turn;
    if (share >= 0 && share <= 1 && at > kTooClose * limit_m) least = std::min(least, at);
  }
  return least;
}

}  // namespace

double PlanarContour::circle_behind(std::span<const Sample> boundary, std::size_t corner, const Vec2& into) const {
  const std::size_t count = elements_.size(), before = (corner + count - 1) % count, after = (corner + 1) % count;
  double least = kInfinity;
  for (const Sample& sample : boundary) {
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
  const std::vector<Sample> boundary = samples(kPointsPerCurve - 1);
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
      e.along = tangent_of_normal(unit_vector(angle));
      e.normal_from = e.normal_to = angle;
      const Vec2 into = is_before ? e.along : Vec2(-e.along);
      e.length_m = kHiddenShare *
                   std::min(ray_length(boundary, corner.centre, into, length_m_), circle_behind(boundary, i, into));
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

void PlanarContour::bound_elements() {
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
        e.bound_centre += e.radius_m * std::cos(half) * unit_vector((e.normal_from + e.normal_to) / 2);
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
}

// A stretch ends at a real corner. On a loop the last may be the first.
void PlanarContour::find_features() {
  const auto is_break = [](const ContourElement& e) {
    return e.kind == ElementKind::kRound && e.radius_m == 0 &&
           (!e.touches || e.normal_to - e.normal_from > kSmoothAngle);
  };
  features_ = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (i > 0 && (is_break(elements_[i]) || is_break(elements_[i - 1]))) ++features_;
    elements_[i].feature = features_;
  }
  if (loop_ && features_ > 0 && !is_break(elements_.front()) && !is_break(elements_.back())) {
    for (ContourElement& e : elements_) {
      if (e.feature == features_) e.feature = 0;
    }
    --features_;
  }
  ++features_;
}

void PlanarContour::freeze(bool loop) {
  loop_ = loop;
  hide_edges();
  bound_elements();
  find_features();
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
        n = unit_vector(e.normal_from + share * (e.normal_to - e.normal_from));
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

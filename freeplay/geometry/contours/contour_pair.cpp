#include "freeplay/geometry/contours/contour_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "freeplay/geometry/contours/crossed_tips.h"
#include "freeplay/geometry/contours/element_meeting.h"
#include "freeplay/geometry/contours/flush_faces.h"
#include "freeplay/geometry/contours/quick_angles.h"
#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kStackSize = 256;  // pairs of nodes: two trees of depth 64
// Neighbouring elements find a contact at their joint twice.
constexpr double kSamePlace = 1e-9;  // of both sizes
constexpr double kSameDirection = 1e-7;
constexpr double kRounding = 1e-9;  // of a depth
constexpr int kMostDeep = 8;        // contacts that are too deep by the rule, for a second look
constexpr int kNeighbours = 2;      // elements on each side that refine() looks at
constexpr int kMostMatched = 64;    // contacts of one pair that keep_numbers tells apart

const ContourElement& element_of(const PlanarContour& contour, int i) {
  return contour.elements()[static_cast<std::size_t>(i)];
}

// What two things with bounding circles and ranges of normals need for a contact between them: nearness, ranges that
// oppose each other, and the line of centres nearly along a common normal. D = g n up to the two radii.
template <class Thing>
bool may_meet(const Thing& a, const Vec2& centre_a, double radius_a, const Thing& b, const Vec2& centre_b,
              double radius_b, double turn, double reach_m, double lean) {
  const double inner = a.inner_m + b.inner_m;
  const double radius = (radius_a + radius_b) * (1 + 1e-9);
  const Vec2 D = centre_a - centre_b;
  const double distance_squared = D.squaredNorm(), limit = radius + std::max(reach_m, inner);
  if (distance_squared > limit * limit) return false;
  const double half_a = (a.normal_to - a.normal_from) / 2, half_b = (b.normal_to - b.normal_from) / 2;
  const double middle_b = (b.normal_from + b.normal_to) / 2;
  if (half_a + half_b >= kPi) return true;
  const double apart = quick_remainder((a.normal_from + a.normal_to) / 2 + turn + kPi - middle_b);
  const double low = std::max(apart - half_a, -half_b) - lean, high = std::min(apart + half_a, half_b) + lean;
  if (low > high + 1e-9) return false;
  const double half = (high - low) / 2;
  if (!(radius < kInfinity) || half > 1) return true;
  const double middle = middle_b + (low + high) / 2;
  const Vec2 n = quick_direction(middle);
  const double distance = std::sqrt(distance_squared);
  if (std::abs(cross(n, D)) > radius + (half + 1e-9) * (distance + radius)) return false;
  // Beyond the radii the sign of the gap is that of n . D for the true n, which is within `half` of the middle.
  const double towards = n.dot(D), unsure = (half + 1e-9) * distance;
  return distance <= radius + (towards > unsure ? reach_m : towards < -unsure ? inner : std::max(reach_m, inner));
}

class ContactSearch {
 public:
  ContactSearch(const PlanarContour& a, const PlanarContour& b, const PlanarPlacement& at_a,
                const PlanarPlacement& at_b, double reach_m, std::span<ContourContact> out, double lean_rad = 0)
      : a_(a),
        b_(b),
        at_b_(at_b),
        view_(at_a, at_b),
        reach_m_(reach_m),
        size_m_(a.size_m() + b.size_m()),
        lean_(lean_rad),
        out_(out) {}

  int all() {
    struct Pair {
      std::int32_t a, b;
    };
    if (!std::isfinite(view_.turn) || !view_.origin.allFinite()) return 0;  // nothing is near
    if (a_.is_convex_curve() && b_.is_convex_curve() && find_apart()) return count_;
    std::array<Pair, kStackSize> stack;
    int top = 0;
    stack[0] = {0, 0};
    while (top >= 0) {
      const Pair pair = stack[static_cast<std::size_t>(top--)];
      const ContourNode& na = a_.nodes()[static_cast<std::size_t>(pair.a)];
      const ContourNode& nb = b_.nodes()[static_cast<std::size_t>(pair.b)];
      if (!na.touches || !nb.touches) continue;
      if (!may_meet(na, view_.point(na.centre), na.radius_m, nb, nb.centre, nb.radius_m, view_.turn, reach_m_, lean_))
        continue;
      const bool leaf_a = na.left < 0, leaf_b = nb.left < 0;
      if (leaf_a && leaf_b) {
        for (int i = na.first; i < na.first + na.count; ++i) {
          for (int k = nb.first; k < nb.first + nb.count; ++k) meet(i, k);
        }
      } else if (leaf_b || (!leaf_a && na.radius_m > nb.radius_m)) {
        stack[static_cast<std::size_t>(++top)] = {na.right, pair.b};
        stack[static_cast<std::size_t>(++top)] = {na.left, pair.b};
      } else {
        stack[static_cast<std::size_t>(++top)] = {pair.a, nb.right};
        stack[static_cast<std::size_t>(++top)] = {pair.a, nb.left};
      }
    }
    add_deep();
    number_contacts();
    return count_;
  }

  // Only between elements around two given ones.
  int around(int element_a, int element_b) {
    if (!std::isfinite(view_.turn) || !view_.origin.allFinite()) return 0;
    const int count_a = static_cast<int>(a_.elements().size()), count_b = static_cast<int>(b_.elements().size());
    const int reach_a = std::min(kNeighbours, (count_a - 1) / 2), reach_b = std::min(kNeighbours, (count_b - 1) / 2);
    const int more_a = count_a == 2 ? 1 : 0, more_b = count_b == 2 ? 1 : 0;
    for (int i = -reach_a; i <= reach_a + more_a; ++i) {
      for (int k = -reach_b; k <= reach_b + more_b; ++k)
        meet((element_a + i + count_a) % count_a, (element_b + k + count_b) % count_b);
    }
    return count_;
  }

  bool add(int ia, int ib, const Meeting& m) {
    if (!(m.gap <= reach_m_) || is_known(m)) return false;
    if (is_too_deep(ia, ib, m)) {
      if (deep_count_ < kMostDeep) deep_[static_cast<std::size_t>(deep_count_++)] = {ia, ib, m};
      return false;
    }
    return write(ia, ib, m);
  }

  const RelativePlacement& view() const { return view_; }

 private:
  bool write(int ia, int ib, const Meeting& m) {
    if (count_++ >= static_cast<int>(out_.size())) return true;
    ContourContact& contact = out_[static_cast<std::size_t>(count_ - 1)];
    contact.gap = m.gap;
    contact.point_a = at_b_.point(m.x_a);
    contact.point_b = at_b_.point(m.x_b);
    contact.normal = at_b_.direction(m.normal);
    contact.curvature_a = m.curvature_a;
    contact.curvature_b = m.curvature_b;
    contact.place_a = place_of(a_, ia, m.parameter_a);
    contact.place_b = place_of(b_, ib, m.parameter_b);
    contact.key = {element_of(a_, ia).feature, element_of(b_, ib).feature, 0};
    contact.is_centred = m.is_centred;
    return true;
  }

  // What was too deep by the rule of circles is the only contact of its overlap if no other one is near: two corners
  // that cut each other off. The shallowest first; both of its points must lie in the other body, or one of two tips.
  void add_deep() {
    std::sort(deep_.begin(), deep_.begin() + deep_count_,
              [](const Deep& one, const Deep& two) { return one.m.gap > two.m.gap; });
    for (int i = 0; i < deep_count_; ++i) {
      const auto& [ia, ib, m] = deep_[static_cast<std::size_t>(i)];
      const double past = way_past_tip(ia, ib);
      if (is_near_another(m, 2 * std::max(-m.gap, past))) continue;
      if (past > 0 || are_points_inside(m)) write(ia, ib, m);
    }
  }
  bool are_points_inside(const Meeting& m) const {
    const Vec2 inward = 1e-6 * m.gap * m.normal;  // away from the boundaries themselves
    return b_.contains(m.x_a + inward) && a_.contains(own_point(m.x_b - inward));
  }
  double way_past_tip(int ia, int ib) const {
    const auto to_b = [this](const Vec2& x) { return view_.point(x); };
    const auto to_a = [this](const Vec2& x) { return own_point(x); };
    return std::max(geometry::way_past_tip(a_, ia, b_, ib, to_b, to_a),
                    geometry::way_past_tip(b_, ib, a_, ia, to_a, to_b));
  }
  bool is_near_another(const Meeting& m, double near_m) const {
    const Vec2 point_a = at_b_.point(m.x_a), point_b = at_b_.point(m.x_b);
    for (int i = 0; i < std::min(count_, static_cast<int>(out_.size())); ++i) {
      const ContourContact& other = out_[static_cast<std::size_t>(i)];
      if (other.gap <= 0 && ((other.point_a - point_a).norm() <= near_m || (other.point_b - point_b).norm() <= near_m))
        return true;
    }
    return false;
  }
  Vec2 own_direction(const Vec2& v) const {
    return {view_.cos * v.x() + view_.sin * v.y(), view_.cos * v.y() - view_.sin * v.x()};
  }
  Vec2 own_point(const Vec2& x) const { return own_direction(x - view_.origin); }

  // Two convex curves that are apart have one minimum: wherever Newton's method finds it, there is no other. False if
  // they overlap, or if it finds none from the line of their centres.
  bool find_apart() {
    const Vec2 D = view_.point(a_.nodes()[0].centre) - b_.nodes()[0].centre;
    const double angle = std::atan2(D.y(), D.x());
    const int ia = element_at(a_, angle + kPi - view_.turn), ib = element_at(b_, angle);
    if (ia < 0 || ib < 0) return false;
    const ContourElement &ea = element_of(a_, ia), &eb = element_of(b_, ib);
    Meeting m;
    if (!meet_curves_near(ea, eb, view_, start_at(ea, angle + kPi - view_.turn), start_at(eb, angle), false, m))
      return false;
    if (!(m.gap > 0)) return false;
    const int found_a = element_with(a_, m.parameter_a), found_b = element_with(b_, m.parameter_b);
    if (found_a < 0 || found_b < 0) return false;
    add(found_a, found_b, m);
    return true;
  }
  static int element_at(const PlanarContour& contour, double angle) {
    for (std::size_t i = 0; i < contour.elements().size(); ++i) {
      const ContourElement& e = contour.elements()[i];
      const double half = (e.normal_to - e.normal_from) / 2;
      if (std::abs(std::remainder(angle - e.normal_from - half, 2 * kPi)) <= half) return static_cast<int>(i);
    }
    return -1;
  }
  static double start_at(const ContourElement& e, double angle) {
    const double middle = (e.normal_from + e.normal_to) / 2;
    const double inside = middle + std::remainder(angle - middle, 2 * kPi);
    return curve_parameter(e, Vec2(std::cos(inside), std::sin(inside)), inside);
  }
  // The curve is closed: its parameter comes back to the range.
  static int element_with(const PlanarContour& contour, double& s) {
    const double from = contour.elements().front().s_from, period = contour.elements().back().s_to - from;
    s -= period * std::floor((s - from) / period);
    for (std::size_t i = 0; i < contour.elements().size(); ++i) {
      if (s <= contour.elements()[i].s_to) return static_cast<int>(i);
    }
    return -1;
  }

  void meet(int ia, int ib) {
    const ContourElement &ea = element_of(a_, ia), &eb = element_of(b_, ib);
    if (!ea.touches || !eb.touches) return;
    if (!may_meet(ea, view_.point(ea.bound_centre), ea.bound_radius_m, eb, eb.bound_centre, eb.bound_radius_m,
                  view_.turn, reach_m_, lean_))
      return;
    std::array<Meeting, kMostMeetings> found;
    int count = meet_elements(ea, eb, view_, size_m_, found);
    if (lean_ > 0 && count == 0 && meet_leaning(ea, eb, view_, size_m_, lean_, found[0])) count = 1;
    for (int i = 0; i < count; ++i) add(ia, ib, found[static_cast<std::size_t>(i)]);
  }

  bool is_known(const Meeting& m) const {
    const Vec2 point_a = at_b_.point(m.x_a), point_b = at_b_.point(m.x_b), normal = at_b_.direction(m.normal);
    const double near = kSamePlace * size_m_;
    for (int i = 0; i < std::min(count_, static_cast<int>(out_.size())); ++i) {
      const ContourContact& other = out_[static_cast<std::size_t>(i)];
      if ((other.point_a - point_a).squaredNorm() <= near * near &&
          (other.point_b - point_b).squaredNorm() <= near * near &&
          (other.normal - normal).squaredNorm() <= kSameDirection * kSameDirection)
        return true;
    }
    return false;
  }

  // Circles inside of A and of B touch their boundaries at the two points and each other in between, if the depth is no
  // more than the sum of the largest such circles. What is deeper has left through another side.
  bool is_too_deep(int ia, int ib, const Meeting& m) const {
    if (m.gap >= 0) return false;
    const double depth = -m.gap;
    for (const ContourElement* e : {&element_of(a_, ia), &element_of(b_, ib)})
      if (e->hidden && depth > e->length_m) return true;
    // Below a face that lies along the edge there is room where the face runs on, or less of it if that is a tip.
    const double way_b = way_along_face(element_of(b_, ib), m.parameter_b, a_, ia, view_.turn, depth);
    const double inner_b = std::max(room_in_b(ib, m, 0, depth), way_b == 0 ? 0 : room_in_b(ib, m, way_b, depth));
    if (inner_b >= depth) return false;
    const double way_a = way_along_face(element_of(a_, ia), m.parameter_a, b_, ib, -view_.turn, depth);
    const double inner_a = std::max(room_in_a(ia, m, 0, depth), way_a == 0 ? 0 : room_in_a(ia, m, way_a, depth));
    return inner_a + inner_b < depth * (1 - kRounding);
  }
  double room_in_b(int ib, const Meeting& m, double way_m, double depth) const {
    return b_.inner_radius(m.x_b + way_m * tangent_of_normal(m.normal), m.normal, ib, depth);
  }
  double room_in_a(int ia, const Meeting& m, double way_m, double depth) const {
    const Vec2 at = m.x_a - way_m * tangent_of_normal(m.normal);
    return a_.inner_radius(own_point(at), own_direction(-m.normal), ia, depth);
  }

  static ContourPlace place_of(const PlanarContour& contour, int i, double parameter) {
    const ContourElement& e = element_of(contour, i);
    double passed = 0;
    if (e.kind == ElementKind::kEdge) passed = parameter;
    if (e.kind == ElementKind::kCurve) passed = e.length_m * (parameter - e.s_from) / (e.s_to - e.s_from);
    if (e.kind == ElementKind::kRound)
      passed = std::abs(e.radius_m) * (e.hollow ? e.normal_to - parameter : parameter - e.normal_from);
    return {static_cast<std::int32_t>(i), parameter, e.travelled_m + passed};
  }

  void number_contacts() {
    const int count = std::min(count_, static_cast<int>(out_.size()));
    for (int i = 0; i < count; ++i) {
      ContourContact& one = out_[static_cast<std::size_t>(i)];
      for (int k = 0; k < count; ++k) {
        const ContourContact& other = out_[static_cast<std::size_t>(k)];
        if (k == i || other.key.feature_a != one.key.feature_a || other.key.feature_b != one.key.feature_b) continue;
        const bool is_before =
            other.place_a.travelled_m != one.place_a.travelled_m   ? other.place_a.travelled_m < one.place_a.travelled_m
            : other.place_b.travelled_m != one.place_b.travelled_m ? other.place_b.travelled_m < one.place_b.travelled_m
                                                                   : k < i;
        if (is_before) ++one.key.which;
      }
    }
  }

  const PlanarContour& a_;
  const PlanarContour& b_;
  const PlanarPlacement& at_b_;
  RelativePlacement view_;
  double reach_m_, size_m_, lean_;
  std::span<ContourContact> out_;
  int count_ = 0;
  struct Deep {
    int ia = 0, ib = 0;
    Meeting m;
  };
  std::array<Deep, kMostDeep> deep_;
  int deep_count_ = 0;
};

// Along a contour, the shorter way round. A half-plane has no length to go round.
double travelled_between(const PlanarContour& contour, const ContourPlace& one, const ContourPlace& two) {
  const double apart = std::abs(one.travelled_m - two.travelled_m);
  return contour.length_m() < kInfinity ? std::min(apart, contour.length_m() - apart) : apart;
}

double apart_m(const PlanarContour& a, const PlanarContour& b, const ContourContact& one, const ContourContact& two) {
  return travelled_between(a, one.place_a, two.place_a) + travelled_between(b, one.place_b, two.place_b);
}

bool same_features(const ContourContact& one, const ContourContact& two) {
  return one.key.feature_a == two.key.feature_a && one.key.feature_b == two.key.feature_b;
}

}  // namespace

int ContourPair::find(const PlanarPlacement& a, const PlanarPlacement& b, double reach_m, std::span<ContourContact> out,
                      double lean_rad) const {
  return ContactSearch(*a_, *b_, a, b, reach_m, out, lean_rad).all();
}

bool ContourPair::refine(const PlanarPlacement& a, const PlanarPlacement& b, const ContourContact& start,
                         ContourContact& contact) const {
  std::array<ContourContact, 32> found;
  ContactSearch search(*a_, *b_, a, b, kInfinity, found);
  const ContourElement &ea = element_of(*a_, start.place_a.element), &eb = element_of(*b_, start.place_b.element);
  Meeting m;
  if (ea.kind == ElementKind::kCurve && eb.kind == ElementKind::kCurve &&
      meet_curves_near(ea, eb, search.view(), start.place_a.parameter, start.place_b.parameter, true, m) &&
      m.curvature_a + m.curvature_b + m.gap * m.curvature_a * m.curvature_b > 0 &&
      search.add(start.place_a.element, start.place_b.element, m)) {
    contact = found[0];
    contact.key.which = start.key.which;
    return true;
  }
  const int count =
      std::min(search.around(start.place_a.element, start.place_b.element), static_cast<int>(found.size()));
  double nearest = kInfinity;
  for (int i = 0; i < count; ++i) {
    const ContourContact& other = found[static_cast<std::size_t>(i)];
    if (!same_features(other, start)) continue;
    const double apart = apart_m(*a_, *b_, start, other);
    if (apart >= nearest) continue;
    nearest = apart;
    contact = other;
  }
  contact.key.which = start.key.which;
  return nearest < kInfinity;
}

void keep_numbers(const PlanarContour& a, const PlanarContour& b, std::span<const ContourContact> before,
                  std::span<ContourContact> now) {
  const std::size_t old_count = std::min<std::size_t>(before.size(), kMostMatched);
  const std::size_t new_count = std::min<std::size_t>(now.size(), kMostMatched);
  std::array<bool, kMostMatched> old_done{}, new_done{};
  while (true) {  // the nearest two that are left
    double nearest = kInfinity;
    std::size_t best_old = 0, best_new = 0;
    for (std::size_t i = 0; i < old_count; ++i) {
      if (old_done[i]) continue;
      for (std::size_t k = 0; k < new_count; ++k) {
        if (new_done[k] || !same_features(before[i], now[k])) continue;
        const double apart = apart_m(a, b, before[i], now[k]);
        if (apart >= nearest) continue;
        nearest = apart;
        best_old = i;
        best_new = k;
      }
    }
    if (!(nearest < kInfinity)) break;
    old_done[best_old] = new_done[best_new] = true;
    now[best_new].key.which = before[best_old].key.which;
  }
  for (std::size_t k = 0; k < new_count; ++k) {
    if (new_done[k]) continue;
    for (int which = 0;; ++which) {
      bool is_taken = false;
      for (std::size_t i = 0; i < new_count; ++i)
        is_taken = is_taken || (new_done[i] && same_features(now[i], now[k]) && now[i].key.which == which);
      if (is_taken) continue;
      now[k].key.which = which;
      new_done[k] = true;
      break;
    }
  }
}

}  // namespace freeplay::geometry

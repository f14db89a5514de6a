#include "freeplay/geometry/contours/element_meeting.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "freeplay/geometry/curves/planar_outline.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;
// Ranges of normals and edges are taken this much larger, so that nothing falls between neighbours by rounding; what is
// found twice is merged by the caller.
constexpr double kAngleSlack = 1e-12, kLengthSlack = 1e-12;
constexpr int kMostHalvings = 12;
constexpr int kMostLooks = 200;  // in the search of one pair of elements: concentric ones could halve for ever
constexpr int kMostIterations = 100;
constexpr int kNewtonIterations = 12;
constexpr double kNewtonStop = 1e-8;  // of the parameters' ranges: the next step is quadratically smaller

Vec2 unit_vector(double angle) {
  return {std::cos(angle), std::sin(angle)};
}
double angle_of(const Vec2& v) {
  return std::atan2(v.y(), v.x());
}
double middle_of(const ContourElement& e) {
  return (e.normal_from + e.normal_to) / 2;
}
double half_of(const ContourElement& e) {
  return (e.normal_to - e.normal_from) / 2;
}

// The angle as it stands in the range of an element's normals, or the nearer end just outside; false beyond that.
bool angle_in_range(const ContourElement& e, double angle, double& inside, double slack = kAngleSlack) {
  const double past = std::remainder(angle - middle_of(e), 2 * kPi), half = half_of(e);
  inside = middle_of(e) + std::clamp(past, -half, half);
  return std::abs(past) <= half + slack;
}

// At an inflection rounding may give the curvature the wrong sign.
double bend_of(const ContourElement& e, double curvature) {
  return e.hollow ? std::min(curvature, 0.0) : std::max(curvature, 0.0);
}

// An element of one of the bodies in the axes of body B.
struct Side {
  const ContourElement& e;
  const RelativePlacement* view;  // nullptr: it is of body B

  Vec2 point(const Vec2& v) const { return view != nullptr ? view->point(v) : v; }
  Vec2 direction(const Vec2& v) const { return view != nullptr ? view->direction(v) : v; }
  Vec2 own_direction(const Vec2& v) const {
    if (view == nullptr) return v;
    return {view->cos * v.x() + view->sin * v.y(), view->cos * v.y() - view->sin * v.x()};
  }
  double own_angle(double angle) const { return view != nullptr ? angle - view->turn : angle; }
  double turn() const { return view != nullptr ? view->turn : 0; }
};

// A minimum: both convex, rho_A + rho_B + g > 0; one hollow, rho_A + rho_B + max(g, 0) < 0; both hollow, none.
bool is_minimum(const Meeting& m, bool one_is_hollow) {
  const double ka = m.curvature_a, kb = m.curvature_b;
  if (ka == 0 || kb == 0) return ka + kb >= 0;
  const double rho = 1 / ka + 1 / kb;
  return one_is_hollow ? rho + std::max(m.gap, 0.0) < 0 : rho + m.gap > 0;
}

int meet_rounds(const ContourElement& a, const ContourElement& b, const RelativePlacement& view, Meeting& m) {
  const bool hollow = a.hollow || b.hollow;
  const double rho = a.radius_m + b.radius_m;
  if (hollow && !(rho < 0)) return 0;
  const Vec2 centre_a = view.point(a.centre), centres = centre_a - b.centre;
  const double distance = centres.norm();
  m.is_centred = !(distance > 1e-15 * (std::abs(a.radius_m) + std::abs(b.radius_m)));
  double angle = angle_of(hollow ? Vec2(-centres) : centres);
  if (m.is_centred) {
    // Every direction is as near. The middle of the smaller range is a placeholder, if the other one has it too.
    if (a.radius_m == 0 && b.radius_m == 0) return 0;
    angle = half_of(a) < half_of(b) ? middle_of(a) + view.turn + kPi : middle_of(b);
  }
  if (!angle_in_range(b, angle, m.parameter_b)) return 0;
  if (!angle_in_range(a, angle + kPi - view.turn, m.parameter_a)) return 0;
  m.normal = m.is_centred ? unit_vector(angle) : Vec2(centres / (hollow ? -distance : distance));
  m.gap = (hollow ? -distance : distance) - rho;
  m.x_a = centre_a - a.radius_m * m.normal;
  m.x_b = b.centre + b.radius_m * m.normal;
  m.curvature_a = a.curvature_from;
  m.curvature_b = b.curvature_from;
  return 1;
}

// An edge against a convex round element or curve. `edge_is_a` says whose it is. `lean`: how far the normal of the edge
// may stand outside of the other's range.
int meet_edge(const Side& edge, const Side& other, bool edge_is_a, double size_m, double lean, Meeting& m) {
  if (other.e.hollow) return 0;
  const Vec2 along = edge.direction(edge.e.along), normal = normal_of_tangent(along);
  double angle = 0;
  if (!angle_in_range(other.e, other.own_angle(edge.e.normal_from + edge.turn() + kPi), angle, lean)) return 0;
  Vec2 x;
  double parameter = angle, curvature = other.e.curvature_from;
  if (other.e.kind == ElementKind::kRound) {
    x = other.point(other.e.centre) - other.e.radius_m * normal;
  } else {
    parameter = curve_parameter(other.e, other.own_direction(-normal), angle);
    const CurvePlace place = curve_place(other.e, parameter);
    x = other.point(place.x);
    curvature = std::max(place.curvature, 0.0);
  }
  const Vec2 arm = x - edge.point(edge.e.start);
  const double height = normal.dot(arm), foot = along.dot(arm);
  if (edge.e.length_m < kInfinity) {
    const double slack = kLengthSlack * size_m;
    if (!(foot >= -slack && foot <= edge.e.length_m + slack)) return 0;
  }
  const Vec2 x_edge = x - height * normal;
  m.gap = height;
  m.normal = edge_is_a ? Vec2(-normal) : normal;
  m.x_a = edge_is_a ? x_edge : x;
  m.x_b = edge_is_a ? x : x_edge;
  m.parameter_a = edge_is_a ? foot : parameter;
  m.parameter_b = edge_is_a ? parameter : foot;
  m.curvature_a = edge_is_a ? 0 : curvature;
  m.curvature_b = edge_is_a ? curvature : 0;
  return 1;
}

// A curve P against a curve or round element Q: h and its slope as functions of the place on P.
class CurveMeeting {
 public:
  CurveMeeting(const ContourElement& a, const ContourElement& b, const RelativePlacement& view, double size_m)
      : a_{a, &view},
        b_{b, nullptr},
        p_is_a_(a.kind == ElementKind::kCurve && (b.kind != ElementKind::kCurve || flatness(a) <= flatness(b))),
        p_(p_is_a_ ? a_ : b_),
        q_(p_is_a_ ? b_ : a_),
        shift_(p_is_a_ ? view.turn + kPi : -view.turn - kPi),
        one_is_hollow_(a.hollow || b.hollow),
        rise_(one_is_hollow_ ? -1 : 1),
        slack_m_(kLengthSlack * size_m) {}

  int solve(std::span<Meeting, kMostMeetings> out) {
    out_ = out;
    // Ranges of normals relative to the middle of Q's; delta: where the middle of P's is.
    const double p_half = half_of(p_.e), q_half = half_of(q_.e);
    const double delta = std::remainder(middle_of(p_.e) + shift_ - middle_of(q_.e), 2 * kPi);
    double low = delta - p_half, high = delta + p_half;
    if (q_.e.kind == ElementKind::kCurve || p_half + q_half < kPi) {
      low = std::max(low, -q_half);
      high = std::min(high, q_half);
    }
    if (!(low <= high + kAngleSlack)) return 0;
    const Look first = look_at_angle(low - delta, low), last = look_at_angle(high - delta, high);
    isolate(first, last, 0);
    return count_;
  }

 private:
  // A place on P with its partner on Q. f = dh/dtheta with the sign of -1, as t_A . (x_A - x_B).
  struct Look {
    double s_p = 0, s_q = 0;
    CurvePlace p;
    Vec2 d, n;  // x_A - x_B; n_B
    double h = 0, f = 0;
    double rho_p = 0, rho_q = 0, curvature_q = 0;
  };

  static double flatness(const ContourElement& e) {
    return std::min(std::abs(e.curvature_from), std::abs(e.curvature_to));
  }
  // Infinite at an inflection, where rounding may give the curvature the wrong sign.
  static double radius_of(const ContourElement& e, double curvature) {
    const double bend = e.hollow ? -curvature : curvature, radius = bend > 0 ? 1 / bend : kInfinity;
    return e.hollow ? -radius : radius;
  }

  // `from_middle`: of P's range; `on_q`: from the middle of Q's.
  Look look_at_angle(double from_middle, double on_q) const {
    const double p_half = half_of(p_.e), q_half = half_of(q_.e);
    if (std::abs(from_middle) >= p_half - kAngleSlack) {
      const bool at_to = (from_middle > 0) != p_.e.hollow;  // the end in the direction of travel
      return look_at(at_to ? p_.e.s_to : p_.e.s_from);
    }
    // An end of Q: by its exact tangent, since close to an inflection an angle says little about the place.
    if (q_.e.kind == ElementKind::kCurve && std::abs(on_q) >= q_half - kAngleSlack) {
      const bool at_to = (on_q > 0) != q_.e.hollow;
      const double s_q = at_to ? q_.e.s_to : q_.e.s_from;
      const CurvePlace place = curve_place(q_.e, s_q);
      const Vec2 n_p = -q_.direction(normal_of_tangent(place.tangent));
      return look_from(curve_parameter(p_.e, p_.own_direction(n_p), middle_of(p_.e) + from_middle), &s_q);
    }
    const double angle = middle_of(p_.e) + from_middle;
    return look_at(curve_parameter(p_.e, unit_vector(angle), angle));
  }

  Look look_at(double s_p) const { return look_from(s_p, nullptr); }

  Look look_from(double s_p, const double* s_q) const {
    Look look;
    look.s_p = s_p;
    look.p = curve_place(p_.e, s_p);
    const Vec2 n_p = p_.direction(normal_of_tangent(look.p.tangent)), x_p = p_.point(look.p.x);
    Vec2 x_q;
    if (q_.e.kind == ElementKind::kRound) {
      look.s_q = q_.own_angle(angle_of(-n_p));
      look.curvature_q = q_.e.curvature_from;
      look.rho_q = q_.e.radius_m;
      x_q = q_.point(q_.e.centre) - q_.e.radius_m * n_p;
    } else {
      const Vec2 n_q = q_.own_direction(-n_p);
      double angle = 0;
      angle_in_range(q_.e, angle_of(n_q), angle);
      look.s_q = s_q != nullptr ? *s_q : curve_parameter(q_.e, n_q, angle);
      const CurvePlace place = curve_place(q_.e, look.s_q);
      look.curvature_q = place.curvature;
      look.rho_q = radius_of(q_.e, place.curvature);
      x_q = q_.point(place.x);
    }
    look.rho_p = radius_of(p_.e, look.p.curvature);
    look.d = p_is_a_ ? Vec2(x_p - x_q) : Vec2(x_q - x_p);
    look.n = p_is_a_ ? Vec2(-n_p) : n_p;
    look.h = look.n.dot(look.d);
    look.f = -tangent_of_normal(look.n).dot(look.d);  // t_A = tangent of n_A = -n
    return look;
  }

  // Between two places, in the order of rising angle. With rho between rho_low and rho_high there (curvatures are
  // monotone) the solution of h'' + h = -rho from either end bounds f and h + rho.
  void isolate(const Look& one, const Look& two, int depth) {
    const double rho_low = std::min(one.rho_p, two.rho_p) + std::min(one.rho_q, two.rho_q);
    const double rho_high = std::max(one.rho_p, two.rho_p) + std::max(one.rho_q, two.rho_q);
    const double h_low = std::min(one.h, two.h), h_high = std::max(one.h, two.h);
    if (one_is_hollow_ ? (rho_low >= 0 || h_low + rho_low > 0) : h_high + rho_high < 0)
      return;  // f' has the wrong sign
    const bool monotone = one_is_hollow_ ? h_high + rho_high < 0 : h_low + rho_low > 0;
    const double f1 = rise_ * one.f, f2 = rise_ * two.f;
    if (monotone || depth >= kMostHalvings || looks_ >= kMostLooks) {
      if (f1 <= slack_m_ && f2 >= -slack_m_) find_root(one, two);
      return;
    }
    const double c = one.n.dot(two.n), s = cross(one.n, two.n);
    const bool stays_positive = (one.f > slack_m_ && (one.h + rho_low) * s + one.f * c > slack_m_) ||
                                (two.f > slack_m_ && two.f * c - (two.h + rho_high) * s > slack_m_);
    const bool stays_negative = (one.f < -slack_m_ && (one.h + rho_high) * s + one.f * c < -slack_m_) ||
                                (two.f < -slack_m_ && two.f * c - (two.h + rho_low) * s < -slack_m_);
    if (stays_positive || stays_negative) return;
    ++looks_;
    const Look middle = look_at((one.s_p + two.s_p) / 2);
    isolate(one, middle, depth + 1);
    isolate(middle, two, depth + 1);
  }

  // f rises (times rise_) from one to two.
  void find_root(const Look& one, const Look& two) {
    if (rise_ * one.f >= 0) return emit(one);
    if (rise_ * two.f <= 0) return emit(two);
    if (q_.e.kind == ElementKind::kCurve) {
      // f is nearly linear in the angle, and so is the place.
      const double share = one.f / (one.f - two.f);
      const double s_p = one.s_p + share * (two.s_p - one.s_p), s_q = one.s_q + share * (two.s_q - one.s_q);
      Meeting m;
      if (meet_curves_near(a_.e, b_.e, *a_.view, p_is_a_ ? s_p : s_q, p_is_a_ ? s_q : s_p, true, m)) {
        const double found = p_is_a_ ? m.parameter_a : m.parameter_b;
        if ((found - one.s_p) * (two.s_p - found) >= 0) return accept(m);
      }
    }
    double low = one.s_p, high = two.s_p, s = low + one.f / (one.f - two.f) * (high - low);
    Look look = one;
    for (int i = 0; i < kMostIterations; ++i) {
      look = look_at(s);
      if (look.f == 0) break;
      (rise_ * look.f < 0 ? low : high) = s;
      const double slope = look.p.metres_per_s * (1 + look.p.curvature * (look.rho_q + look.h));
      double next = s - look.f / slope;
      if (!((next - low) * (high - next) > 0)) next = (low + high) / 2;
      if (next == s || next == low || next == high || std::abs(next - s) <= 1e-16 * std::abs(s)) break;
      s = next;
    }
    emit(look);
  }

  void emit(const Look& look) {
    Meeting m;
    const Vec2 x_p = p_.point(look.p.x);
    m.gap = look.h;
    m.normal = look.n;
    m.x_a = p_is_a_ ? x_p : Vec2(x_p + look.d);
    m.x_b = p_is_a_ ? Vec2(x_p - look.d) : x_p;
    m.parameter_a = p_is_a_ ? look.s_p : look.s_q;
    m.parameter_b = p_is_a_ ? look.s_q : look.s_p;
    m.curvature_a = p_is_a_ ? look.p.curvature : look.curvature_q;
    m.curvature_b = p_is_a_ ? look.curvature_q : look.p.curvature;
    if (q_.e.kind == ElementKind::kRound) {
      double& angle = p_is_a_ ? m.parameter_b : m.parameter_a;
      if (!angle_in_range(q_.e, angle, angle)) return;
    }
    accept(m);
  }

  void accept(Meeting m) {
    m.curvature_a = bend_of(a_.e, m.curvature_a);
    m.curvature_b = bend_of(b_.e, m.curvature_b);
    if (count_ < kMostMeetings && is_minimum(m, one_is_hollow_)) out_[static_cast<std::size_t>(count_++)] = m;
  }

  Side a_, b_;
  bool p_is_a_;
  const Side& p_;
  const Side& q_;
  double shift_;  // angle of the normal of Q less that of P, each in own axes
  bool one_is_hollow_;
  double rise_;
  double slack_m_;
  std::span<Meeting> out_;
  int count_ = 0, looks_ = 0;
};

}  // namespace

RelativePlacement::RelativePlacement(const PlanarPlacement& a, const PlanarPlacement& b)
    : cos(b.cos * a.cos + b.sin * a.sin), sin(b.cos * a.sin - b.sin * a.cos), turn(std::atan2(sin, cos)) {
  const Vec2 between(a.x - b.x, a.y - b.y);
  origin = local_direction(b, between);
}

// In arc lengths, with E = t_A . (x_A - x_B) and e the angle of n_B less that of -n_A:
//   | 1 + g kappa_A   1       | |dl_A|     | E |
//   | -kappa_A        kappa_B | |dl_B| = - | e |,   determinant kappa_A + kappa_B + g kappa_A kappa_B.
bool meet_curves_near(const ContourElement& a, const ContourElement& b, const RelativePlacement& view, double s_a,
                      double s_b, bool is_bounded, Meeting& out) {
  const auto is_within = [&] {
    return !is_bounded || ((s_a - a.s_from) * (a.s_to - s_a) >= 0 && (s_b - b.s_from) * (b.s_to - s_b) >= 0);
  };
  const double width_a = a.s_to - a.s_from, width_b = b.s_to - b.s_from;
  for (int i = 0; i < kNewtonIterations; ++i) {
    const CurvePlace pa = curve_place(a, s_a), pb = curve_place(b, s_b);
    const Vec2 t_a = view.direction(pa.tangent), x_a = view.point(pa.x), d = x_a - pb.x;
    const Vec2 n_b = normal_of_tangent(pb.tangent), n_a = normal_of_tangent(t_a);
    const double g = n_b.dot(d), along = t_a.dot(d), angle = cross(Vec2(-n_a), n_b);
    if (n_a.dot(n_b) > -0.5) return false;
    const double ka = pa.curvature, kb = pb.curvature;
    const double determinant = ka + kb + g * ka * kb;
    const double step_a = -(along * kb - angle) / determinant / pa.metres_per_s;
    const double step_b = -((1 + g * ka) * angle + ka * along) / determinant / pb.metres_per_s;
    if (std::abs(step_a) <= kNewtonStop * std::abs(width_a) && std::abs(step_b) <= kNewtonStop * std::abs(width_b)) {
      // One more step, to first order in everything that a contact tells.
      s_a += step_a;
      s_b += step_b;
      const CurvePlace qa = curve_place(a, s_a), qb = curve_place(b, s_b);
      out.x_a = view.point(qa.x);
      out.x_b = qb.x;
      out.normal = (normal_of_tangent(qb.tangent) - view.direction(normal_of_tangent(qa.tangent))).normalized();
      out.gap = out.normal.dot(out.x_a - out.x_b);
      out.parameter_a = s_a;
      out.parameter_b = s_b;
      out.curvature_a = bend_of(a, qa.curvature);
      out.curvature_b = bend_of(b, qb.curvature);
      out.is_centred = false;
      return is_within();
    }
    s_a += step_a;
    s_b += step_b;
    if (!is_within()) return false;
  }
  return false;
}

int meet_elements(const ContourElement& a, const ContourElement& b, const RelativePlacement& view, double size_m,
                  std::span<Meeting, kMostMeetings> out) {
  if (!a.touches || !b.touches || (a.hollow && b.hollow)) return 0;
  const bool edge_a = a.kind == ElementKind::kEdge, edge_b = b.kind == ElementKind::kEdge;
  if (edge_a && edge_b) return 0;  // their ends meet, not they
  if (edge_a) return meet_edge({a, &view}, {b, nullptr}, true, size_m, kAngleSlack, out[0]);
  if (edge_b) return meet_edge({b, nullptr}, {a, &view}, false, size_m, kAngleSlack, out[0]);
  if (a.kind == ElementKind::kRound && b.kind == ElementKind::kRound) return meet_rounds(a, b, view, out[0]);
  return CurveMeeting(a, b, view, size_m).solve(out);
}

bool meet_leaning(const ContourElement& a, const ContourElement& b, const RelativePlacement& view, double size_m,
                  double lean, Meeting& out) {
  const auto is_corner = [](const ContourElement& e) { return e.kind == ElementKind::kRound && e.radius_m == 0; };
  if (!a.touches || !b.touches || a.hidden || b.hidden) return false;
  if (a.kind == ElementKind::kEdge && is_corner(b))
    return meet_edge({a, &view}, {b, nullptr}, true, size_m, lean, out) > 0;
  if (b.kind == ElementKind::kEdge && is_corner(a))
    return meet_edge({b, nullptr}, {a, &view}, false, size_m, lean, out) > 0;
  return false;
}

}  // namespace freeplay::geometry

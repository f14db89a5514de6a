// Cams and closed contours. A contour against a circle is an outline like any other: planar_gap_circle.cpp.
#include <type_traits>
#include <utility>

#include "freeplay/geometry/curves/contour.h"
#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/pairs/planar_gap_families.h"
#include "freeplay/geometry/shapes/cam_lift.h"

namespace freeplay::geometry {

namespace {

Vec2 turned_left(const Vec2& v) {
  return {-v.y(), v.x()};
}

// A point or a roller on a cam by its lift law. With the polar coordinates r, theta of the roller's centre in the cam's
// axes and phi = theta_0 - theta:
//   g = r - (R_b + p(phi) + radius),      grad g = e_r + (p'/r) e_theta
// (Flores, Leine, Glocker 2012, eq 62, with p for the profile). This gap is measured along the ray, as the law is, and
// its gradient is longer than 1 by the pressure angle: 1/cos(alpha). Normal and tangent both have that length. So the
// impulse along n has the component Lambda_N along the ray, and |Lambda_T| <= mu Lambda_N is Coulomb's law exactly.
class CircleCamLiftGap final : public PlanarGap {
 public:
  CircleCamLiftGap(const CircleShape& a, const CamShape& b)
      : centre_(in_plane(a.at_m)), radius_(a.radius_m), lift_(b) {}

  int point_count() const override { return 1; }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    find(a, b, points);
  }
  bool record(const RecordedPlacement& a, const RecordedPlacement& b,
              std::span<RecordedContactPoint> points) const override {
    if (!lift_.can_be_recorded()) return false;
    find(a, b, points);
    return true;
  }
  PlanarRates rates(const PlanarPlacement& a, const PlanarPlacement& b, const PlanarContactPoint& point,
                    const PlanarBodyMotion& motion_a, const PlanarBodyMotion& motion_b) const override;

 private:
  template <class S>
  void find(const PlacementOf<S>& a, const PlacementOf<S>& b, std::span<ContactPointOf<S>> points) const {
    const Vector2Of<S> arm = a.direction(centre_);
    const Vector2Of<S> d = seen_from(b, a, arm) - lift_.centre();
    const S r = d.norm();
    // At the centre of the cam every direction is as good; the contact is lost there anyway.
    const bool has_direction = r > 0;
    const Vector2Of<S> e = has_direction ? Vector2Of<S>(d / r) : Vector2Of<S>(lift_.follower().template cast<S>());
    const auto p = lift_.in_direction(e);
    const Vector2Of<S> gradient = e + (has_direction ? p.rate / r : S(0)) * Vector2Of<S>(-e.y(), e.x());
    const Vector2Of<S> n = b.direction(gradient);
    // The law knows no other point of the cam than the one at the roller's surface.
    const Vector2Of<S> surface = Vector2Of<S>(a.x, a.y) + arm - (radius_ / n.norm()) * n;
    set_contact(points[0], r - (lift_.base_radius() + p.value + radius_), surface, surface, n, {0, 0});
  }

  Vec2 centre_;
  double radius_;
  CamLift lift_;
};

// n = grad g in world axes changes with the cam, omega_B x n, and as the roller's centre moves over it: the second
// derivatives of g in polar coordinates are g_rr = 0, g_r,theta = -p'/r^2, g_theta,theta = 1/r - p''/r^2. The contact
// point s = c - R n/|n| travels over both bodies. Curvatures are not asked: they are those of the contour, not of the
// law.
PlanarRates CircleCamLiftGap::rates(const PlanarPlacement& a, const PlanarPlacement& b, const PlanarContactPoint& point,
                                    const PlanarBodyMotion& motion_a, const PlanarBodyMotion& motion_b) const {
  const Vec2 arm = a.direction(centre_), centre = Vec2(a.x, a.y) + arm;
  const Vec2 d = seen_from(b, a, arm) - lift_.centre();
  const double r = d.norm();
  PlanarRates rates;
  rates.is_regular = r > 0;
  const Vec2 n = point.normal, v = motion_a.velocity_at(point.point_a) - motion_b.velocity_at(point.point_b);
  Vec2 n_rate = motion_b.omega * turned_left(n);
  if (rates.is_regular) {
    const Vec2 e = d / r, across = turned_left(e);
    const TimeJet p = lift_.in_direction(e);
    const Vec2 d_rate = local_direction(b, motion_a.velocity_at(centre) - motion_b.velocity_at(centre));
    const double mixed = -p.rate / (r * r), second = (1 - p.acceleration / r) / r;
    const double along_e = e.dot(d_rate), along_across = across.dot(d_rate);
    n_rate += b.direction(mixed * along_across * e + (mixed * along_e + second * along_across) * across);
  }
  const double length = n.norm();
  const Vec2 unit = n / length, unit_rate = (n_rate - unit.dot(n_rate) * unit) / length;
  const Vec2 surface_rate = motion_a.velocity_at(centre) - radius_ * unit_rate;
  const Vec2 over_a = surface_rate - motion_a.velocity_at(point.point_a);
  const Vec2 over_b = surface_rate - motion_b.velocity_at(point.point_b);
  const Vec2 v_rate = motion_a.acceleration_at(point.point_a) - motion_b.acceleration_at(point.point_b) +
                      motion_a.omega * turned_left(over_a) - motion_b.omega * turned_left(over_b);
  const Vec2 t = point.tangent, along = t / length;
  rates.gap_rate = n.dot(v);
  rates.sliding = t.dot(v);
  rates.travel_a = along.dot(over_a);
  rates.travel_b = -along.dot(over_b);
  rates.normal_turn = -along.dot(unit_rate);
  rates.normal_bias = n.dot(v_rate) + n_rate.dot(v);
  rates.tangential_bias = t.dot(v_rate) + tangent_of(n_rate).dot(v);
  return rates;
}

// A flat face on a cam by its lift law, which is then the support function H = R_b + p of the cam: the distance from
// the centre to the tangent with the outward normal e. The cam's point there is H e + H' e_theta, H' = dH/dtheta = -p'.
class CamLiftLineGap final : public PlanarGap {
 public:
  CamLiftLineGap(const CamShape& a, const LineShape& b)
      : lift_(a), at_(in_plane(b.at_m)), normal_(in_plane(b.normal)) {}

  int point_count() const override { return 1; }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    find(a, b, points);
  }
  bool record(const RecordedPlacement& a, const RecordedPlacement& b,
              std::span<RecordedContactPoint> points) const override {
    if (!lift_.can_be_recorded()) return false;
    find(a, b, points);
    return true;
  }

 private:
  template <class S>
  void find(const PlacementOf<S>& a, const PlacementOf<S>& b, std::span<ContactPointOf<S>> points) const {
    const HalfPlaneSeen<S> line(at_, normal_, a, b);
    const Vector2Of<S> e = -line.normal_a;
    const auto p = lift_.in_direction(e);
    const S support = lift_.base_radius() + p.value;
    const S gap = line.gap(lift_.centre()) - support;
    const Vector2Of<S> from_centre = support * e - p.rate * Vector2Of<S>(-e.y(), e.x());
    const Vector2Of<S> point_a = a.point(Vector2Of<S>(lift_.centre() + from_centre));
    // H + H'' is the radius of curvature.
    double curvature = 0;
    if constexpr (std::is_same_v<S, double>) curvature = curvature_of_circle(support + p.acceleration);
    set_contact(points[0], gap, point_a, point_a - gap * line.normal, line.normal, {curvature, 0});
  }

  CamLift lift_;
  Vec2 at_, normal_;
};

class ContourLineGap final : public PlanarGap {
 public:
  ContourLineGap(Contour a, const LineShape& b)
      : contour_(std::move(a)), at_(in_plane(b.at_m)), normal_(in_plane(b.normal)) {}

  int point_count() const override { return 1; }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    const HalfPlaneSeen line(at_, normal_, a, b);
    const Contour::Lowest lowest = contour_.lowest(line.normal_a);
    const double gap = line.gap(lowest.x);
    const Vec2 point_a = a.point(lowest.x);
    set_contact(points[0], gap, point_a, point_a - gap * line.normal, line.normal, {lowest.curvature, 0});
  }

 private:
  Contour contour_;
  Vec2 at_, normal_;
};

}  // namespace

PlanarGapPtr make_cam_lift_gap(const CircleShape& a, const CamShape& b) {
  return std::make_unique<CircleCamLiftGap>(a, b);
}

PlanarGapPtr make_gap(const CamShape& a, const LineShape& b) {
  if (a.lift_m) return std::make_unique<CamLiftLineGap>(a, b);
  return std::make_unique<ContourLineGap>(Contour(curve_of(a)), b);
}

PlanarGapPtr make_gap(const SplineShape& a, const LineShape& b) {
  return std::make_unique<ContourLineGap>(Contour(curve_of(a)), b);
}

}  // namespace freeplay::geometry

#include "freeplay/geometry/surfaces/patches/revolved_patches.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLevel = 1e-7;  // |cos| of a normal along the axis
constexpr int kFeet = 4;         // on a circle

// A place of the contour: radius and height, normal (cos, sin) and the derivatives in the element's parameter.
struct Meridian {
  double r, z, cos, sin, dr, dz, turn;
};

// Of a round element the parameter is the angle of the normal, of an edge the length, of a curve its own.
Meridian meridian_at(const ContourElement& e, double w) {
  if (e.kind == ElementKind::kRound) {
    const double c = std::cos(w), s = std::sin(w);
    return {e.centre.x() + e.radius_m * c, e.centre.y() + e.radius_m * s, c, s, -e.radius_m * s, e.radius_m * c, 1};
  }
  if (e.kind == ElementKind::kEdge) {
    const Vec2 x = e.start + w * e.along, n = normal_of_tangent(e.along);
    return {x.x(), x.y(), n.x(), n.y(), e.along.x(), e.along.y(), 0};
  }
  const CurvePlace at = curve_place(e, w);
  const Vec2 n = normal_of_tangent(at.tangent), d = at.tangent * at.metres_per_s;
  return {at.x.x(), at.x.y(), n.x(), n.y(), d.x(), d.y(), at.curvature * at.metres_per_s};
}

class RevolvedPatch : public SurfacePatch {
 public:
  RevolvedPatch(std::shared_ptr<const PlanarContour> profile, const ContourElement& element, const RevolutionAxes& axes)
      : profile_(std::move(profile)), element_(element), axes_(axes) {
    feature = element.feature;
  }

 protected:
  bool is_sharp() const { return element_.kind == ElementKind::kRound && element_.radius_m == 0; }

  std::shared_ptr<const PlanarContour> profile_;  // owns the curve of the element
  ContourElement element_;
  RevolutionAxes axes_;
};

// u: the angle about the axis; v: the element's parameter. An edge where the element is a corner.
class BandPatch final : public RevolvedPatch {
 public:
  BandPatch(std::shared_ptr<const PlanarContour> profile, const ContourElement& element, const RevolutionAxes& axes,
            double from, double to)
      : RevolvedPatch(std::move(profile), element, axes) {
    u_to = period_u = 2 * kPi;
    v_from = from, v_to = to;
    if (element.kind == ElementKind::kRound && to - from > 2 * kPi - 1e-9) period_v = 2 * kPi;  // a torus
  }
  int dimension() const override { return is_sharp() ? 1 : 2; }
  // A cone or cylinder may lie on both of its rims, a flat ring or a round tube stand on circles.
  void add_feet(std::vector<SurfaceFoot>& feet) const override {
    const bool is_edge = element_.kind == ElementKind::kEdge;
    if (is_edge && std::abs(meridian_at(element_, v_from).cos) > kLevel) {
      for (const double v : {v_from, v_to}) {
        const Meridian m = meridian_at(element_, v);
        feet.push_back({axes_.at + m.z * axes_.axis, axes_.axis, m.r, m.cos, m.sin, feature});
      }
      return;
    }
    if (is_edge) {
      add_feet_at(v_from, feet);
      add_feet_at(v_to, feet);
    } else if (element_.kind == ElementKind::kRound && element_.radius_m > 0) {
      for (const double level : {kPi / 2, -kPi / 2}) {
        const double v = level + 2 * kPi * std::ceil((v_from - level) / (2 * kPi));
        if (v <= v_to) add_feet_at(v, feet);
      }
    }
  }
  SurfacePlace place(double u, double v) const override {
    const Meridian m = meridian_at(element_, v);
    const double c = std::cos(u), s = std::sin(u);
    const Vec3 e = c * axes_.across + s * axes_.third, around = c * axes_.third - s * axes_.across;
    return {axes_.at + m.r * e + m.z * axes_.axis,
            m.cos * e + m.sin * axes_.axis,
            m.r * around,
            m.dr * e + m.dz * axes_.axis,
            m.cos * around,
            m.turn * (m.cos * axes_.axis - m.sin * e)};
  }

 private:
  void add_feet_at(double v, std::vector<SurfaceFoot>& feet) const {
    for (int k = 0; k < kFeet; ++k) {
      const SurfacePlace at = place(2 * kPi * k / kFeet, v);
      feet.push_back(SurfaceFoot::fixed(at.x, at.n, feature));
    }
  }
};

// An element that ends on the axis, at right angles to it: u and v are Cartesian, q = sqrt(u^2 + v^2) is how far the
// element's parameter is from the axis. Regular on the axis, where angles are not. A tip where the element is a corner.
class CapPatch final : public RevolvedPatch {
 public:
  CapPatch(std::shared_ptr<const PlanarContour> profile, const ContourElement& element, const RevolutionAxes& axes,
           double pole, double other)
      : RevolvedPatch(std::move(profile), element, axes), pole_(pole), range_(std::abs(other - pole)) {
    forward_ = other > pole ? 1 : -1;
    u_to = v_to = range_;
    u_from = v_from = -range_;
  }
  int dimension() const override { return is_sharp() ? 0 : 2; }
  bool contains(double u, double v, double tolerance) const override {
    return std::hypot(u, v) <= range_ * (1 + tolerance);
  }
  void add_feet(std::vector<SurfaceFoot>& feet) const override {
    if (element_.kind != ElementKind::kEdge) return;
    for (int k = 0; k < kFeet; ++k) {
      const double angle = 2 * kPi * k / kFeet;
      const SurfacePlace at = place(range_ * std::cos(angle), range_ * std::sin(angle));
      feet.push_back(SurfaceFoot::fixed(at.x, at.n, feature));
    }
  }
  SurfacePlace place(double u, double v) const override {
    const double q = std::hypot(u, v);
    const bool at_pole = q < 1e-9 * range_;
    const double c = at_pole ? 1 : u / q, s = at_pole ? 0 : v / q;
    // Corners of the square lie beyond the element: a curve is not asked there.
    const Meridian m = meridian_at(element_, pole_ + forward_ * std::min(q, 1.1 * range_));
    const Vec3 e = c * axes_.across + s * axes_.third, around = c * axes_.third - s * axes_.across;
    const double dr = forward_ * m.dr, dz = forward_ * m.dz, turn = forward_ * m.turn;
    const double r_by_q = at_pole ? dr : m.r / q, cos_by_q = at_pole ? -m.sin * turn : m.cos / q;
    const Vec3 x_q = dr * e + dz * axes_.axis, n_q = turn * (m.cos * axes_.axis - m.sin * e);
    return {axes_.at + m.r * e + m.z * axes_.axis, m.cos * e + m.sin * axes_.axis,
            c * x_q - (s * r_by_q) * around,       s * x_q + (c * r_by_q) * around,
            c * n_q - (s * cos_by_q) * around,     s * n_q + (c * cos_by_q) * around};
  }

 private:
  double pole_, range_, forward_ = 1;
};

// Of a corner on the axis only normals away from it count: those beyond are on the other half of the contour.
bool keep_outward_half(double& from, double& to) {
  const double shift = 2 * kPi * std::round((from + to) / 2 / (2 * kPi));
  from = std::max(from - shift, -kPi / 2);
  to = std::min(to - shift, kPi / 2);
  return to - from > 1e-9;
}

}  // namespace

RevolutionAxes::RevolutionAxes(const Vec3& at_m, const Vec3& along)
    : at(at_m), axis(along), across(tangent_to(along)), third(along.cross(across)) {}

std::vector<std::shared_ptr<const SurfacePatch>> revolve(const std::shared_ptr<const PlanarContour>& profile,
                                                         const RevolutionAxes& axes, double tiny_m) {
  std::vector<std::shared_ptr<const SurfacePatch>> patches;
  for (const ContourElement& e : profile->elements()) {
    if (!e.touches || e.hidden) continue;
    double from = e.kind == ElementKind::kRound  ? e.normal_from
                  : e.kind == ElementKind::kEdge ? 0
                                                 : std::min(e.s_from, e.s_to);
    double to = e.kind == ElementKind::kRound  ? e.normal_to
                : e.kind == ElementKind::kEdge ? e.length_m
                                               : std::max(e.s_from, e.s_to);
    const bool is_corner = e.kind == ElementKind::kRound && e.radius_m == 0;
    if (is_corner && std::abs(e.centre.x()) <= tiny_m && !keep_outward_half(from, to)) continue;
    const auto ends_on_axis = [&](double w) {
      const Meridian m = meridian_at(e, w);
      return std::abs(m.r) <= tiny_m && std::abs(m.cos) <= kLevel;
    };
    if (meridian_at(e, from).r <= tiny_m && meridian_at(e, to).r <= tiny_m && e.kind == ElementKind::kEdge) continue;
    const bool first = ends_on_axis(from), last = ends_on_axis(to);
    const double middle = (from + to) / 2;
    if (first) patches.push_back(std::make_shared<CapPatch>(profile, e, axes, from, last ? middle : to));
    if (last) patches.push_back(std::make_shared<CapPatch>(profile, e, axes, to, first ? middle : from));
    if (!first && !last) patches.push_back(std::make_shared<BandPatch>(profile, e, axes, from, to));
  }
  return patches;
}

}  // namespace freeplay::geometry

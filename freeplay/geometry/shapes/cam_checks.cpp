#include "freeplay/geometry/shapes/cam_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "freeplay/geometry/curves/closed_curve.h"
#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/shapes/cam_lift.h"

namespace freeplay::geometry {

namespace {

constexpr int kSamples = 2048;            // per period: what is narrower goes unnoticed
constexpr int kHalvings = 40;             // from a sample interval down to where only a jump keeps its height
constexpr double kJumpTolerance = 1e-9;   // of the size of the function; rounding and steep slopes stay below
constexpr double kBendTolerance = 1e-9;   // of the contour's size: curvature times size
constexpr double kLobesTolerance = 1e-9;  // of the number of periods in a turn

constexpr double kTurn = 2 * std::numbers::pi;

std::string degrees(double angle) {
  return fmt::format("{:.4g} deg", angle * 180 / std::numbers::pi);
}
std::string millimetres(double length_m) {
  return fmt::format("{:.6g} mm", length_m * 1e3);
}

struct Jump {
  double phi = 0, height = 0;
  bool at_end = false;  // of the period
};

// Derivative `order` of the law at phi, not wrapped: at the end of the period it is the limit from inside.
double law_at(const Expression& law, double phi, int order) {
  const TimeJet jet = law.evaluate_jet({&phi, 1});
  return order == 0 ? jet.value : jet.rate;
}

double just_before(double period) {
  return period * (1 - 1e-12);
}

double largest_size(const Expression& law, double period, int order) {
  double size = 0;
  for (int i = 0; i < kSamples; ++i) size = std::max(size, std::abs(law_at(law, period * i / kSamples, order)));
  return size;
}

// The first jump upwards (sign = 1) or downwards (-1) of the law or of its slope. A continuous function changes less
// and less in an interval that is halved again and again, a jump stays.
std::optional<Jump> find_jump(const Expression& law, double period, int order, int sign, double size) {
  const auto f = [&](double phi) { return sign * law_at(law, phi, order); };
  for (int i = 0; i < kSamples; ++i) {
    double low = period * i / kSamples, high = i + 1 < kSamples ? period * (i + 1) / kSamples : just_before(period);
    double f_low = f(low), f_high = f(high);
    for (int k = 0; k < kHalvings && f_high - f_low > kJumpTolerance * size; ++k) {
      const double middle = (low + high) / 2, f_middle = f(middle);
      const bool right = f_high - f_middle > f_middle - f_low;
      (right ? low : high) = middle;
      (right ? f_low : f_high) = f_middle;
    }
    if (f_high - f_low > kJumpTolerance * size) return Jump{high, f_high - f_low};
  }
  const double step = f(0) - f(just_before(period));
  if (step > kJumpTolerance * size) return Jump{period, step, true};
  return std::nullopt;
}

ShapeProblem lift_problem(const CamShape& cam) {
  const Expression& law = *cam.lift_m;
  for (int i = 0; i <= kSamples; ++i) {
    const double phi = i < kSamples ? cam.period * i / kSamples : just_before(cam.period);
    const double radius = cam.base_radius_m + law_at(law, phi, 0);
    if (!std::isfinite(radius) || !std::isfinite(law_at(law, phi, 1)))
      return {"lift", fmt::format("the lift or its slope is not finite at phi = {}", degrees(phi)),
              "the law must be defined from phi = 0 to the end of its period"};
    if (!(radius > 0))
      return {"lift",
              fmt::format("the lift of {} at phi = {} reaches the centre of the cam",
                          millimetres(radius - cam.base_radius_m), degrees(phi)),
              "base_radius + lift must stay greater than 0"};
  }
  const double size = cam.base_radius_m + largest_size(law, cam.period, 0);
  if (const std::optional<Jump> jump = find_jump(law, cam.period, 0, +1, size)) {
    return {"lift",
            fmt::format("the lift jumps up by {} at phi = {}{}", millimetres(jump->height), degrees(jump->phi),
                        jump->at_end ? ", from the end of its period to its start" : ""),
            "a follower cannot climb a step: let the lift rise continuously; it may drop at once"};
  }
  return {};
}

ShapeProblem radius_problem(const CamShape& cam) {
  const Expression& law = *cam.radius_m;
  for (int i = 0; i <= kSamples; ++i) {
    const double phi = i < kSamples ? cam.period * i / kSamples : just_before(cam.period);
    const double radius = law_at(law, phi, 0);
    if (!std::isfinite(radius) || !std::isfinite(law_at(law, phi, 1)) || !(radius > 0))
      return {"radius", fmt::format("the radius is {} at phi = {}", millimetres(radius), degrees(phi)),
              "the radius must be greater than 0 and smooth from phi = 0 to the end of its period"};
  }
  const double size = largest_size(law, cam.period, 0);
  for (const int sign : {1, -1}) {
    const std::optional<Jump> jump = find_jump(law, cam.period, 0, sign, size);
    if (jump && jump->at_end)
      return {
          "radius",
          fmt::format("the contour is not closed: its radius is {} at phi = 0, but {} at phi = {}, where it repeats",
                      millimetres(law_at(law, 0, 0)), millimetres(law_at(law, just_before(cam.period), 0)),
                      degrees(cam.period)),
          "give a radius that returns to its first value, or a `lift`, which may drop"};
    if (jump)
      return {"radius", fmt::format("the contour is not closed: its radius jumps at phi = {}", degrees(jump->phi)),
              "give a continuous radius, or a `lift`, which may drop"};
  }
  for (const int sign : {1, -1}) {
    if (const std::optional<Jump> corner = find_jump(law, cam.period, 1, sign, size))
      return {"radius", fmt::format("the contour has a corner at phi = {}: its slope jumps", degrees(corner->phi)),
              "round the corner: a contour has a tangent everywhere"};
  }
  return {};
}

PairProblem not_convex(const std::string& where) {
  return {fmt::format("a flat face cannot ride on this contour: it is not convex {}", where),
          "make the contour convex, or let a point or a roller (circle) follow it"};
}

PairProblem curve_problem(const ClosedCurve& curve) {
  const double s = curve.least_convex_place();
  const CurvePoint at = curve.at(s);
  double size = 0;
  for (const double node : curve.nodes()) size = std::max(size, (curve.at(node).x - at.x).norm());
  if (cross(at.dx, at.ddx) * size >= -kBendTolerance * std::pow(at.dx.norm(), 3)) return {};
  return not_convex(fmt::format("at ({:.3f}, {:.3f}) mm", 1e3 * at.x.x(), 1e3 * at.x.y()));
}

// H + H'' is the radius of curvature where the tangent has the distance H = R_b + p from the centre.
PairProblem support_problem(const CamShape& cam) {
  const Expression& law = *cam.lift_m;
  const double size = cam.base_radius_m + largest_size(law, cam.period, 0);
  if (const std::optional<Jump> drop = find_jump(law, cam.period, 0, -1, size))
    return {fmt::format("a flat face cannot ride on this cam: its lift drops by {} at phi = {}",
                        millimetres(drop->height), degrees(drop->phi)),
            "use a lift without a drop, or let a point or a roller (circle) follow it"};
  if (const std::optional<Jump> corner = find_jump(law, cam.period, 1, -1, size))
    return not_convex(fmt::format("at phi = {}, where the slope of its lift falls at once", degrees(corner->phi)));
  double least = std::numeric_limits<double>::infinity(), place = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double phi = cam.period * i / kSamples;
    const TimeJet p = law.evaluate_jet({&phi, 1});
    const double bend = cam.base_radius_m + p.value + p.acceleration;
    if (bend >= least) continue;
    least = bend;
    place = phi;
  }
  if (least >= -kBendTolerance * size) return {};
  PairProblem problem = not_convex(
      fmt::format("at phi = {}, where its radius of curvature would be {}", degrees(place), millimetres(least)));
  problem.hint = fmt::format("enlarge base_radius by {} or more, or let a point or a roller (circle) follow it",
                             millimetres(-least));
  return problem;
}

}  // namespace

ShapeProblem cam_problem(const CamShape& cam) {
  if (cam.lift_m || cam.radius_m) {
    const double lobes = kTurn / cam.period;
    if (!(cam.period > 0) || std::round(lobes) < 1 || std::abs(lobes - std::round(lobes)) > kLobesTolerance * lobes)
      return {"period", fmt::format("a period of {} does not divide a full turn", degrees(cam.period)),
              "write 2*pi/N with a whole number N"};
  }
  if (cam.lift_m) return lift_problem(cam);
  if (cam.radius_m) return radius_problem(cam);
  return {};
}

bool lift_has_a_drop(const CamShape& cam) {
  if (!cam.lift_m) return false;
  const double size = cam.base_radius_m + largest_size(*cam.lift_m, cam.period, 0);
  return find_jump(*cam.lift_m, cam.period, 0, -1, size).has_value();
}

PairProblem flat_face_problem(const CamShape& cam) {
  return cam.lift_m ? support_problem(cam) : curve_problem(*curve_of(cam));
}

PairProblem open_contour_problem(const SplineShape& spline) {
  if (spline.closed) return {};
  return {"a spline that is not closed cannot be touched: it has no inside",
          "write 'closed: true', which joins its last point with the first"};
}

PairProblem flat_face_problem(const SplineShape& spline) {
  PairProblem problem = open_contour_problem(spline);
  return problem.empty() ? curve_problem(*curve_of(spline)) : problem;
}

std::vector<Vec2> cam_outline(const CamShape& cam, int count) {
  std::vector<Vec2> points;
  if (cam.lift_m) {
    const CamLift lift(cam);
    for (int i = 0; i < count; ++i) {
      const double angle = kTurn * i / count;
      const Vec2 e(std::cos(angle), std::sin(angle));
      points.emplace_back(lift.centre() + (lift.base_radius() + lift.in_direction(e).value) * e);
    }
    return points;
  }
  const std::shared_ptr<const ClosedCurve> curve = curve_of(cam);
  for (int i = 0; i < count; ++i) points.push_back(curve->at(curve->period() * i / count).x);
  return points;
}

}  // namespace freeplay::geometry

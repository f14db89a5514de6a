// Cams and contours for the tests of their gap functions.
#pragma once

#include <string>

#include "unit/geometry/planar/planar_gap_cases.h"

namespace freeplay::test {

// An expression of phi; numbers stand in SI without unit, so it is given the dimension of a length by a factor.
inline Expression law(const std::string& text) {
  SymbolScope scope;
  scope.lookup = [](std::string_view name) -> std::optional<Symbol> {
    if (name != "phi") return std::nullopt;
    Symbol phi;
    phi.kind = Symbol::Kind::kVariable;
    return phi;
  };
  return Expression::parse("1 m * (" + text + ")", scope);
}

inline CamShape cam_by_lift(double base_radius, const std::string& lift, double period = 2 * kPi) {
  CamShape cam;
  cam.period = period;
  cam.base_radius_m = base_radius;
  cam.lift_m = law(lift);
  return cam;
}

inline CamShape cam_by_radius(const std::string& radius, double period = 2 * kPi) {
  CamShape cam;
  cam.period = period;
  cam.radius_m = law(radius);
  return cam;
}

inline SplineShape spline_through_circle(int points, double radius) {
  SplineShape spline;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * kPi * i / points;
    spline.points_m.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
  }
  return spline;
}

}  // namespace freeplay::test

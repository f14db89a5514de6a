// Random contours of every kind, and the boundary of a contour as a parametric curve by brute force.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "freeplay/geometry/contours/contour_pair.h"
#include "freeplay/geometry/contours/shape_contour.h"
#include "unit/geometry/planar/planar_gap_cases.h"

namespace freeplay::test {

inline const std::vector<std::string>& contour_kinds() {
  static const std::vector<std::string> kinds = {"point",      "circle",      "bore",    "arc",          "hollow_arc",
                                                 "edge",       "polygon",     "star",    "ellipse",      "spline",
                                                 "ring",       "open_spline", "outline", "open_outline", "superellipse",
                                                 "parametric", "open_curve",  "gear",    "cam",          "line"};
  return kinds;
}

inline Expression expression_of_s(const std::string& text) {
  SymbolScope scope;
  scope.lookup = [](std::string_view name) -> std::optional<Symbol> {
    if (name != "s") return std::nullopt;
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    return symbol;
  };
  scope.known_names = [] { return std::vector<std::string>{"s"}; };
  return Expression::parse(text, scope);
}

class RandomContours : public RandomShapes {
 public:
  using RandomShapes::RandomShapes;

  // Of a size near 1, near its body's origin; bores and rings hold what is smaller.
  ContourResult contour(const std::string& kind) {
    const Vec3 at = vector(0.3);
    if (kind == "point") return make_contour(PointShape{at});
    if (kind == "line") return make_contour(std::get<LineShape>(shape("line")));
    if (kind == "circle") return make_contour(CircleShape{at, uniform(0.1, 1)});
    if (kind == "arc") return make_contour(std::get<ArcShape>(shape("arc")));
    if (kind == "hollow_arc") return make_contour(std::get<ArcShape>(shape("arc", true)));
    if (kind == "edge") return make_contour(EdgeShape{vector(1), vector(1) + Vec3(1.5, 0, 0)});
    if (kind == "polygon") return make_contour(convex_polygon(integer(3, 8)));
    if (kind == "ellipse") return make_contour(EllipseShape{at, uniform(0.2, 1), uniform(0.2, 1), uniform(-kPi, kPi)});
    if (kind == "superellipse")
      return make_contour(SuperellipseShape{at, uniform(0.2, 1), uniform(0.2, 1), uniform(2.2, 6), uniform(-kPi, kPi)});
    if (kind == "spline") return make_contour(SplineShape{around(integer(5, 12), 0.6, 1.0, false), true});
    // The same run through clockwise: matter outside.
    if (kind == "ring") return make_contour(SplineShape{around(integer(5, 12), 1.2, 1.6, true), true});
    if (kind == "bore") return make_contour(ellipse_bore());
    if (kind == "star") return make_contour(PolygonShape{around(2 * integer(3, 6), 0.4, 1.0, false)});
    if (kind == "open_spline") return make_contour(SplineShape{wave(integer(4, 8)), false});
    if (kind == "open_outline") return make_contour(open_outline());
    if (kind == "outline") return make_contour(outline());
    if (kind == "gear") {
      InvoluteShape gear;
      gear.module_m = uniform(0.08, 0.12);
      gear.teeth = integer(9, 20);
      gear.angle = uniform(-1, 1);
      return make_contour(gear);
    }
    if (kind == "cam") {
      CamShape cam;
      cam.at_m = at;
      cam.period = 2 * kPi / integer(1, 4);
      const double lobes = 2 * kPi / cam.period;
      cam.radius_m = expression_of_s("0.7 m + 0.12 m*cos(" + std::to_string(std::lround(lobes)) + "*s)");
      return make_contour(cam);
    }
    if (kind == "parametric") {
      const std::string a = std::to_string(uniform(0.5, 1)), b = std::to_string(uniform(0.05, 0.12));
      return make_contour(ParametricShape{expression_of_s("(" + a + " m + " + b + " m*cos(3*s))*cos(s)"),
                                          expression_of_s("(" + a + " m + " + b + " m*cos(3*s))*sin(s)"), 0, 2 * kPi,
                                          true});
    }
    const std::string c = std::to_string(uniform(-0.4, 0.4));
    return make_contour(ParametricShape{expression_of_s("1 m*s"), expression_of_s(c + " m*sin(3*s)"), -1, 1});
  }

 private:
  // Points in order around the origin, with radii between two bounds.
  std::vector<Vec3> around(int count, double least, double most, bool clockwise) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * kPi * (i + uniform(0, 0.3)) / count, r = uniform(least, most);
      points.emplace_back(r * std::cos(angle), (clockwise ? -r : r) * std::sin(angle), 0);
    }
    return points;
  }
  std::vector<Vec3> wave(int count) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.emplace_back(-1 + 2.0 * i / (count - 1), uniform(-0.2, 0.2), 0);
    return points;
  }
  // An elliptic hole: an outline of two arcs would do, but its curvature should vary.
  SplineShape ellipse_bore() {
    SplineShape bore;
    const double x = uniform(1.2, 1.8), y = uniform(1.2, 1.8);
    for (int i = 0; i < 24; ++i)
      bore.points_m.emplace_back(x * std::cos(2 * kPi * i / 24), -y * std::sin(2 * kPi * i / 24), 0);
    return bore;
  }
  // A slab with a slot, a rounded corner and an arched side.
  OutlineShape outline() {
    const double w = uniform(0.1, 0.3), d = uniform(0.2, 0.6);
    OutlineShape slab;
    slab.corners = {{{-1, -0.6, 0}, 0.2, 0},  {{1, -0.6, 0}, 0, uniform(0.1, 0.6)},
                    {{1, 0.6, 0}, 0, 0},      {{w, 0.6, 0}, 0, 0},
                    {{w, 0.6 - d, 0}, 0, -1}, {{-w, 0.6 - d, 0}, 0, 0},
                    {{-w, 0.6, 0}, 0, 0},     {{-1, 0.6, 0}, uniform(0.05, 0.3), 0}};
    return slab;
  }
  OutlineShape open_outline() {
    OutlineShape chain;
    chain.closed = false;
    chain.corners = {{{-1, 0, 0}, 0, 0},
                     {{0, uniform(-0.3, 0.3), 0}, uniform(0, 1) < 0.5 ? 0.2 : 0, 0},
                     {{1, uniform(-0.1, 0.1), 0}, 0, 0}};
    return chain;
  }
};

// Some contours of every kind, made once.
class ContourPool {
 public:
  explicit ContourPool(RandomContours& random) {
    for (const std::string& kind : contour_kinds()) {
      std::vector<ContourResult>& some = pool_[kind];
      for (int tries = 0; tries < 1000 && some.size() < kEach; ++tries) {
        ContourResult result = random.contour(kind);
        if (result.problem.empty()) some.push_back(std::move(result));
      }
      EXPECT_EQ(some.size(), kEach) << kind;
    }
  }
  const ContourResult& any(const std::string& kind, RandomContours& random) const {
    return pool_.at(kind)[static_cast<std::size_t>(random.integer(0, int(kEach) - 1))];
  }

 private:
  static constexpr std::size_t kEach = 25;
  std::map<std::string, std::vector<ContourResult>> pool_;
};

inline std::vector<ContourContact> contacts(const PlanarContour& a, const PlanarPlacement& at_a, const PlanarContour& b,
                                            const PlanarPlacement& at_b, double reach) {
  std::vector<ContourContact> found(64);
  const int count = ContourPair(a, b).find(at_a, at_b, reach, found);
  EXPECT_LE(count, 64);
  found.resize(static_cast<std::size_t>(std::min(count, 64)));
  return found;
}

inline double least_gap(const std::vector<ContourContact>& found, double reach) {
  double least = reach;
  for (const ContourContact& contact : found) least = std::min(least, contact.gap);
  return least;
}

}  // namespace freeplay::test

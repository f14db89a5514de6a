// Random surfaces of every kind, and their contacts in a list.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/surfaces/shape_surface.h"
#include "freeplay/geometry/surfaces/surface_rates.h"
#include "unit/geometry/spatial/spatial_gap_cases.h"

namespace freeplay::test {

inline const std::vector<std::string>& surface_kinds() {
  static const std::vector<std::string> kinds = {"plane",      "sphere",     "ellipsoid",  "torus", "cone",
                                                 "paraboloid", "revolution", "parametric", "sheet", "spline"};
  return kinds;
}

// Solids as surfaces, the partners of those above where they have no gap function of their own.
inline const std::vector<std::string>& solid_kinds() {
  static const std::vector<std::string> kinds = {"box", "cylinder", "capsule"};
  return kinds;
}

inline Expression expression_of_uv(const std::string& text) {
  SymbolScope scope;
  scope.lookup = [](std::string_view name) -> std::optional<Symbol> {
    if (name != "u" && name != "v") return std::nullopt;
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.variable = name == "u" ? 0 : 1;
    return symbol;
  };
  scope.known_names = [] { return std::vector<std::string>{"u", "v"}; };
  return Expression::parse(text, scope);
}

// A torus whose tube swells with the angle.
inline ParametricSurfaceShape swollen_torus(double tube, double swell) {
  const std::string r = "(" + std::to_string(tube) + " m + " + std::to_string(swell) + " m*cos(3*u))";
  return {expression_of_uv("(0.7 m + " + r + "*cos(v))*cos(u)"),
          expression_of_uv("(0.7 m + " + r + "*cos(v))*sin(u)"),
          expression_of_uv(r + "*sin(v)"),
          0,
          2 * kPi,
          0,
          2 * kPi,
          true,
          true,
          0};
}

class RandomSurfaces : public RandomSolids {
 public:
  using RandomSolids::RandomSolids;

  // Of a size near 1, near its body's origin.
  SurfaceResult surface(const std::string& kind) {
    const Vec3 at = vector(0.3), axis = direction();
    if (kind == "plane") return make_surface(PlaneShape{at, axis});
    if (kind == "sphere") return make_surface(SphereShape{at, uniform(0.1, 0.8)});
    if (kind == "ellipsoid") {
      const Vec3 semi_axes(uniform(0.2, 1), uniform(0.2, 1), uniform(0.2, 1));
      return make_surface(EllipsoidShape{at, semi_axes, Eigen::Quaterniond(Eigen::AngleAxisd(uniform(-3, 3), axis))});
    }
    if (kind == "torus") return make_surface(TorusShape{at, axis, uniform(0.5, 0.8), uniform(0.1, 0.35)});
    if (kind == "cone") return make_surface(ConeShape{at, axis, uniform(0.3, 0.8), uniform(0.4, 1.2)});
    if (kind == "paraboloid") return make_surface(ParaboloidShape{at, axis, uniform(0.3, 0.8), uniform(0.3, 0.8)});
    if (kind == "revolution")
      return make_surface(RevolutionShape{at, axis, std::make_shared<const PlanarContour>(bottle())});
    if (kind == "parametric") return make_surface(swollen_torus(uniform(0.2, 0.3), uniform(0.02, 0.06)));
    if (kind == "sheet") {
      const std::string c = std::to_string(uniform(-0.4, 0.4));
      return make_surface(ParametricSurfaceShape{expression_of_uv("1 m*u"), expression_of_uv("1 m*v"),
                                                 expression_of_uv(c + " m*(u^2 - v*u) + 0.05 m*sin(2*v)"), -0.8, 0.8,
                                                 -0.7, 0.7, false, false, uniform(0.05, 0.2)});
    }
    if (kind == "spline") return make_surface(spline());
    return make_surface(shape(kind));
  }

 private:
  // A bottle: flat bottom with a sharp rim, round shoulder, hollow neck, round top.
  PlanarContour bottle() {
    const double r = uniform(0.4, 0.6);
    OutlineShape outline;
    outline.corners = {{{0, -0.5, 0}, 0, 0},
                       {{r, -0.5, 0}, 0, 0},
                       {{r, 0.2, 0}, uniform(0.05, 0.15), 0},
                       {{0.2, 0.3, 0}, 0.1, 0},
                       {{0.2, 0.7, 0}, 0, std::tan(kPi / 8)},
                       {{0, 0.9, 0}, 0, 0}};
    ContourResult result = make_contour(outline);
    EXPECT_TRUE(result.problem.empty()) << result.problem.message;
    return result.contour;
  }
  SplinePatchShape spline() {
    SplinePatchShape shape;
    for (int i = 0; i < 6; ++i) {
      shape.points_m.emplace_back();
      for (int k = 0; k < 5; ++k) shape.points_m.back().emplace_back(0.3 * i - 0.75, 0.3 * k - 0.6, uniform(-0.1, 0.1));
    }
    shape.thickness_m = 0.1;
    return shape;
  }
};

// Some surfaces of every kind, made once.
class SurfacePool {
 public:
  SurfacePool(RandomSurfaces& random, std::size_t each, bool has_solids = false) : each_(each) {
    std::vector<std::string> kinds = surface_kinds();
    if (has_solids) kinds.insert(kinds.end(), solid_kinds().begin(), solid_kinds().end());
    for (const std::string& kind : kinds) {
      std::vector<SurfaceResult>& some = pool_[kind];
      for (int tries = 0; tries < 1000 && some.size() < each; ++tries) {
        SurfaceResult result = random.surface(kind);
        if (result.problem.empty()) some.push_back(std::move(result));
      }
      EXPECT_EQ(some.size(), each) << kind;
    }
  }
  const SpatialSurface& any(const std::string& kind, RandomSurfaces& random) const {
    return pool_.at(kind)[static_cast<std::size_t>(random.uniform(0, static_cast<double>(each_) - 0.001))].surface;
  }

 private:
  std::size_t each_;
  std::map<std::string, std::vector<SurfaceResult>> pool_;
};

inline std::vector<SurfaceContact> contacts_of(const SpatialSurface& a, const Frame& at_a, const SpatialSurface& b,
                                               const Frame& at_b, double reach) {
  std::vector<SurfaceContact> found(64);
  const int count = SurfacePair(a, b).find(at_a, at_b, reach, found);
  EXPECT_LE(count, 64);
  found.resize(static_cast<std::size_t>(std::min(count, 64)));
  return found;
}

inline double least_gap(const std::vector<SurfaceContact>& found, double reach) {
  double least = reach;
  for (const SurfaceContact& contact : found) least = std::min(least, contact.gap);
  return least;
}

}  // namespace freeplay::test

#include "freeplay/geometry/contours/contour_mass.h"

#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "freeplay/geometry/contours/shape_contour.h"

namespace freeplay::geometry {

namespace {

// Moments of the region to the left of the contour, from its boundary (Green):
//   A = 1/2 int (x dy - y dx),  int x dA = 1/2 int x^2 dy,  int y dA = -1/2 int y^2 dx,
//   int x^2 + y^2 dA = 1/3 int x^3 dy - y^3 dx.
struct PlaneMoments {
  double area = 0;
  Vec2 first = Vec2::Zero();
  double second = 0;

  void add(const Vec2& x, const Vec2& dx) {
    area += (x.x() * dx.y() - x.y() * dx.x()) / 2;
    first += Vec2(x.x() * x.x() * dx.y(), -x.y() * x.y() * dx.x()) / 2;
    second += (x.x() * x.x() * x.x() * dx.y() - x.y() * x.y() * x.y() * dx.x()) / 3;
  }
};

// Of the solid that it sweeps about the y axis, with dV = 2 pi x dA:
//   V = pi int x^2 dy,  int y dV = pi int x^2 y dy,  int y^2 dV = pi int x^2 y^2 dy,  int r^2 dV = pi/2 int x^4 dy.
struct SweptMoments {
  double volume = 0, first = 0, squared_heights = 0, squared_radii = 0;

  void add(const Vec2& x, const Vec2& dx) {
    const double ring = std::numbers::pi * x.x() * x.x() * dx.y();
    volume += ring;
    first += ring * x.y();
    squared_heights += ring * x.y() * x.y();
    squared_radii += ring * x.x() * x.x() / 2;
  }
};

// Gauss and Legendre with five points: exact on edges, and of order ten on arcs and curves, which are cut into pieces.
constexpr std::array<double, 5> kPlaces{-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                        0.9061798459386640};
constexpr std::array<double, 5> kWeights{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                         0.2369268850561891};
constexpr int kPieces = 16;

// at(s, x, dx/ds)
template <class At, class Moments>
void integrate(double from, double to, int pieces, const Vec2& origin, At at, Moments& m) {
  const double half = (to - from) / pieces / 2;
  for (int i = 0; i < pieces; ++i) {
    const double middle = from + (2 * i + 1) * half;
    for (std::size_t k = 0; k < kPlaces.size(); ++k) {
      Vec2 x, slope;
      at(middle + half * kPlaces[k], x, slope);
      m.add(x - origin, half * kWeights[k] * slope);
    }
  }
}

template <class Moments>
void integrate(const ContourElement& e, const Vec2& origin, Moments& m) {
  if (e.kind == ElementKind::kEdge) {
    integrate(
        0, 1, 1, origin,
        [&](double s, Vec2& x, Vec2& slope) {
          slope = e.end - e.start;
          x = e.start + s * slope;
        },
        m);
  } else if (e.kind == ElementKind::kRound) {
    // Travel goes with the angle of the normal, or against it where the arc is hollow: then the radius is negative.
    const double from = e.radius_m < 0 ? e.normal_to : e.normal_from, to = e.radius_m < 0 ? e.normal_from : e.normal_to;
    integrate(
        from, to, kPieces, origin,
        [&](double angle, Vec2& x, Vec2& slope) {
          const Vec2 n(std::cos(angle), std::sin(angle));
          x = e.centre + e.radius_m * n;
          slope = e.radius_m * tangent_of_normal(n);
        },
        m);
  } else {
    integrate(
        e.s_from, e.s_to, kPieces, origin,
        [&](double s, Vec2& x, Vec2& slope) {
          const CurvePlace place = curve_place(e, s);
          x = place.x;
          slope = place.metres_per_s * place.tangent;
        },
        m);
  }
}

}  // namespace

std::optional<PlanarMass> mass_properties(const PlanarContour& contour, double density_kg_m2) {
  if (!contour.is_loop() || contour.nodes().empty()) return std::nullopt;
  const Vec2 origin = contour.nodes().front().centre;  // near the middle, so that distant shapes lose no digits
  PlaneMoments m;
  for (const ContourElement& e : contour.elements()) {
    if (!e.hidden && e.length_m > 0) integrate(e, origin, m);
  }
  if (!(m.area > 1e-12 * contour.size_m() * contour.size_m())) return std::nullopt;
  const Vec2 centre = m.first / m.area;
  return PlanarMass{density_kg_m2 * m.area, origin + centre,
                    density_kg_m2 * (m.second - m.area * centre.squaredNorm())};
}

RevolvedMoments revolved_moments(const PlanarContour& contour) {
  const Vec2 origin(0, contour.nodes().front().centre.y());
  SweptMoments m;
  for (const ContourElement& e : contour.elements()) {
    if (!e.hidden && e.length_m > 0) integrate(e, origin, m);
  }
  const double height = m.first / m.volume;
  return {m.volume, origin.y() + height, m.squared_radii, m.squared_heights - m.volume * height * height};
}

std::optional<PlanarMass> planar_mass_properties(const ShapeGeometry& geometry, double density_kg_m2) {
  const bool is_front = std::visit(
      [](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Shape, EdgeShape>)
          return true;
        else if constexpr (std::is_same_v<Shape, ArcShape>)
          return shape.hollow;
        else if constexpr (requires { shape.closed; })
          return !shape.closed;
        else
          return false;
      },
      geometry);
  if (is_front) return std::nullopt;
  const ContourResult made = make_contour(geometry);
  if (!made.problem.empty()) return std::nullopt;
  return mass_properties(made.contour, density_kg_m2);
}

}  // namespace freeplay::geometry

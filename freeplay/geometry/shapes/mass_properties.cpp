#include "freeplay/geometry/shapes/mass_properties.h"

#include <numbers>
#include <type_traits>

#include "freeplay/geometry/contours/contour_mass.h"
#include "freeplay/geometry/meshes/mesh_mass.h"
#include "freeplay/geometry/surfaces/shape_surface.h"
#include "freeplay/geometry/surfaces/surface_mass.h"

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;

// Of these the numbers alone do not say whether they enclose anything.
template <class Shape>
constexpr bool kCanBeNoSurface =
    std::is_same_v<Shape, RevolutionShape> || std::is_same_v<Shape, ParametricSurfaceShape> ||
    std::is_same_v<Shape, SplinePatchShape>;

// Moments along an axis and across it.
Mat3 about_axis(const Vec3& axis, double along, double across) {
  return across * Mat3::Identity() + (along - across) * axis * axis.transpose();
}

}  // namespace

SpatialMass mass_properties(const SphereShape& shape, double density_kg_m3) {
  const double r = shape.radius_m, mass = density_kg_m3 * 4 * kPi / 3 * r * r * r;
  return {mass, shape.at_m, 0.4 * mass * r * r * Mat3::Identity()};
}

SpatialMass mass_properties(const BoxShape& shape, double density_kg_m3) {
  const double mass = density_kg_m3 * shape.size_m.prod();
  const Vec3 squares = shape.size_m.cwiseAbs2();
  const Vec3 moments = mass / 12 * (Vec3::Constant(squares.sum()) - squares);
  const Mat3 axes = shape.rotation.toRotationMatrix();
  return {mass, shape.at_m, axes * moments.asDiagonal() * axes.transpose()};
}

SpatialMass mass_properties(const CylinderShape& shape, double density_kg_m3) {
  const double r = shape.radius_m, l = shape.length_m, mass = density_kg_m3 * kPi * r * r * l;
  return {mass, shape.at_m, about_axis(shape.axis, mass * r * r / 2, mass * (3 * r * r + l * l) / 12)};
}

// A cylinder and two half-balls, whose centres lie 3r/8 beyond its ends.
SpatialMass mass_properties(const CapsuleShape& shape, double density_kg_m3) {
  const double r = shape.radius_m, l = shape.length_m;
  const double tube = density_kg_m3 * kPi * r * r * l, balls = density_kg_m3 * 4 * kPi / 3 * r * r * r;
  const double along = tube * r * r / 2 + 0.4 * balls * r * r;
  const double across = tube * (3 * r * r + l * l) / 12 + balls * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
  return {tube + balls, shape.at_m, about_axis(shape.axis, along, across)};
}

SpatialMass mass_properties(const EllipsoidShape& shape, double density_kg_m3) {
  const double mass = density_kg_m3 * 4 * kPi / 3 * shape.semi_axes_m.prod();
  const Vec3 squares = shape.semi_axes_m.cwiseAbs2();
  const Vec3 moments = mass / 5 * (Vec3::Constant(squares.sum()) - squares);
  const Mat3 axes = shape.rotation.toRotationMatrix();
  return {mass, shape.at_m, axes * moments.asDiagonal() * axes.transpose()};
}

SpatialMass mass_properties(const TorusShape& shape, double density_kg_m3) {
  const double r = shape.radius_m, a = shape.tube_radius_m, mass = density_kg_m3 * 2 * kPi * kPi * r * a * a;
  return {mass, shape.at_m, about_axis(shape.axis, mass * (r * r + 0.75 * a * a), mass * (r * r / 2 + 0.625 * a * a))};
}

// Its centre lies at a quarter of the height.
SpatialMass mass_properties(const ConeShape& shape, double density_kg_m3) {
  const double r = shape.radius_m, h = shape.height_m, mass = density_kg_m3 * kPi / 3 * r * r * h;
  return {mass, shape.at_m + h / 4 * shape.axis,
          about_axis(shape.axis, 0.3 * mass * r * r, mass * (3 * r * r / 20 + 3 * h * h / 80))};
}

// Its cross section grows with the height: the centre lies at two thirds of it.
SpatialMass mass_properties(const ParaboloidShape& shape, double density_kg_m3) {
  const double r = shape.radius_m, h = shape.height_m, mass = density_kg_m3 * kPi / 2 * r * r * h;
  return {mass, shape.at_m + 2 * h / 3 * shape.axis,
          about_axis(shape.axis, mass * r * r / 3, mass * (r * r / 6 + h * h / 18))};
}

SpatialMass mass_properties(const RevolutionShape& shape, double density_kg_m3) {
  const RevolvedMoments m = revolved_moments(*shape.profile);
  return {density_kg_m3 * m.volume, shape.at_m + m.height_m * shape.axis,
          density_kg_m3 * about_axis(shape.axis, m.squared_radii, m.squared_radii / 2 + m.squared_heights)};
}

std::optional<SpatialMass> mass_properties(const ParametricSurfaceShape& shape, double density_kg_m3) {
  if (!shape.closed_u || !shape.closed_v) return std::nullopt;
  return mass_inside(*expression_chart(shape), density_kg_m3);
}

std::optional<SpatialMass> mass_properties(const SplinePatchShape& shape, double density_kg_m3) {
  if (!shape.closed_u || !shape.closed_v) return std::nullopt;
  return mass_inside(*spline_chart(shape), density_kg_m3);
}

SpatialMass mass_properties(const MeshShape& shape, double density_kg_m3) {
  return mass_properties(*shape.mesh, density_kg_m3);
}

std::optional<SpatialMass> spatial_mass_properties(const ShapeGeometry& geometry, double density_kg_m3) {
  return std::visit(
      [&](const auto& shape) -> std::optional<SpatialMass> {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (kCanBeNoSurface<Shape>) {
          if (!make_surface(shape).problem.empty()) return std::nullopt;
        }
        if constexpr (requires { mass_properties(shape, density_kg_m3); })
          return mass_properties(shape, density_kg_m3);
        else
          return std::nullopt;
      },
      geometry);
}

}  // namespace freeplay::geometry

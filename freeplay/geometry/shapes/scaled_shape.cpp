#include "freeplay/geometry/shapes/scaled_shape.h"

namespace freeplay::geometry {

namespace {

struct Scaler {
  double factor;

  using Scaled = std::optional<ShapeGeometry>;

  Scaled operator()(PointShape s) const { return at_scaled(s); }
  Scaled operator()(CircleShape s) const { return with_radius(s); }
  Scaled operator()(ArcShape s) const { return with_radius(s); }
  Scaled operator()(SphereShape s) const { return with_radius(s); }
  Scaled operator()(EllipseShape s) const {
    s.semi_axis_x_m *= factor;
    s.semi_axis_y_m *= factor;
    return at_scaled(s);
  }
  Scaled operator()(PolygonShape s) const {
    for (Vec3& vertex : s.vertices_m) vertex *= factor;
    return s;
  }
  Scaled operator()(BoxShape s) const {
    s.size_m *= factor;
    return at_scaled(s);
  }
  Scaled operator()(CylinderShape s) const {
    s.length_m *= factor;
    return with_radius(s);
  }
  Scaled operator()(CapsuleShape s) const {
    s.length_m *= factor;
    return with_radius(s);
  }
  Scaled operator()(EllipsoidShape s) const {
    s.semi_axes_m *= factor;
    return at_scaled(s);
  }
  template <class Shape>
  Scaled operator()(const Shape&) const {
    return std::nullopt;
  }

 private:
  template <class Shape>
  Scaled at_scaled(Shape& s) const {
    s.at_m *= factor;
    return s;
  }
  template <class Shape>
  Scaled with_radius(Shape& s) const {
    s.radius_m *= factor;
    return at_scaled(s);
  }
};

}  // namespace

std::optional<ShapeGeometry> scaled_shape(const ShapeGeometry& shape, double factor) {
  return std::visit(Scaler{factor}, shape);
}

}  // namespace freeplay::geometry

#include "freeplay/geometry/shapes/moved_shape.h"

#include <cmath>

namespace freeplay::geometry {

namespace {

struct Mover {
  double angle;
  Vec3 about, shift;

  Vec3 direction(const Vec3& v) const {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * v.x() - s * v.y(), s * v.x() + c * v.y(), v.z()};
  }
  void move(Vec3& point) const { point = about + direction(point - about) + shift; }
  void move(std::vector<Vec3>& points) const {
    for (Vec3& point : points) move(point);
  }

  using Moved = std::optional<ShapeGeometry>;

  Moved operator()(PointShape s) const { return at_moved(s); }
  Moved operator()(CircleShape s) const { return at_moved(s); }
  Moved operator()(LineShape s) const {
    s.normal = direction(s.normal);
    return at_moved(s);
  }
  Moved operator()(ArcShape s) const {
    s.from += angle;
    s.to += angle;
    return at_moved(s);
  }
  Moved operator()(EllipseShape s) const { return turned(s); }
  Moved operator()(SuperellipseShape s) const { return turned(s); }
  Moved operator()(InvoluteShape s) const { return turned(s); }
  Moved operator()(PolygonShape s) const {
    move(s.vertices_m);
    return s;
  }
  Moved operator()(SplineShape s) const {
    move(s.points_m);
    return s;
  }
  Moved operator()(EdgeShape s) const {
    move(s.from_m);
    move(s.to_m);
    return s;
  }
  Moved operator()(OutlineShape s) const {
    for (OutlineShape::Corner& corner : s.corners) move(corner.at_m);
    return s;
  }
  template <class Shape>
  Moved operator()(const Shape&) const {
    return std::nullopt;
  }

 private:
  template <class Shape>
  Moved at_moved(Shape& s) const {
    move(s.at_m);
    return s;
  }
  template <class Shape>
  Moved turned(Shape& s) const {
    s.angle += angle;
    return at_moved(s);
  }
};

}  // namespace

std::optional<ShapeGeometry> moved_shape(const ShapeGeometry& shape, double angle, const Vec3& about_m,
                                         const Vec3& shift_m) {
  return std::visit(Mover{angle, about_m, shift_m}, shape);
}

}  // namespace freeplay::geometry

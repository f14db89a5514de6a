#include "freeplay/geometry/shapes/moved_shape.h"

#include <cmath>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "freeplay/geometry/meshes/mesh_builder.h"
#include "freeplay/math/expressions/weighted_sum.h"

namespace freeplay::geometry {

namespace {

template <class Shape, class... Others>
constexpr bool is_one_of = (std::is_same_v<Shape, Others> || ...);

// The vector R x + constant in place of x, which has a component for each expression. False if these would need too
// many intermediate values.
bool turn_expressions(const std::vector<Expression*>& vector, const Mat3& turned, const Vec3& constant,
                      const Dimension& dimension) {
  std::vector<Expression> before;
  for (const Expression* component : vector) before.push_back(*component);
  try {
    for (std::size_t i = 0; i < before.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const Vec3 factors = turned.row(row);
      *vector[i] = weighted_sum(std::span(factors.data(), before.size()), before, {constant[row], dimension});
    }
  } catch (const ExpressionError&) {
    return false;
  }
  return true;
}

struct Mover {
  double angle;
  Eigen::Quaterniond rotation;
  Vec3 about, shift;

  Vec3 direction(const Vec3& v) const { return rotation * v; }
  void move(Vec3& point) const { point = about + direction(point - about) + shift; }
  void move(std::vector<Vec3>& points) const {
    for (Vec3& point : points) move(point);
  }

  using Moved = std::optional<ShapeGeometry>;

  template <class Shape>
  Moved operator()(Shape s) const {
    if constexpr (is_one_of<Shape, PolygonShape>) {
      move(s.vertices_m);
    } else if constexpr (is_one_of<Shape, SplineShape>) {
      move(s.points_m);
    } else if constexpr (is_one_of<Shape, EdgeShape>) {
      move(s.from_m);
      move(s.to_m);
    } else if constexpr (is_one_of<Shape, OutlineShape>) {
      for (OutlineShape::Corner& corner : s.corners) move(corner.at_m);
    } else if constexpr (is_one_of<Shape, SplinePatchShape>) {
      for (std::vector<Vec3>& row : s.points_m) move(row);
    } else if constexpr (is_one_of<Shape, MeshShape>) {
      return moved_mesh(s);
    } else if constexpr (is_one_of<Shape, ParametricShape>) {
      return moved_coordinates(s, {&s.x_m, &s.y_m});
    } else if constexpr (is_one_of<Shape, ParametricSurfaceShape>) {
      return moved_coordinates(s, {&s.x_m, &s.y_m, &s.z_m});
    } else {
      move(s.at_m);
      turn(s);
    }
    return s;
  }

 private:
  // What a shape that has a place has beside it.
  template <class Shape>
  void turn(Shape& s) const {
    if constexpr (is_one_of<Shape, LineShape, PlaneShape>) s.normal = direction(s.normal);
    if constexpr (is_one_of<Shape, EllipseShape, SuperellipseShape, InvoluteShape>) s.angle += angle;
    if constexpr (is_one_of<Shape, BoxShape, EllipsoidShape>) s.rotation = rotation * s.rotation;
    if constexpr (requires { s.axis; }) s.axis = direction(s.axis);
    if constexpr (is_one_of<Shape, ArcShape>) {
      s.from += angle;
      s.to += angle;
    }
    if constexpr (is_one_of<Shape, CamShape>) {
      s.follower = direction(s.follower);
      move(s.points_m);
    }
  }
  // Places as expressions: R x + (about - R about + shift).
  template <class Shape>
  Moved moved_coordinates(Shape& s, const std::vector<Expression*>& coordinates) const {
    if (angle == 0 && shift.isZero(0)) return s;
    Vec3 origin = Vec3::Zero();
    move(origin);
    if (!turn_expressions(coordinates, rotation.toRotationMatrix(), origin, dimensions::kLength)) return std::nullopt;
    return s;
  }
  // A mesh is frozen with its tree: another one is made.
  Moved moved_mesh(const MeshShape& s) const {
    if (!s.mesh) return s;  // after a report
    TriangleSoup soup;
    for (Vec3 x : s.mesh->vertices()) {
      move(x);
      soup.points_m.push_back(x);
    }
    for (const MeshTriangle& triangle : s.mesh->triangles()) soup.triangles.push_back(triangle.vertices);
    MeshResult built = build_mesh(soup);
    if (!built.problem.empty()) return std::nullopt;
    return MeshShape{std::make_shared<const TriangleMesh>(std::move(built.mesh)), s.file};
  }
};

}  // namespace

std::optional<ShapeGeometry> moved_shape(const ShapeGeometry& shape, double angle, const Vec3& about_m,
                                         const Vec3& shift_m, const Vec3& axis) {
  const Eigen::Quaterniond rotation(Eigen::AngleAxisd(angle, axis));
  return std::visit(Mover{angle, rotation, about_m, shift_m}, shape);
}

std::optional<std::vector<Expression>> turned_velocity(std::vector<Expression> velocity, double angle,
                                                       const Vec3& axis) {
  if (angle == 0) return velocity;
  std::vector<Expression*> components;
  for (Expression& component : velocity) components.push_back(&component);
  const Mat3 turned = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  if (!turn_expressions(components, turned, Vec3::Zero(), dimensions::kVelocity)) return std::nullopt;
  return velocity;
}

}  // namespace freeplay::geometry

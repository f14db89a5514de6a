// Contact shapes as plain data: what a model file says about the outline of a body, in SI units and body axes.
// Planar shapes use the x and y components; a new shape is one struct, one alternative and one row of the field table.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "freeplay/geometry/contours/contour_shapes.h"
#include "freeplay/geometry/surfaces/surface_shapes.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/types.h"

namespace freeplay::geometry {

class TriangleMesh;
using MeshPtr = std::shared_ptr<const TriangleMesh>;

// ---- planar ----
struct PointShape {
  Vec3 at_m = Vec3::Zero();
  friend bool operator==(const PointShape&, const PointShape&) = default;
};
// A straight edge of a half-plane: matter lies on the side that `normal` points away from.
struct LineShape {
  Vec3 at_m = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  // unit length
  friend bool operator==(const LineShape&, const LineShape&) = default;
};
struct CircleShape {
  Vec3 at_m = Vec3::Zero();
  double radius_m = 0;
  friend bool operator==(const CircleShape&, const CircleShape&) = default;
};
// Part of a circle from angle `from` counter-clockwise to angle `to`: a sector of a disc, or the front of a wall if it
// is hollow.
struct ArcShape {
  Vec3 at_m = Vec3::Zero();
  double radius_m = 0;
  double from = 0, to = 0;  // rad
  bool hollow = false;      // contact is on the inside, as in a bore
};
struct PolygonShape {
  std::vector<Vec3> vertices_m;  // at least three, counter-clockwise, without crossing edges
};
struct EllipseShape {
  Vec3 at_m = Vec3::Zero();
  double semi_axis_x_m = 0, semi_axis_y_m = 0;
  double angle = 0;  // rad, of the first semi-axis against the body's x axis
};
struct SplineShape {
  std::vector<Vec3> points_m;  // interpolated in this order; matter lies to the left
  bool closed = true;
};
// A cam: its centre, and one of a lift law, a polar radius or points of its contour. The angle phi runs clockwise in
// the cam's axes from the direction `follower`, so that a cam that turns counter-clockwise by phi brings phi under a
// follower that stands in that direction. The expressions depend on phi (variable 0) and repeat after `period`.
struct CamShape {
  Vec3 at_m = Vec3::Zero();
  Vec3 follower = Vec3::UnitY();  // unit length
  double period = 0;              // rad, a full turn divided by a whole number
  double base_radius_m = 0;       // with `lift`
  std::optional<Expression> lift_m;
  std::optional<Expression> radius_m;
  std::vector<Vec3> points_m;  // interpolated in this order and closed; counter-clockwise, body axes
  bool only_forwards = false;  // it is driven and never turns back: drops of its lift are not met as steps up
};

// ---- spatial ----
struct SphereShape {
  Vec3 at_m = Vec3::Zero();
  double radius_m = 0;
  friend bool operator==(const SphereShape&, const SphereShape&) = default;
};
// The boundary of a half-space, as LineShape.
struct PlaneShape {
  Vec3 at_m = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  // unit length
  friend bool operator==(const PlaneShape&, const PlaneShape&) = default;
};
struct BoxShape {
  Vec3 at_m = Vec3::Zero();    // of its centre
  Vec3 size_m = Vec3::Zero();  // full lengths of the edges
  Eigen::Quaterniond rotation{1, 0, 0, 0};
  friend bool operator==(const BoxShape&, const BoxShape&) = default;
};
struct CylinderShape {
  Vec3 at_m = Vec3::Zero();   // of its centre
  Vec3 axis = Vec3::UnitZ();  // unit length
  double radius_m = 0, length_m = 0;
  friend bool operator==(const CylinderShape&, const CylinderShape&) = default;
};
struct CapsuleShape {
  Vec3 at_m = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  double radius_m = 0, length_m = 0;  // length between the centres of the two half-spheres
  friend bool operator==(const CapsuleShape&, const CapsuleShape&) = default;
};
struct EllipsoidShape {
  Vec3 at_m = Vec3::Zero();
  Vec3 semi_axes_m = Vec3::Zero();
  Eigen::Quaterniond rotation{1, 0, 0, 0};
};
// A closed surface of triangles (meshes/triangle_mesh.h), scaled and placed already: its coordinates are in body axes.
struct MeshShape {
  MeshPtr mesh;      // never null in a model that was read without mistakes
  std::string file;  // where it came from, for reports
  friend bool operator==(const MeshShape&, const MeshShape&) = default;
};

using ShapeGeometry =
    std::variant<PointShape, LineShape, CircleShape, ArcShape, PolygonShape, EllipseShape, SplineShape, CamShape,
                 EdgeShape, OutlineShape, SuperellipseShape, ParametricShape, InvoluteShape, SphereShape, PlaneShape,
                 BoxShape, CylinderShape, CapsuleShape, EllipsoidShape, TorusShape, ConeShape, ParaboloidShape,
                 RevolutionShape, ParametricSurfaceShape, SplinePatchShape, MeshShape>;

// A prescribed rotation of a planar shape against its body, which needs no joint and no inertia: the gap of such a
// shape depends on time explicitly.
struct ShapeTurn {
  Expression angle;             // rad, of t (variable 0)
  Vec3 about_m = Vec3::Zero();  // body axes
};

struct ShapeSpec {
  std::string body;  // "ground" or a body's name
  std::string name;  // unique on its body; a contact calls it "body.name"
  std::string type;  // "circle", ...
  ShapeGeometry geometry;
  std::optional<ShapeTurn> turn{};
  // Of a surface that runs along itself, as a belt does: m/s, of t (variable 0). In the plane one expression, along the
  // boundary, towards +x where the outward normal is +y; in space three, body axes, whose tangential part counts.
  std::vector<Expression> surface_velocity{};
};

// A ball around a shape.
struct BoundingSphere {
  Vec3 centre_m = Vec3::Zero();
  double radius_m = std::numeric_limits<double>::infinity();
};

// "circle", ...: the name of a geometry's type.
std::string_view shape_type_name(const ShapeGeometry& geometry);
bool is_planar_shape(const ShapeGeometry& geometry);
// Every shape type of the plane and of space. `parametric` is in both: a curve and a surface.
std::vector<std::string> planar_shape_names();
std::vector<std::string> spatial_shape_names();
// Pairs without a gap function are an error, never "no contact". The order of the two does not matter.
bool shape_pair_is_defined(std::string_view type_a, std::string_view type_b);
// The types that `type` can touch, for messages.
std::vector<std::string> shape_partners(std::string_view type);

// What makes a pair impossible, in words for a user; empty if the pair is fine.
// Examples: no gap function for these types; a polygon that is not convex against a circle.
struct PairProblem {
  std::string message, hint;
  bool empty() const { return message.empty(); }
};

}  // namespace freeplay::geometry

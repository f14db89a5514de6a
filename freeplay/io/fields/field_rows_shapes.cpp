// Rows of the field table: shapes.
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::angle;
using field_rows::block;
using field_rows::kNotNegative;
using field_rows::kPositive;
using field_rows::number;
using field_rows::point;
using field_rows::quantity;
using field_rows::row;
using field_rows::text;
using field_rows::word;

std::vector<std::string> shape_types() {
  return block_types("shape");
}
std::vector<std::string> mesh_units() {
  return {"m", "cm", "mm", "um", "in", "ft"};
}
std::vector<std::string> mesh_origins() {
  return {"file", "centroid"};
}
std::vector<std::string> sides() {
  return {"outside", "inside"};
}
Field type() {
  return word("type", &shape_types, "The kind of shape.").required();
}
Field centre() {
  return point("at", "Centre, body axes.").by_default("0");
}
Field radius() {
  return quantity("radius", dimensions::kLength, "Radius.").required().within(kPositive);
}
Field length(std::string_view doc) {
  return quantity("length", dimensions::kLength, doc).required().within(kPositive);
}
Field normal() {
  return row("normal", FieldKind::kDirection, "Points away from the material, into the free side.").required();
}
Field long_axis() {
  return row("axis", FieldKind::kDirection, "Direction of the axis, body axes.").otherwise("the body's z axis");
}
Field attitude() {
  return row("rotation", FieldKind::kRotation, "Attitude in the body's axes.").otherwise("parallel to the body's axes");
}

std::vector<Field> cam_fields() {
  Field turn = row("turn", FieldKind::kExpression, dimensions::kAngle,
                   "Angle of the cam against its body, an expression of t: a cam that is driven without joint and "
                   "inertia.");
  turn.is_angle = true;
  return {
      type(),
      point("at", "Its axis, body axes.").by_default("0"),
      row("follower", FieldKind::kDirection, "From the axis to the follower at phi = 0, body axes.")
          .otherwise("the body's y axis"),
      quantity("base_radius", dimensions::kLength, "Radius that `lift` is measured from; required with it.")
          .within(kPositive),
      row("lift", FieldKind::kExpression, dimensions::kLength,
          "Lift of the follower, an expression of phi: of a point or a roller's surface along the ray, of a flat face "
          "along its normal. It may drop at once, but not jump up."),
      row("radius", FieldKind::kExpression, dimensions::kLength,
          "Radius of the contour, an expression of phi: closed and smooth."),
      row("points", FieldKind::kPoints, dimensions::kLength,
          "Points of the contour, body axes: a closed spline, counter-clockwise."),
      angle("period", "Angle after which `lift` or `radius` repeats: `2*pi/N`.")
          .within(kPositive)
          .otherwise("a full turn"),
      turn.otherwise("the cam is fixed to its body"),
  };
}

Field pattern(bool is_planar) {
  return block("pattern", FieldKind::kBlock, is_planar ? "pattern" : "pattern_spatial",
               "Copies of the shape, named `NAME_1`, `NAME_2`, ...; a contact names all of them by `NAME*`.")
      .otherwise("one shape");
}

// Of every shape but a point, which has no surface that could run.
Field surface_velocity(bool is_planar) {
  return is_planar ? row("surface_velocity", FieldKind::kExpression, dimensions::kVelocity,
                         "Speed of a surface that runs along itself, as a belt does, an expression of t: towards +x "
                         "where the outward normal is +y, so that the matter is to its right. It enters friction and "
                         "opens no gaps.")
                         .otherwise("the surface moves with its body")
                   : row("surface_velocity", FieldKind::kExpressionVector, dimensions::kVelocity,
                         "Velocity of a surface that runs along itself, as a belt does, expressions of t, body axes. "
                         "Its tangential part enters friction; it opens no gaps.")
                         .otherwise("the surface moves with its body");
}

BlockTable pattern_table(bool is_planar) {
  BlockTable table = {
      is_planar ? "pattern" : "pattern_spatial",
      is_planar ? "shapes.NAME.pattern (planar)" : "shapes.NAME.pattern (spatial)",
      "Copies of a shape on its body, the first one where the shape is: each is turned and shifted against the one "
      "before.",
      {row("count", FieldKind::kInteger, "How many there are.").required().within({.min = 2, .max = 1000}),
       angle("turn", "Angle from one to the next.").by_default("0"),
       point("at", is_planar ? "Centre of `turn`, body axes." : "A point of the axis of `turn`, body axes.")
           .by_default("0"),
       point("shift", "Way from one to the next, body axes.").by_default("0")}};
  if (!is_planar)
    table.fields.push_back(
        row("axis", FieldKind::kDirection, "Direction of that axis, body axes.").otherwise("the body's z axis"));
  return table;
}

Field depth() {
  return quantity("depth", dimensions::kLength, "How far the matter reaches behind an open contour.")
      .within(kPositive)
      .otherwise("a tenth of its length, less where it bends");
}

// Shapes that are only known as contours: geometry/contours.
std::vector<BlockTable> contour_tables() {
  using enum FieldKind;
  return {
      {"shape.edge",
       "shapes.NAME, type: edge (planar)",
       "A straight face with two ends: the front of a wall, matter to the left of the way from `from` to `to`.",
       {type(), point("from", "Its start, body axes.").required(), point("to", "Its end, body axes.").required(),
        depth()}},
      {"shape.outline",
       "shapes.NAME, type: outline (planar)",
       "Edges and arcs as a drawing has them, material to the left: counter-clockwise around a body.",
       {type(),
        row("points", kOutline, dimensions::kLength,
            "Points in order, body axes; `{at: [10 mm, 0], radius: 2 mm}` rounds a corner, `{at: [10 mm, 0], arc: 90 "
            "deg}` makes the side to the next point an arc.")
            .required(),
        row("turns", kInteger,
            "The points are repeated so many times, each time turned on by a full turn divided by it.")
            .within({.min = 1, .max = 1000})
            .by_default("1"),
        point("at", "Centre of `turns`, body axes.").by_default("0"),
        row("closed", kBool, "Whether the last point is joined with the first.").by_default("true"), depth()}},
      {"outline_point",
       "shapes.NAME.points, of an outline",
       "A point of an outline that is more than a sharp corner between straight sides.",
       {point("at", "Its place, body axes.").required(),
        quantity("radius", dimensions::kLength, "Rounds the corner; only between straight sides.")
            .within(kNotNegative)
            .by_default("0"),
        angle("arc", "Turn of the side to the next point, which is then an arc: positive to the left.")
            .within({.min = -6.2, .max = 6.2})
            .by_default("0")}},
      {"shape.superellipse",
       "shapes.NAME, type: superellipse (planar)",
       "The curve |x/a|^p + |y/b|^p = 1.",
       {type(), centre(), quantity("semi_axis_x", dimensions::kLength, "First semi-axis.").required().within(kPositive),
        quantity("semi_axis_y", dimensions::kLength, "Second semi-axis.").required().within(kPositive),
        number("exponent", "The exponent p, from 2 (an ellipse) on.").within({.min = 2, .max = 50}).by_default("4"),
        angle("angle", "Angle of the first semi-axis against the body's x axis.").by_default("0")}},
      {"shape.parametric",
       "shapes.NAME, type: parametric (planar)",
       "A curve by two expressions of its parameter s, material to its left.",
       {type(), row("x", kExpression, dimensions::kLength, "Coordinate x, an expression of s, body axes.").required(),
        row("y", kExpression, dimensions::kLength, "Coordinate y, an expression of s, body axes.").required(),
        number("from", "The parameter s at its start.").by_default("0"),
        number("to", "The parameter s at its end, greater than `from`.").required(),
        row("closed", kBool, "Whether the end is the start.").by_default("false"), depth()}},
      {"shape.involute",
       "shapes.NAME, type: involute (planar)",
       "A gear with involute flanks, or one tooth of it. Lengths of the tooth are in modules.",
       {type(), centre(),
        quantity("module", dimensions::kLength, "Diameter of the pitch circle per tooth.").required().within(kPositive),
        row("teeth", kInteger, "Number of teeth.").required().within({.min = 3, .max = 1000}),
        angle("pressure_angle", "Pressure angle at the pitch circle.").by_default("20 deg"),
        number("addendum", "Height of a tooth over the pitch circle, in modules.").within(kPositive).by_default("1"),
        number("dedendum", "Depth below the pitch circle, in modules.").within(kPositive).by_default("1.25"),
        number("profile_shift", "Profile shift, in modules.").by_default("0"),
        quantity("thinning", dimensions::kLength,
                 "How much thinner a tooth is at the pitch circle than half of the pitch.")
            .by_default("0"),
        angle("angle", "Angle of the middle of the first tooth against the body's x axis.").by_default("0"),
        row("single_tooth", kBool, "Only the first tooth.").by_default("false")}},
  };
}

std::vector<BlockTable> planar_shape_tables() {
  using enum FieldKind;
  return {
      {"shape.point",
       "shapes.NAME, type: point (planar)",
       "A sharp corner.",
       {type(), point("at", "Its place, body axes.").by_default("0")}},
      {"shape.line",
       "shapes.NAME, type: line (planar)",
       "The edge of a half-plane.",
       {type(), point("at", "A point of the line, body axes.").by_default("0"), normal()}},
      {"shape.circle", "shapes.NAME, type: circle (planar)", "A disc.", {type(), centre(), radius()}},
      {"shape.arc",
       "shapes.NAME, type: arc (planar)",
       "A part of a circle, counter-clockwise from one angle to another: the sector of its disc, or with `side: "
       "inside` "
       "the front of a wall.",
       {type(), centre(), radius(), angle("from", "Angle of its start.").required(),
        angle("to", "Angle of its end, greater than `from`.").required(),
        word("side", &sides, "Which side touches; the inside is that of a bore.").by_default("outside")}},
      {"shape.polygon",
       "shapes.NAME, type: polygon (planar)",
       "A polygon without crossing edges, convex or not.",
       {type(),
        row("vertices", kPoints, dimensions::kLength, "At least three corners, counter-clockwise.").required()}},
      {"shape.ellipse",
       "shapes.NAME, type: ellipse (planar)",
       "An ellipse.",
       {type(), centre(), quantity("semi_axis_x", dimensions::kLength, "First semi-axis.").required().within(kPositive),
        quantity("semi_axis_y", dimensions::kLength, "Second semi-axis.").required().within(kPositive),
        angle("angle", "Angle of the first semi-axis against the body's x axis.").by_default("0")}},
      {"shape.spline",
       "shapes.NAME, type: spline (planar)",
       "A smooth curve through points (a cubic spline), material to its left: counter-clockwise around a body, "
       "clockwise around a hole. An open one is the front of a wall.",
       {type(), row("points", kPoints, dimensions::kLength, "At least three points, two of an open one.").required(),
        row("closed", kBool, "Whether the last point is joined with the first.").by_default("true")}},
      {"shape.cam", "shapes.NAME, type: cam (planar)",
       "A cam, in one of three forms: `lift`, `radius` or `points`. phi is the angle by which the cam has turned "
       "counter-clockwise since phi = 0 stood under the follower.",
       cam_fields()},
  };
}

std::vector<BlockTable> spatial_shape_tables() {
  using enum FieldKind;
  return {
      {"shape.sphere", "shapes.NAME, type: sphere (spatial)", "A ball.", {type(), centre(), radius()}},
      {"shape.plane",
       "shapes.NAME, type: plane (spatial)",
       "The boundary of a half-space.",
       {type(), point("at", "A point of the plane, body axes.").by_default("0"), normal()}},
      {"shape.box",
       "shapes.NAME, type: box (spatial)",
       "A cuboid.",
       {type(), centre(),
        row("size", kVector, dimensions::kLength, "Lengths of the edges.").required().within(kPositive), attitude()}},
      {"shape.cylinder",
       "shapes.NAME, type: cylinder (spatial)",
       "A circular cylinder with flat ends.",
       {type(), centre(), radius(), length("Distance of the ends."), long_axis()}},
      {"shape.capsule",
       "shapes.NAME, type: capsule (spatial)",
       "A circular cylinder with half-spheres as ends.",
       {type(), centre(), radius(), length("Distance of the centres of the half-spheres."), long_axis()}},
      {"shape.ellipsoid",
       "shapes.NAME, type: ellipsoid (spatial)",
       "An ellipsoid.",
       {type(), centre(),
        row("semi_axes", kVector, dimensions::kLength, "The three semi-axes.").required().within(kPositive),
        attitude()}},
      {"shape.mesh",
       "shapes.NAME, type: mesh (spatial)",
       "A solid by the closed surface of triangles around it, convex or not. Holes in the surface, triangles that are "
       "turned inside out and more than a million triangles in all are refused.",
       {type(),
        text("file", "An STL, OBJ, glTF or GLB file, relative to the folder of the model and not outside of it.")
            .required(),
        word("unit", &mesh_units, "What the numbers in the file are; those of glTF are metres.").required(),
        number("scale", "Factor on top of `unit`.").within(kPositive).by_default("1"),
        word("origin", &mesh_origins, "What is put at `at`: the origin of the file, or the centre of the volume.")
            .by_default("file"),
        point("at", "Where the origin is, body axes.").by_default("0"), attitude()}},
  };
}

Field closed(std::string_view key, std::string_view doc) {
  return row(key, FieldKind::kBool, doc).by_default("false");
}
Field thickness() {
  return quantity("thickness", dimensions::kLength, "Of a sheet; its borders are round.")
      .within(kPositive)
      .otherwise("a twentieth of its size, less where it bends");
}

// Shapes that are only known as surfaces: geometry/surfaces.
std::vector<BlockTable> surface_tables() {
  using enum FieldKind;
  const auto height = [](std::string_view doc) {
    return quantity("height", dimensions::kLength, doc).required().within(kPositive);
  };
  const Field upwards =
      row("axis", kDirection, "From there into the matter, body axes.").otherwise("the body's z axis");
  return {
      {"shape.torus",
       "shapes.NAME, type: torus (spatial)",
       "A ring with a round section.",
       {type(), centre(), radius(),
        quantity("tube_radius", dimensions::kLength, "Radius of the section, smaller than `radius`.")
            .required()
            .within(kPositive),
        long_axis()}},
      {"shape.cone",
       "shapes.NAME, type: cone (spatial)",
       "A circular cone: a flat base and a tip.",
       {type(), point("at", "Centre of its base, body axes.").by_default("0"), radius(), height("From base to tip."),
        upwards}},
      {"shape.paraboloid",
       "shapes.NAME, type: paraboloid (spatial)",
       "A paraboloid of revolution from its vertex to a flat lid.",
       {type(), point("at", "Its vertex, body axes.").by_default("0"), radius(), height("From vertex to lid."),
        upwards}},
      {"shape.revolution",
       "shapes.NAME, type: revolution (spatial)",
       "A planar contour, turned about its y axis.",
       {type(), point("at", "Origin of the profile, body axes.").by_default("0"),
        row("axis", kDirection, "Direction of the profile's y axis, body axes.").otherwise("the body's z axis"),
        block("profile", kTypedBlock, "shape",
              "A closed planar shape where x >= 0, its own `type` and keys: `circle`, `ellipse`, `outline`, "
              "`parametric`, `polygon`, `spline` or `superellipse`. An edge along the axis bounds nothing.")
            .required()}},
      {"shape.parametric.spatial",
       "shapes.NAME, type: parametric (spatial)",
       "A surface by three expressions of its parameters u and v. Closed in both it bounds a body, which lies against "
       "the direction of x_u x x_v; otherwise it is the middle of a sheet.",
       {type(), row("x", kExpression, dimensions::kLength, "Coordinate x, an expression of u and v.").required(),
        row("y", kExpression, dimensions::kLength, "Coordinate y, likewise.").required(),
        row("z", kExpression, dimensions::kLength, "Coordinate z, likewise.").required(),
        number("u_from", "The parameter u at its start.").by_default("0"),
        number("u_to", "The parameter u at its end, greater than `u_from`.").required(),
        number("v_from", "The parameter v at its start.").by_default("0"),
        number("v_to", "The parameter v at its end, greater than `v_from`.").required(),
        closed("closed_u", "Whether the end in u is the start."),
        closed("closed_v", "Whether the end in v is the start."), thickness()}},
      {"shape.patch",
       "shapes.NAME, type: patch (spatial)",
       "The smooth surface (a bicubic spline) through a grid of points. Closed in both directions it bounds a body; "
       "otherwise it is the middle of a sheet.",
       {type(),
        row("points", kPointGrid, dimensions::kLength, "At least 4 rows of at least 4 points each, body axes.")
            .required(),
        closed("closed_u", "Whether the last row is followed by the first."),
        closed("closed_v", "Whether the last point of a row is followed by its first."), thickness()}},
  };
}

}  // namespace

std::vector<BlockTable> shape_block_tables() {
  std::vector<BlockTable> tables = planar_shape_tables();
  for (BlockTable& table : contour_tables()) tables.push_back(std::move(table));
  for (BlockTable& table : tables) {
    if (!table.name.starts_with("shape.")) continue;
    if (table.name != "shape.point") table.fields.push_back(surface_velocity(true));
    table.fields.push_back(pattern(true));
  }
  tables.push_back(pattern_table(true));
  tables.push_back(pattern_table(false));
  for (const std::vector<BlockTable>& spatial : {spatial_shape_tables(), surface_tables()}) {
    for (BlockTable table : spatial) {
      table.fields.push_back(surface_velocity(false));
      table.fields.push_back(pattern(false));
      tables.push_back(std::move(table));
    }
  }
  for (BlockTable& table : tables) {
    if (table.name.starts_with("shape."))
      table.fields.push_back(
          field_rows::text("material", "What it is made of, one of `materials`.").otherwise("that of its body"));
  }
  return tables;
}

}  // namespace freeplay::io

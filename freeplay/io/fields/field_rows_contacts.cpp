// Rows of the field table: shapes and contacts.
#include "freeplay/contact/laws/restitution_damping.h"
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::angle;
using field_rows::block;
using field_rows::kNotNegative;
using field_rows::kPositive;
using field_rows::kZeroToOne;
using field_rows::number;
using field_rows::point;
using field_rows::quantity;
using field_rows::row;
using field_rows::word;

std::vector<std::string> shape_types() {
  return block_types("shape");
}
std::vector<std::string> sides() {
  return {"outside", "inside"};
}
std::vector<std::string> impact_laws() {
  return {"newton", "poisson"};
}
std::vector<std::string> tangential_laws() {
  return {"beitelschmidt", "glocker", "safe"};
}
std::vector<std::string> force_laws() {
  return force_law_names();
}
std::vector<std::string> sliding_laws() {
  return {"regularised-coulomb", "stribeck"};
}
std::vector<std::string> sliding_shapes() {
  return {"ambrosio", "threlfall"};
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

std::vector<Field> law_fields() {
  return {
      word("impact", &impact_laws,
           "Impact law of nonsmooth integrators; `freeplay list laws` tells which this version runs.")
          .otherwise("these integrators refuse the model"),
      word("tangential_law", &tangential_laws, "Tangential law of the `poisson` impact; see `freeplay list laws`.")
          .by_default("beitelschmidt"),
      number("restitution", "Coefficient of normal restitution.").required().within(kZeroToOne),
      number("tangential_restitution", "Coefficient of tangential restitution.").within(kZeroToOne).by_default("0"),
      number("friction", "Coulomb's coefficient.").within(kNotNegative).by_default("0"),
      block("force", FieldKind::kBlock, "contact_force", "Force law of smooth integrators.")
          .otherwise("these integrators refuse the model"),
  };
}

BlockTable contact_force_table() {
  const Range poisson{.min = 0, .max = 0.5};
  return {
      "contact_force",
      "force, in a contact",
      "A compliant contact: F = stiffness delta^exponent, with the damping of the law. Stiffness is given, or follows "
      "from `young` and `poisson` and the radii of the shapes, or of journal and bearing. Keys that a law does not use "
      "are ignored, so that laws can be compared by changing one word.",
      {
          word("law", &force_laws, "The force law; see `freeplay list laws`.").required(),
          number("exponent", "Exponent of the penetration.")
              .within({.min = 1, .max = 10})
              .otherwise("1 for `kelvin-voigt`, 1.5 for the others"),
          row("stiffness", FieldKind::kQuantity, "Contact stiffness.")
              .in("N/m^exponent")
              .within(kPositive)
              .otherwise("from the material, with the exponent 1.5"),
          quantity("damping", dimensions::kDamping, "Damping of the `kelvin-voigt` law.")
              .within(kNotNegative)
              .otherwise("from the restitution"),
          quantity("young", dimensions::kPressure, "Young's modulus of both partners.").within(kPositive),
          number("poisson", "Poisson's ratio of both partners.").within(poisson),
          quantity("young_b", dimensions::kPressure, "Young's modulus of the second partner, or of the bearing.")
              .within(kPositive)
              .otherwise("`young`"),
          number("poisson_b", "Poisson's ratio of the second partner, or of the bearing.")
              .within(poisson)
              .otherwise("`poisson`"),
          quantity("length", dimensions::kLength,
                   "Length of the line of contact: required by `johnson`, `radzimovsky` and `dubowsky-freudenstein`.")
              .within(kPositive),
          word("friction_law", &sliding_laws, "How friction depends on the sliding speed.")
              .by_default("regularised-coulomb"),
          word("friction_shape", &sliding_shapes,
               "How friction rises from rest: along a line to `slip_speed`, or as 1 - exp(-3 v/slip_speed).")
              .by_default("ambrosio"),
          quantity("slip_speed", dimensions::kVelocity, "Sliding speed at which friction has come to its full value.")
              .within(kPositive)
              .by_default("1 mm/s"),
          quantity("rest_speed", dimensions::kVelocity, "Of `ambrosio`: no friction below this speed.")
              .within(kNotNegative)
              .by_default("0"),
          number("static_friction", "Of `stribeck`: the coefficient at rest, not less than `friction`.")
              .within(kNotNegative),
          quantity("stribeck_speed", dimensions::kVelocity,
                   "Of `stribeck`: speed at which a third (1/e) of the difference is left.")
              .within(kPositive)
              .by_default("10 mm/s"),
      }};
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
       "A part of a circle, counter-clockwise from one angle to another.",
       {type(), centre(), radius(), angle("from", "Angle of its start.").required(),
        angle("to", "Angle of its end, greater than `from`.").required(),
        word("side", &sides, "Which side touches; the inside is that of a bore.").by_default("outside")}},
      {"shape.polygon",
       "shapes.NAME, type: polygon (planar)",
       "A polygon without crossing edges.",
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
       "clockwise "
       "around a hole.",
       {type(), row("points", kPoints, dimensions::kLength, "At least three points.").required(),
        row("closed", kBool, "Whether the last point is joined with the first. Only a closed one can touch.")
            .by_default("true")}},
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
  };
}

}  // namespace

std::vector<BlockTable> shape_block_tables() {
  std::vector<BlockTable> tables = planar_shape_tables();
  for (BlockTable& table : spatial_shape_tables()) tables.push_back(std::move(table));
  return tables;
}

std::vector<BlockTable> contact_block_tables() {
  std::vector<Field> contact_fields = {
      row("between", FieldKind::kShapeNames, "The two shapes: `[ball.skin, ground.floor]`.").required()};
  for (const Field& field : law_fields()) contact_fields.push_back(field);
  return {
      {"contact", "contacts.NAME",
       "Two shapes of different bodies that may touch. At least one of `impact` and `force`; an integrator takes the "
       "part it needs.",
       contact_fields},
      {"contact_law", "joints.NAME.contact",
       "The law of a joint with play. At least one of `impact` and `force`; an integrator takes the part it needs.",
       law_fields()},
      contact_force_table(),
  };
}

}  // namespace freeplay::io

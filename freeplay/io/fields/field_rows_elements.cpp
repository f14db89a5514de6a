// Rows of the field table: bodies, ground, joints, forces.
#include "freeplay/io/fields/field_rows.h"
#include "freeplay/mechanism/description/mechanism_spec.h"

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

std::vector<std::string> sides_of_slot() {
  return {"both", "left", "right"};
}

std::vector<std::string> joint_types() {
  return joint_type_names();
}
std::vector<std::string> joint_roles() {
  return {"tree", "constraint"};
}
std::vector<std::string> joint_models() {
  return {"ideal", "clearance", "bushing"};
}
std::vector<std::string> force_types() {
  return block_types("force");
}
std::vector<std::string> frames() {
  return {"world", "body"};
}

std::vector<BlockTable> body_block_tables() {
  using enum FieldKind;
  return {
      {"body",
       "bodies.NAME",
       "A rigid body, or an elastic beam. The origin of a rigid one is its centre of mass.",
       {
           quantity("mass", dimensions::kMass, "Mass.")
               .within(kPositive)
               .otherwise("an error, unless it follows from `density` or the body is `elastic`"),
           row("inertia", kInertia, dimensions::kInertia,
               "Moment of inertia about the centre of mass, in body axes; `from-shape`: of the closed shapes of the "
               "body, filled evenly. Their common centre must be the body's origin; where they overlap, both count.")
               .otherwise("an error, unless the body is `elastic`"),
           quantity("density", dimensions::kDensity, "With `from-shape`: mass per volume, instead of `mass`.")
               .within(kPositive)
               .otherwise("that of the `material`"),
           text("material", "What it is made of, one of `materials`; shapes may say otherwise.").otherwise("none"),
           quantity("thickness", dimensions::kLength, "With `density` in the plane: how thick the body is.")
               .within(kPositive),
           block("initial", kSpaceBlock, "initial", "Absolute initial position and velocity.")
               .otherwise("what the joints say; a free body rests at the origin"),
           block("guess", kSpaceBlock, "guess",
                 "Where the body is meant to stand, roughly. Of all positions that close the loops and keep every "
                 "`initial`, the one nearest to all guesses is taken; they need not fit each other.")
               .otherwise("the position that the search from the initial values finds"),
           block("shapes", kTypedBlocks, "shape", "The outlines that take part in contacts."),
           block("elastic", kBlock, "elastic", "A beam that deforms, instead of `mass` and `inertia`.")
               .otherwise("the body is rigid"),
           block(
               "fill", kBlock, "fill",
               "Copies of the body, `NAME_1`, `NAME_2`, ..., that fill a region; the body itself is none of the model.")
               .otherwise("one body"),
           block("pattern", kBlock, "body_pattern",
                 "Copies of the body, `NAME_1`, `NAME_2`, ..., in rows; the first one is where `initial` says.")
               .otherwise("one body"),
       }},
      {"initial.planar",
       "bodies.NAME.initial, planar",
       "What is not given follows from the joints.",
       {
           quantity("x", dimensions::kLength, "Position of the centre of mass."),
           quantity("y", dimensions::kLength, "Position of the centre of mass."),
           angle("angle", "Angle of the body axes against the world axes."),
           quantity("vx", dimensions::kVelocity, "Velocity of the centre of mass."),
           quantity("vy", dimensions::kVelocity, "Velocity of the centre of mass."),
           quantity("omega", dimensions::kAngularVelocity, "Angular velocity."),
       }},
      {"initial.spatial",
       "bodies.NAME.initial, spatial",
       "What is not given follows from the joints.",
       {
           quantity("x", dimensions::kLength, "Position of the centre of mass."),
           quantity("y", dimensions::kLength, "Position of the centre of mass."),
           quantity("z", dimensions::kLength, "Position of the centre of mass."),
           row("rotation", kRotation, "Attitude, from body axes to world axes."),
           quantity("vx", dimensions::kVelocity, "Velocity of the centre of mass, world axes."),
           quantity("vy", dimensions::kVelocity, "Velocity of the centre of mass, world axes."),
           quantity("vz", dimensions::kVelocity, "Velocity of the centre of mass, world axes."),
           quantity("omega_x", dimensions::kAngularVelocity, "Angular velocity, body axes."),
           quantity("omega_y", dimensions::kAngularVelocity, "Angular velocity, body axes."),
           quantity("omega_z", dimensions::kAngularVelocity, "Angular velocity, body axes."),
       }},
      {"guess.planar",
       "bodies.NAME.guess, planar",
       "What is not given is not compared.",
       {
           quantity("x", dimensions::kLength, "Position of the centre of mass."),
           quantity("y", dimensions::kLength, "Position of the centre of mass."),
           angle("angle", "Angle of the body axes against the world axes."),
       }},
      {"guess.spatial",
       "bodies.NAME.guess, spatial",
       "What is not given is not compared.",
       {
           quantity("x", dimensions::kLength, "Position of the centre of mass."),
           quantity("y", dimensions::kLength, "Position of the centre of mass."),
           quantity("z", dimensions::kLength, "Position of the centre of mass."),
           row("rotation", kRotation, "Attitude, from body axes to world axes."),
       }},
      {"ground",
       "ground",
       "The ground has no mass; it only carries shapes.",
       {block("shapes", kTypedBlocks, "shape", "The outlines that take part in contacts."),
        text("material", "What it is made of, one of `materials`; shapes may say otherwise.").otherwise("none")}},
      {"rotation",
       "rotation as a block (spatial)",
       "A rotation by an angle about an axis, instead of a quaternion [e0, e1, e2, e3].",
       {
           row("axis", kDirection, "Axis of the rotation.").required(),
           angle("angle", "Angle, right-handed about the axis.").required(),
       }},
  };
}

BlockTable bushing_block_table() {
  const auto per_direction = [](std::string_view key, Dimension dimension, std::string_view doc) {
    return row(key, FieldKind::kPerDirection, dimension, doc).within(kNotNegative);
  };
  const Dimension cubic = dimensions::kStiffness / (dimensions::kLength * dimensions::kLength);
  return {
      "joint_bushing",
      "joints.NAME.bushing",
      "F = stiffness d + cubic_stiffness d^3 + damping dd/dt for every direction of the joint's frame on the parent, "
      "and the same with the torsional keys for turning about them. One value stands for all directions that the "
      "joint holds (if it holds none of them, for all); a list has one value per direction, `[x, y]` or `[x, y, z]`, "
      "free ones included.",
      {
          per_direction("stiffness", dimensions::kStiffness, "Stiffness along the axes.")
              .otherwise("0; an error if the joint holds a direction, unless `cubic_stiffness` is there"),
          per_direction("cubic_stiffness", cubic, "Cubic stiffness along the axes.").otherwise("0"),
          per_direction("damping", dimensions::kDamping, "Damping along the axes.").otherwise("0"),
          per_direction("torsional_stiffness", dimensions::kTorsionalStiffness, "Stiffness per rad about the axes.")
              .otherwise("0; an error if the joint holds a rotation, unless `torsional_cubic_stiffness` is there"),
          per_direction("torsional_cubic_stiffness", dimensions::kTorsionalStiffness,
                        "Cubic stiffness per rad^3 about the axes.")
              .otherwise("0"),
          per_direction("torsional_damping", dimensions::kTorsionalDamping, "Damping per rad/s about the axes.")
              .otherwise("0"),
      }};
}

// How a joint connects its bodies; without what its play or its bushing is like.
std::vector<Field> joint_fields() {
  using enum FieldKind;
  return {
      word("type", &joint_types, "Which motion the joint allows.").required(),
      row("parent", kBodyName, "The body that carries the joint.").required().or_ground(),
      row("child", kBodyName, "The body that is carried.").required().or_ground(),
      point("at_parent", "The joint's point on the parent, body axes.").by_default("0"),
      point("at_child", "The joint's point on the child, body axes.").by_default("0"),
      row("axis", kDirection,
          "Axis of the motion in the parent's axes; the normal of a planar joint, the first axis of a universal "
          "one.")
          .otherwise("x of a prismatic, pin_in_slot or universal joint, z of all others"),
      row("second_axis", kDirection,
          "Universal: the axis that turns in the child, across `axis`, in the parent's axes where the coordinates "
          "are zero. Pin in a slot: the axis of the pin, across the slot.")
          .otherwise(
              "y (pin in a slot: z); if `axis` is given, y turned as x must be turned the shortest way to `axis`"),
      row("rotation", kRotation, dimensions::kAngle,
          "Attitude of the child in the parent's axes where the coordinates are zero.")
          .otherwise("parallel axes"),
      word("as", &joint_roles,
           "An ideal joint as a constraint is kept by bilateral rows, even where it could be part of the tree.")
          .by_default("tree"),
      block("initial", kBlock, "joint_initial", "Initial coordinates and velocities, relative to the parent."),
      row("guess", kCoordinates,
          "Coordinates that the joint is meant to start with, roughly: as `q` of `initial`, but only to choose among "
          "the positions that close the loops. A joint that closes a loop may have one if it has one coordinate.")
          .in("rad or m"),
      row("dry_friction", kCoordinates,
          "Largest effort of dry friction against the motion of a joint with one degree of freedom, or of a "
          "cylindrical one: along its axis, or a list of that and of the moment about it.")
          .in("N m (turning) or N (sliding)")
          .within(kNotNegative)
          .by_default("0"),
      block("friction", kBlock, "joint_friction",
            "Coulomb's friction by the load of a revolute or prismatic joint, on top of `dry_friction`. An ideal joint "
            "is then a constraint, whatever `as` says; the load of a bushing is its force. With play, the friction of "
            "`contact` takes its place.")
          .otherwise("none"),
      row("friction_velocity", kCoordinates,
          "Rate at which `dry_friction` and `friction` have come to their full value in smooth integrators, which know "
          "no sticking; the others take Coulomb's law as it is.")
          .in("rad/s (turning) or m/s (sliding)")
          .within(kPositive)
          .otherwise("0.01 rad/s or 1 mm/s"),
      block("stops", kBlock, "joint_stops",
            "Bounds of the coordinate of a joint with one degree of freedom, or of the two of a cylindrical one.")
          .otherwise("no bounds"),
      word("model", &joint_models, "Exact, with play, or held by an elastic element.").by_default("ideal"),
  };
}

std::vector<Field> play_fields() {
  using enum FieldKind;
  return {
      quantity("clearance", dimensions::kLength, "Play per side: radial, or half of the total play.")
          .within(kPositive)
          .otherwise("`bearing_radius - journal_radius`"),
      quantity(
          "length", dimensions::kLength,
          "Length along the axis: of the block in its guide, and in space of the sleeve or the prism; of a slot, the "
          "way of the pin's centre from end to end. Its ends are round with play, and stops of the way without.")
          .within(kPositive),
      quantity(
          "width", dimensions::kLength,
          "Planar prismatic: width of the block across the guide. Spatial pin_in_slot: width of the slotted plate, "
          "along the pin.")
          .within(kPositive),
      quantity("slot_radius", dimensions::kLength,
               "Of a pin_in_slot: the slot is an arc of this radius, measured to the pin's centre; its own centre lies "
               "to the left of `axis`, and the first coordinate is the way along it.")
          .within(kPositive)
          .otherwise("a straight slot"),
      word("sides", &sides_of_slot,
           "Of a pin_in_slot with play: which walls the slot has, seen along `axis`. In space one wall alone has no "
           "ends.")
          .by_default("both"),
      quantity(
          "head_radius", dimensions::kLength,
          "Spatial pin_in_slot with play: of the heads at both ends of the pin, which hold it upright on the faces "
          "of the plate.")
          .within(kPositive),
      row("section", kPoints, dimensions::kLength,
          "Spatial prismatic: the convex section of the prism, `[y, z]` of its corners in the joint's axes. The "
          "channel around it is larger by the clearance on every side."),
      quantity("axial_clearance", dimensions::kLength,
               "Spatial revolute and pin_in_slot: play along the axis of the pin, on either side.")
          .within(kPositive)
          .otherwise("`clearance`"),
      quantity(
          "journal_radius", dimensions::kLength,
          "Radius of the pin, rod or ball, at which friction acts. Needed if the contact has friction, and of a pin "
          "in a slot.")
          .within(kPositive)
          .otherwise("`bearing_radius - clearance`"),
      quantity("bearing_radius", dimensions::kLength, "Radius of the bore, sleeve or socket.")
          .within(kPositive)
          .otherwise("`journal_radius + clearance`"),
      block("contact", kBlock, "contact_law", "What happens when the play is used up.")
          .otherwise("an error if `model: clearance`"),
      block("lubricant", kBlock, "joint_lubricant",
            "Planar revolute with play, under smooth integrators: a film of oil in the clearance.")
          .otherwise("dry"),
      block("bushing", kBlock, "joint_bushing", "The elastic element between the two frames.")
          .otherwise("an error if `model: bushing`"),
  };
}

BlockTable joint_block_table() {
  std::vector<Field> fields = joint_fields();
  for (const Field& field : play_fields()) fields.push_back(field);
  return {"joint", "joints.NAME",
          "Connects a frame on the parent with a frame on the child. The keys below `model` describe the play or the "
          "bushing; they may stay in the file when the joint is ideal.",
          fields};
}

BlockTable joint_initial_block_table() {
  using enum FieldKind;
  return {
      "joint_initial",
      "joints.NAME.initial",
      "One value, or a list with one value per coordinate. A free joint has `[x, y, angle]` in the plane and `[x, y, "
      "z, "
      "e0, e1, e2, e3]` in space, a spherical joint in space the unit quaternion `[e0, e1, e2, e3]`; their velocities "
      "end with `omega`, or with `omega_x, omega_y, omega_z` in the axes of the joint's frame on the child. A "
      "cylindrical joint has `[shift, angle]` along and about its axis, a planar one `[x, y, angle]` in its plane, a "
      "universal one the angles about its first and its second axis.",
      {
          row("q", kCoordinates, "Coordinates. A quaternion must have the length 1, up to 1e-6.")
              .in("rad or m")
              .otherwise("0, or what the bodies say"),
          row("u", kCoordinates, "Velocities.").in("rad/s or m/s").otherwise("0, or what the bodies say"),
      }};
}

Field force_type() {
  return word("type", &force_types, "The kind of force element.").required();
}

std::vector<BlockTable> load_block_tables() {
  using enum FieldKind;
  return {
      {"force.force",
       "forces.NAME, type: force",
       "A force at a point of a body.",
       {
           force_type(),
           row("on", kBodyName, "The body it acts on.").required(),
           point("at", "The point it acts at, body axes.").by_default("0"),
           row("value", kExpressionVector, dimensions::kForce, "Components; expressions of t, parameters and channels.")
               .required(),
           word("frame", &frames, "Axes of the components.").by_default("world"),
       }},
      {"force.torque",
       "forces.NAME, type: torque",
       "A torque on a body.",
       {
           force_type(),
           row("on", kBodyName, "The body it acts on.").required(),
           point("at", "Of an elastic body: the place whose section it turns, body axes.").by_default("0"),
           row("value", kMoment, dimensions::kTorque, "About z in the plane, three components in space.").required(),
           word("frame", &frames, "Axes of the components.").by_default("world"),
       }},
  };
}

BlockTable spring_block_table() {
  using enum FieldKind;
  return {
      "force.spring",
      "forces.NAME, type: spring",
      "A spring and damper between two points: F = preload + stiffness (L - free_length) + damping dL/dt. A positive "
      "force pulls the points together.",
      {
          force_type(),
          row("parent", kBodyName, "First body.").required().or_ground(),
          point("at_parent", "Point on the first body, body axes.").by_default("0"),
          row("child", kBodyName, "Second body.").required().or_ground(),
          point("at_child", "Point on the second body, body axes.").by_default("0"),
          quantity("stiffness", dimensions::kStiffness, "Stiffness.").within(kNotNegative).by_default("0"),
          quantity("damping", dimensions::kDamping, "Damping.").within(kNotNegative).by_default("0"),
          quantity("preload", dimensions::kForce, "Force at the free length.").by_default("0"),
          quantity("free_length", dimensions::kLength, "Length without spring force.")
              .within(kNotNegative)
              .otherwise("the length in the initial state"),
      }};
}

BlockTable torsional_spring_block_table() {
  using enum FieldKind;
  return {
      "force.torsional_spring",
      "forces.NAME, type: torsional_spring",
      "A spring and damper on the coordinate q of a revolute joint: M = preload + stiffness (q - free_angle) + "
      "damping u, "
      "against q.",
      {
          force_type(),
          row("on", kJointName, "The revolute joint it acts on.").required(),
          quantity("stiffness", dimensions::kTorsionalStiffness, "Stiffness per rad.")
              .within(kNotNegative)
              .by_default("0"),
          quantity("damping", dimensions::kTorsionalDamping, "Damping per rad/s.").within(kNotNegative).by_default("0"),
          quantity("preload", dimensions::kTorque, "Torque at the free angle.").by_default("0"),
          angle("free_angle", "Angle without spring torque.").by_default("0"),
      }};
}

}  // namespace

std::vector<BlockTable> element_block_tables() {
  std::vector<BlockTable> tables = body_block_tables();
  for (BlockTable& table : elastic_block_tables()) tables.push_back(std::move(table));
  for (BlockTable table : {joint_block_table(), joint_initial_block_table(), bushing_block_table()})
    tables.push_back(std::move(table));
  for (BlockTable& table : joint_law_block_tables()) tables.push_back(std::move(table));
  for (BlockTable& table : coupling_block_tables()) tables.push_back(std::move(table));
  for (BlockTable& table : load_block_tables()) tables.push_back(std::move(table));
  for (BlockTable table : {spring_block_table(), torsional_spring_block_table()}) tables.push_back(std::move(table));
  for (BlockTable& table : driver_block_tables()) tables.push_back(std::move(table));
  return tables;
}

}  // namespace freeplay::io

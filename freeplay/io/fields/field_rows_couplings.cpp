// Rows of the field table: couplings of joint coordinates.
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::angle;
using field_rows::block;
using field_rows::kNotNegative;
using field_rows::kPositive;
using field_rows::number;
using field_rows::quantity;
using field_rows::row;
using field_rows::word;

constexpr Range kPressureAngle{.min = 0.01, .max = 0.8};  // rad

std::vector<std::string> coupling_types() {
  return block_types("coupling");
}
std::vector<std::string> coupling_models() {
  return {"ideal", "backlash", "compliant"};
}

// What all couplings have: how exactly the relation is kept.
std::vector<Field> with_model(std::vector<Field> fields) {
  using enum FieldKind;
  fields.insert(fields.begin(), word("type", &coupling_types, "The kind of coupling.").required());
  const std::vector<Field> of_model = {
      word("model", &coupling_models,
           "Exact; with play between two flanks, which meet in impacts; or an elastic element, with or without play.")
          .by_default("ideal"),
      row("offset", kQuantity, "What the position is where all coordinates are zero.").in("m or rad").by_default("0"),
      row("backlash", kQuantity,
          "Play from flank to flank: along the pitch line, or as an angle where no radius is given.")
          .in("m or rad")
          .within(kNotNegative)
          .otherwise("an error if `model: backlash`; 0 if `model: compliant`"),
      angle("angular_backlash", "The same as an angle of the first joint, instead of `backlash`.").within(kNotNegative),
      block("contact", kBlock, "contact_law", "What happens when the play is used up; without friction.")
          .otherwise("an error if `model: backlash`"),
      row("stiffness", kExpression,
          "Stiffness along the pitch line, with a `pressure_angle` along the line of action. An expression of t and "
          "channels, such as the angle of a wheel, is one of the mesh.")
          .in("N/m or N m/rad")
          .otherwise("an error if `model: compliant`"),
      row("damping", kQuantity,
          "Damping along the same line. With play it acts while flanks touch, never stronger than the spring.")
          .in("N s/m or N m s/rad")
          .within(kNotNegative)
          .by_default("0"),
  };
  fields.insert(fields.end(), of_model.begin(), of_model.end());
  return fields;
}

BlockTable gear_table() {
  using enum FieldKind;
  return {
      "coupling.gear", "couplings.NAME, type: gear",
      "Two wheels. Position: `q_1 + ratio q_2` (ring: `q_1 - ratio q_2`), times the pitch radius of the first wheel if "
      "that is known. With `pressure_angle` the wheels, the children of the joints, push each other at the pitch point "
      "along the line of action, which loads their bearings; without it the coupling acts by torques in the joints.",
      with_model({
          row("first", kJointName, "The revolute joint of the first wheel.").required(),
          row("second", kJointName, "The revolute joint of the second wheel.").required(),
          number("ratio", "Turns of the first wheel per turn of the second: z_2/z_1.")
              .within(kPositive)
              .otherwise("from the numbers of teeth"),
          row("teeth_1", kInteger, "Teeth of the first wheel.").within({.min = 1, .max = 100000}),
          row("teeth_2", kInteger, "Teeth of the second wheel.").within({.min = 1, .max = 100000}),
          row("internal", kBool, "The second wheel is a ring around the first: both turn in one sense.")
              .by_default("false"),
          quantity("pitch_radius", dimensions::kLength, "Pitch radius of the first wheel.")
              .within(kPositive)
              .otherwise("from `module` and `teeth_1`; without both the position is an angle"),
          quantity("module", dimensions::kLength, "Module: pitch diameter per tooth.").within(kPositive),
          angle("pressure_angle", "Pressure angle of the teeth, such as 20 deg; needs a pitch radius.")
              .within(kPressureAngle)
              .otherwise("torques in the joints"),
          row("carrier", kJointName,
              "Of a planet: the revolute joint of its carrier, if the other wheel hangs on the body that carries the "
              "carrier.")
              .otherwise("the coordinates are taken as they are"),
      })};
}

std::vector<BlockTable> other_tables() {
  using enum FieldKind;
  return {
      {"coupling.rack", "couplings.NAME, type: rack",
       "A pinion and a rack. Position: `pitch_radius q_pinion - q_rack`. With `pressure_angle` they push each "
       "other along the line of action, where the pitch circle touches the pitch line, which loads bearing and "
       "guide; without it the coupling acts by efforts in the joints.",
       with_model({
           row("pinion", kJointName, "The revolute joint of the pinion.").required(),
           row("rack", kJointName, "The prismatic joint of the rack.").required(),
           quantity("pitch_radius", dimensions::kLength, "Pitch radius of the pinion.").within(kPositive).required(),
           row("reverse", kBool, "The rack moves backwards where the pinion turns forwards.").by_default("false"),
           angle("pressure_angle",
                 "Pressure angle of the teeth, such as 20 deg. The rack then lies on the right of the pinion, seen "
                 "along its way with the pinion's axis upward, and with `reverse` on the left.")
               .within(kPressureAngle)
               .otherwise("efforts in the joints"),
       })},
      {"coupling.screw", "couplings.NAME, type: screw",
       "A screw and its nut. Position: `lead q_turn/(2 pi) - q_shift`. Two joints, or one cylindrical joint.",
       with_model({
           row("turn", kJointName, "The revolute joint of the screw, or a cylindrical joint.").required(),
           row("shift", kJointName, "The prismatic joint of the nut.").otherwise("that of the cylindrical joint"),
           quantity("lead", dimensions::kLength, "Way of one turn; negative for a left-hand thread.").required(),
       })},
      {"coupling.belt", "couplings.NAME, type: belt",
       "A belt or chain around two pulleys. Position: `radius_1 q_1 - radius_2 q_2`, crossed with a plus.",
       with_model({
           row("first", kJointName, "The revolute joint of the first pulley.").required(),
           row("second", kJointName, "The revolute joint of the second pulley.").required(),
           quantity("radius_1", dimensions::kLength, "Radius of the first pulley.").within(kPositive).required(),
           quantity("radius_2", dimensions::kLength, "Radius of the second pulley.").within(kPositive).required(),
           row("crossed", kBool, "The belt crosses itself: the pulleys turn against each other.").by_default("false"),
       })},
      {"coupling.differential", "couplings.NAME, type: differential",
       "A differential of bevel gears. Position: `q_left + q_right - 2 q_ring`.",
       with_model({
           row("ring", kJointName, "The revolute joint of the ring with the bevel gears.").required(),
           row("left", kJointName, "The revolute joint of one shaft.").required(),
           row("right", kJointName, "The revolute joint of the other shaft.").required(),
       })},
      {"coupling.clutch", "couplings.NAME, type: clutch",
       "A dog clutch or spline between two shafts on one axis. Position: `q_second - q_first`, or the coordinate of "
       "the "
       "one joint that connects them.",
       with_model({
           row("first", kJointName, "The revolute joint of a shaft, or the joint that connects the two.").required(),
           row("second", kJointName, "The revolute joint of the other shaft.").otherwise("the one joint"),
       })},
      {"coupling.coupler", "couplings.NAME, type: coupler",
       "Any linear relation of joint coordinates. Position: `offset` and the sum of all `factor q`. It is an angle if "
       "all "
       "coordinates are, and otherwise a length.",
       with_model({
           block("joints", kNamedBlocks, "coupling_term", "The joints by their names, each with its factor.")
               .required(),
       })},
      {"coupling_term",
       "couplings.NAME.joints.JOINT",
       "A joint of a coupler.",
       {
           row("factor", kQuantity, "What the coordinate counts; per rad where an angle adds to a length.")
               .in("1, or m (an angle that adds to a length)")
               .required(),
           row("coordinate", kInteger, "Which coordinate: 2 is the angle of a cylindrical joint.")
               .within({.min = 1, .max = 7})
               .by_default("1"),
       }},
  };
}

}  // namespace

std::vector<BlockTable> coupling_block_tables() {
  std::vector<BlockTable> tables = {gear_table()};
  for (BlockTable& table : other_tables()) tables.push_back(std::move(table));
  return tables;
}

}  // namespace freeplay::io

// Rows of the field table: contacts and their laws.
#include "freeplay/contact/laws/restitution_damping.h"
#include "freeplay/io/fields/field_rows.h"

namespace freeplay::io {

namespace {

using field_rows::block;
using field_rows::kNotNegative;
using field_rows::kPositive;
using field_rows::kZeroToOne;
using field_rows::number;
using field_rows::quantity;
using field_rows::row;
using field_rows::word;

std::vector<std::string> impact_laws() {
  return {"newton", "poisson"};
}
std::vector<std::string> tangential_laws() {
  return {"beitelschmidt", "glocker", "safe"};
}
std::vector<std::string> friction_laws() {
  return {"coulomb", "stribeck", "table"};
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

std::vector<std::string> bearings() {
  return {"short", "long", "dry"};
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
      number("friction", "Coulomb's coefficient; of `friction_law: stribeck` that of fast sliding.")
          .within(kNotNegative)
          .by_default("0"),
      word(
          "friction_law", &friction_laws,
          "How the coefficient depends on the sliding speed. A contact sticks up to the coefficient at rest. Keys that "
          "a law does not use are ignored.")
          .by_default("coulomb"),
      number("static_friction", "Of `stribeck`: the coefficient at rest, not less than `friction`.")
          .within(kNotNegative),
      quantity("stribeck_speed", dimensions::kVelocity,
               "Of `stribeck`: speed at which a third (1/e) of the difference is left.")
          .within(kPositive)
          .by_default("10 mm/s"),
      number("stribeck_exponent", "Of `stribeck`: the exponent d in `exp(-(v/stribeck_speed)^d)`.")
          .within({.min = 0.1, .max = 20})
          .by_default("2"),
      quantity("viscous_friction", dimensions::kNone / dimensions::kVelocity,
               "Of `stribeck`: what every m/s of sliding adds to the coefficient.")
          .within(kNotNegative)
          .by_default("0"),
      row("friction_table", FieldKind::kCurve, dimensions::kVelocity,
          "Of `table`: sliding speeds, from 0 on and increasing, each with its coefficient; straight in between and "
          "constant beyond the last one."),
      block("force", FieldKind::kBlock, "contact_force", "Force law of smooth integrators.")
          .otherwise("these integrators refuse the model"),
      block("wear", FieldKind::kBlock, "contact_wear", "How much the surfaces wear, under every integrator.")
          .otherwise("nothing is told of wear"),
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

BlockTable contact_wear_table() {
  const Dimension per_pressure = dimensions::kNone / dimensions::kPressure;
  return {
      "contact_wear",
      "wear, in a contact",
      "Archard's law: a surface loses the volume `coefficient` times normal force times way of sliding. The shapes "
      "stay what they are during the run. Give `coefficient`, or `archard` and `hardness`.",
      {
          quantity("coefficient", per_pressure,
                   "Volume lost per force and way, k = K/H, of both surfaces: `1e-13/Pa`, or in `mm^3/N/m`.")
              .within(kNotNegative)
              .otherwise("`archard / hardness`"),
          quantity("coefficient_b", per_pressure, "The same of the second partner, or of the parent of a joint.")
              .within(kNotNegative)
              .otherwise("`coefficient`"),
          number("archard", "Archard's coefficient K, a number without unit.").within(kNotNegative),
          quantity("hardness", dimensions::kPressure, "Hardness H of both surfaces.").within(kPositive),
          quantity("hardness_b", dimensions::kPressure, "Hardness of the second partner, or of the parent of a joint.")
              .within(kPositive)
              .otherwise("`hardness`"),
          quantity("length", dimensions::kLength,
                   "Length of the worn surfaces across the plane. Required by planar revolute and prismatic joints "
                   "with play, whose depths are told.")
              .within(kPositive),
          row("sectors", FieldKind::kInteger, "Planar revolute: sectors of the journal and of its bore.")
              .within({.min = 1, .max = 3600})
              .by_default("72"),
          quantity("cell", dimensions::kLength,
                   "Planar prismatic: length of a cell along the guide. It doubles whenever more than 512 would be "
                   "needed.")
              .within(kPositive)
              .otherwise("a fiftieth of the block's `length`"),
      }};
}

// Pairs of groups have the law of an impact only.
std::vector<Field> group_law_fields(bool is_required) {
  std::vector<Field> fields;
  for (Field field : law_fields()) {
    if (field.key == "force" || field.key == "wear") continue;
    if (field.key == "impact") field = field.otherwise("").by_default("newton");
    if (field.key == "restitution" && !is_required) {
      field.is_required = false;
      field = field.otherwise("every two materials have their law");
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::vector<BlockTable> material_block_tables() {
  const char* names =
      "`ball.skin`, or `ball` for all shapes of a body or of all copies of one; `ground.wall*` for every shape whose "
      "name begins so.";
  std::vector<Field> group_fields = {
      row("members", FieldKind::kMembers, names).required(),
      row("against", FieldKind::kMembers,
          "Shapes that all members may touch, but not each other, named likewise: `ground`.")
          .otherwise("members touch each other only"),
  };
  for (const Field& field : group_law_fields(false)) group_fields.push_back(field);
  return {
      {"material",
       "materials.NAME",
       "What bodies and shapes are made of.",
       {
           quantity("density", dimensions::kDensity, "Of bodies with `inertia: from-shape` that give no other.")
               .within(kPositive),
           block("with", FieldKind::kNamedBlocks, "material_pair",
                 "What it does against other materials, by their names, and against itself. Each two are listed once, "
                 "with either of them."),
       }},
      {"material_pair", "materials.NAME.with.OTHER", "The law of contacts between two materials.",
       group_law_fields(true)},
      {"group", "groups.NAME",
       "Shapes of different bodies that may all touch each other. Their pairs have no names and no channels of their "
       "own; the group has the number of points that carry a load, `NAME.contacts`, the sum of their normal forces, "
       "`NAME.normal_force`, and the largest depth, `NAME.penetration`. One law for all pairs is given here; without "
       "one, every two materials have theirs.",
       group_fields},
  };
}

BlockTable lubricant_block_table() {
  return {
      "joint_lubricant",
      "joints.NAME.lubricant",
      "A film of oil between journal and bore, by Reynolds' equation (half Sommerfeld). The contact law takes over "
      "where the film is used up.",
      {
          quantity("viscosity", dimensions::kPressure * dimensions::kTime, "Dynamic viscosity: `40 mPa s`.")
              .required()
              .within(kPositive),
          quantity("length", dimensions::kLength, "Length of the bearing along its axis.").required().within(kPositive),
          word("bearing", &bearings,
               "Oil leaves along the axis (`short`, up to a length of about half the diameter) or along the "
               "circumference (`long`, from about twice the diameter on); `dry`: no film, so that one word "
               "compares.")
              .by_default("short"),
          quantity("roughness", dimensions::kLength,
                   "The thinnest film. Thinner ones keep its coefficients, and within a penetration of this size "
                   "the film ends.")
              .within(kPositive)
              .otherwise("a hundredth of the clearance"),
      }};
}

}  // namespace

std::vector<BlockTable> contact_block_tables() {
  std::vector<Field> contact_fields = {
      row("between", FieldKind::kShapeNames,
          "The two shapes: `[ball.skin, ground.floor]`. `wheel.tooth*` is every shape of the body whose name begins "
          "so; the contact is then one for each, `NAME_1`, `NAME_2`, ...")
          .required(),
      row("points", FieldKind::kInteger,
          "How many contacts of two contours, of two surfaces, or with a mesh, are told apart: they are the points "
          "`NAME_1`, `NAME_2`, ...")
          .within({.min = 1, .max = 32})
          .otherwise("1 to 8, by the shapes; 16 with a mesh"),
      block("pattern", FieldKind::kBlock, "contact_pattern",
            "Contacts one by one, `NAME_1`, `NAME_2`, ...: a `#` in `between` stands for the number of each.")
          .otherwise("one contact, or each with each of the shapes that `*` names"),
  };
  for (const Field& field : law_fields()) contact_fields.push_back(field);
  std::vector<BlockTable> tables = {
      {"contact", "contacts.NAME",
       "Two shapes of different bodies that may touch. At least one of `impact` and `force`; an integrator takes the "
       "part it needs.",
       contact_fields},
      {"contact_pattern",
       "contacts.NAME.pattern",
       "Contacts between shapes or bodies that are numbered alike: the first pin with the first slot, and so on.",
       {row("count", FieldKind::kInteger, "How many there are.").required().within({.min = 2, .max = 1000}),
        row("offset", FieldKind::kInteger,
            "The number in the second name is that in the first one plus this; behind the last one follows the first.")
            .within({.min = -1000, .max = 1000})
            .by_default("0")}},
      {"contact_law", "joints.NAME.contact",
       "The law of a joint with play. At least one of `impact` and `force`; an integrator takes the part it needs.",
       law_fields()},
      contact_force_table(),
      contact_wear_table(),
      lubricant_block_table(),
  };
  for (BlockTable& table : material_block_tables()) tables.push_back(std::move(table));
  return tables;
}

}  // namespace freeplay::io

// Rows of the field table: stops of joints, and friction by their load.
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

// A stop has no radii, which laws of cylinders ask for.
std::vector<std::string> force_laws_of_stops() {
  std::vector<std::string> names;
  for (const std::string& name : force_law_names()) {
    if (find_force_law(name)->elastic != ForceLawEntry::Elastic::kCylinder) names.push_back(name);
  }
  return names;
}

BlockTable joint_stops_block_table() {
  using enum FieldKind;
  return {
      "joint_stops",
      "joints.NAME.stops",
      "The coordinate `q` stays between two bounds; it meets them in impacts, or under a force law. At least one of "
      "`lower` and `upper`.",
      {
          row("lower", kCoordinates,
              "Smallest value of the coordinate; of a cylindrical joint along its axis, or a list of that and of the "
              "angle about it, with `none` where there is no bound.")
              .in("rad or m")
              .otherwise("no bound"),
          row("upper", kCoordinates, "Largest value of the coordinate, greater than `lower`; the same.")
              .in("rad or m")
              .otherwise("no bound"),
          number("restitution", "Coefficient of restitution of the impacts.").within(kZeroToOne).by_default("0"),
          block("force", kBlock, "stop_force", "Force law of both stops, for smooth integrators.")
              .otherwise("these integrators refuse the model"),
      }};
}

BlockTable stop_force_block_table() {
  using enum FieldKind;
  return {
      "stop_force",
      "joints.NAME.stops.force",
      "A compliant stop: F = stiffness delta^exponent, with the damping of the law, where delta is how far the "
      "coordinate is beyond its bound. Where the joint turns, F is a moment and delta an angle.",
      {
          word("law", &force_laws_of_stops, "The force law; see `freeplay list laws`.").required(),
          number("exponent", "Exponent of delta.")
              .within({.min = 1, .max = 10})
              .otherwise("1 for `kelvin-voigt`, 1.5 for the others"),
          row("stiffness", kQuantity, "Stiffness of the stop.").in("N/m^exponent or N m").within(kPositive).required(),
          row("damping", kQuantity, "Damping of the `kelvin-voigt` law.")
              .in("N s/m or N m s")
              .within(kNotNegative)
              .otherwise("from the restitution"),
      }};
}

BlockTable joint_friction_block_table() {
  return {"joint_friction",
          "joints.NAME.friction",
          "Friction by what the joint carries, ideal or as a bushing: a moment of up to mu pin_radius |F| in a "
          "revolute joint, F the reaction "
          "across its axis; a force of up to mu |N| in a prismatic one, N the reaction across its guide, or mu (|N1| + "
          "|N2|) with the forces at both ends of a block of the given length.",
          {
              number("mu", "Coulomb's coefficient.").within(kNotNegative).required(),
              quantity("pin_radius", dimensions::kLength, "Radius of the pin, at which friction acts.")
                  .within(kPositive)
                  .otherwise("an error of a revolute joint"),
              quantity("length", dimensions::kLength,
                       "Of a block in its guide, with the joint's point on the child in its middle: its two ends bear "
                       "the moment of the reaction.")
                  .within(kPositive)
                  .otherwise("moments cause no friction"),
          }};
}

}  // namespace

std::vector<BlockTable> joint_law_block_tables() {
  return {joint_stops_block_table(), stop_force_block_table(), joint_friction_block_table()};
}

}  // namespace freeplay::io

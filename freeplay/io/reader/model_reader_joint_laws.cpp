// What acts along the coordinate of a joint: `dry_friction`, `friction`, `stops`.
#include <fmt/format.h>

#include "freeplay/io/reader/model_reader.h"
#include "freeplay/mechanism/description/joint_table.h"

namespace freeplay::io {

namespace {

// Friction by load of a joint that moves in several ways at once is that of the contacts in its play.
std::string cure_for_more_motions(const std::string& key, const std::string& type) {
  const bool can_have_play = type == "cylindrical" || type == "spherical" || type == "pin_in_slot";
  if (key == "friction" && can_have_play)
    return fmt::format(
        "use 'model: clearance' with 'friction' in its contact, which acts along every motion of a {} joint, or a "
        "revolute or prismatic joint",
        type);
  return fmt::format("delete '{}', or use a revolute or prismatic joint", key);
}

}  // namespace

void ModelReader::read_joint_laws(BlockReader& block, const std::string& model, JointSpec& joint) {
  const std::optional<JointCoordinates> coordinates = joint_coordinates(joint.type, space());
  bool is_possible = coordinates.has_value();  // an unknown type has been reported
  for (const char* key : {"dry_friction", "friction", "friction_velocity", "stops"}) {
    if (block.entry(key) == nullptr || !coordinates) continue;
    if (coordinates->u == 1) continue;
    block.report(key,
                 fmt::format("needs a joint with exactly one degree of freedom, but a {} joint has {}", joint.type,
                             coordinates->u),
                 cure_for_more_motions(key, joint.type));
    is_possible = false;
  }
  if (!is_possible) return;
  const Dimension coordinate = joint_coordinate_dimension(joint.type, space(), 0);
  const bool slides = coordinate == dimensions::kLength;
  JointLawSpec law;
  law.joint = joint.name;
  joint.dry_friction =
      block.optional_quantity("dry_friction", slides ? dimensions::kForce : dimensions::kTorque).value_or(0);
  law.friction_velocity = block.optional_quantity("friction_velocity", joint_rate_dimension(joint.type, space(), 0));
  if (std::optional<BlockReader> friction = block.block("friction")) {
    law.friction = read_joint_friction(*friction, slides);
    // So that one word changes the model: the contact of a joint with play has a friction of its own, and a bushing is
    // held by elastic forces and does not rub.
    if (model != "ideal") law.friction.reset();
  }
  if (std::optional<BlockReader> stops = block.block("stops")) joint.stops = read_stops(*stops, coordinate, law);
  if (law.stop_force || law.friction || law.friction_velocity) model_.joint_laws.push_back(std::move(law));
}

std::optional<JointStopsSpec> ModelReader::read_stops(BlockReader& block, Dimension coordinate, JointLawSpec& law) {
  JointStopsSpec stops;
  stops.lower = block.optional_quantity("lower", coordinate);
  stops.upper = block.optional_quantity("upper", coordinate);
  stops.restitution = block.quantity("restitution");
  if (std::optional<BlockReader> force = block.block("force")) law.stop_force = read_stop_force(*force, coordinate);
  block.check_all_keys_were_read();
  if (!block.ok()) return std::nullopt;
  const std::string_view unit = coordinate == dimensions::kLength ? "m" : "rad";
  if (!stops.lower && !stops.upper) {
    values_.report(block.at(), block.path(), "has neither a lower nor an upper bound",
                   fmt::format("add 'lower: -1 {0}', 'upper: 1 {0}' or both", unit));
  } else if (stops.lower && stops.upper && !(*stops.lower < *stops.upper)) {
    block.report(
        "lower",
        fmt::format("must be less than upper ({:.6g} {}), but is {:.6g} {}", *stops.upper, unit, *stops.lower, unit),
        *stops.lower > *stops.upper ? "exchange the two" : "leave room between them, or use a fixed joint");
  }
  return stops;
}

ContactForceSpec ModelReader::read_stop_force(BlockReader& block, Dimension coordinate) {
  ContactForceSpec force;
  force.law = block.word("law");
  force.exponent = block.optional_quantity("exponent");
  const bool slides = coordinate == dimensions::kLength;
  const double exponent = force.exponent.value_or(force.law == "kelvin-voigt" ? 1 : 1.5);
  const std::optional<Dimension> power = coordinate.power(exponent);
  if (!power) {
    block.report("exponent", fmt::format("the exponent {:.6g} is not a simple fraction", exponent),
                 "use 1, 1.5, or another multiple of 1/12");
  }
  const Dimension effort = slides ? dimensions::kForce : dimensions::kTorque;
  force.stiffness_N_mn = block.optional_quantity("stiffness", effort / power.value_or(coordinate));
  force.damping_Ns_m =
      block.optional_quantity("damping", effort / (slides ? dimensions::kVelocity : dimensions::kAngularVelocity));
  block.check_all_keys_were_read();
  return force;
}

JointFrictionSpec ModelReader::read_joint_friction(BlockReader& block, bool slides) {
  JointFrictionSpec friction;
  friction.friction = block.quantity("mu");
  friction.pin_radius_m = block.optional_quantity("pin_radius");
  friction.length_m = block.optional_quantity("length");
  block.check_all_keys_were_read();
  if (slides && block.has("pin_radius")) {
    block.report("pin_radius", "a joint that slides has no pin", "delete it");
  } else if (!slides && block.has("length")) {
    block.report("length", "is that of a block in its guide, and this joint turns", "delete it");
  } else if (!slides && !block.has("pin_radius")) {
    values_.report(block.at(), block.path(), "friction acts at the surface of the pin, whose radius is not given",
                   "add 'pin_radius: 10 mm'");
  }
  return friction;
}

}  // namespace freeplay::io

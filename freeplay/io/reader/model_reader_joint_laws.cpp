// What acts along the coordinate of a joint: `dry_friction`, `friction`, `stops`.
#include <fmt/format.h>

#include <algorithm>
#include <array>

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

// One value is that of the first coordinate; a list has one for each, and `none` where there is none.
std::array<std::optional<double>, 2> first_two(BlockReader& block, const char* key,
                                               const std::vector<Dimension>& dimensions) {
  const YamlEntry* entry = block.entry(key);
  const bool is_list = entry != nullptr && entry->value.kind == YamlNode::Kind::kList;
  const auto values = block.coordinates(key, is_list ? dimensions : std::vector<Dimension>{dimensions.front()});
  std::array<std::optional<double>, 2> result;
  for (std::size_t k = 0; k < std::min<std::size_t>(2, values.size()); ++k) result[k] = values[k];
  return result;
}

void check_order(BlockReader& block, double lower, double upper, Dimension coordinate) {
  if (lower < upper) return;
  const std::string_view unit = coordinate == dimensions::kLength ? "m" : "rad";
  block.report("lower", fmt::format("must be less than upper ({:.6g} {}), but is {:.6g} {}", upper, unit, lower, unit),
               lower > upper ? "exchange the two" : "leave room between them, or use a fixed joint");
}

}  // namespace

void ModelReader::read_joint_laws(BlockReader& block, const std::string& model, JointSpec& joint) {
  const std::optional<JointCoordinates> count = joint_coordinates(joint.type, space());
  bool is_possible = count.has_value();  // an unknown type has been reported
  for (const char* key : {"dry_friction", "friction", "friction_velocity", "stops"}) {
    if (block.entry(key) == nullptr || !count || count->u == 1) continue;
    if (joint.type == "cylindrical" && std::string_view(key) != "friction") continue;
    block.report(
        key,
        fmt::format("needs a joint with exactly one degree of freedom, but a {} joint has {}", joint.type, count->u),
        cure_for_more_motions(key, joint.type));
    is_possible = false;
  }
  if (!is_possible || count->u == 0) return;
  std::vector<Dimension> coordinates, efforts, rates;
  for (int k = 0; k < count->u; ++k) {
    coordinates.push_back(joint_coordinate_dimension(joint.type, space(), k));
    efforts.push_back(coordinates.back() == dimensions::kLength ? dimensions::kForce : dimensions::kTorque);
    rates.push_back(joint_rate_dimension(joint.type, space(), k));
  }
  JointLawSpec law;
  law.joint = joint.name;
  const auto dry = first_two(block, "dry_friction", efforts), velocity = first_two(block, "friction_velocity", rates);
  joint.dry_friction = dry[0].value_or(0);
  joint.second_dry_friction = dry[1].value_or(0);
  law.friction_velocity = velocity[0];
  law.second_friction_velocity = velocity[1];
  if (std::optional<BlockReader> friction = block.block("friction")) {
    law.friction = read_joint_friction(*friction, coordinates[0] == dimensions::kLength);
    // So that one word changes the model: the contact of a joint with play has a friction of its own.
    if (model == "clearance") law.friction.reset();
  }
  if (std::optional<BlockReader> stops = block.block("stops")) read_stops(*stops, coordinates, joint, law);
  if (law.stop_force || law.friction || law.friction_velocity || law.second_friction_velocity)
    law_of_joint(joint.name) = std::move(law);
}

// What acts along a joint beside its description: the same for all who ask.
JointLawSpec& ModelReader::law_of_joint(const std::string& joint) {
  for (JointLawSpec& law : model_.joint_laws) {
    if (law.joint == joint) return law;
  }
  JointLawSpec& law = model_.joint_laws.emplace_back();
  law.joint = joint;
  return law;
}

void ModelReader::read_stops(BlockReader& block, const std::vector<Dimension>& coordinates, JointSpec& joint,
                             JointLawSpec& law) {
  const auto lower = first_two(block, "lower", coordinates), upper = first_two(block, "upper", coordinates);
  const double restitution = block.quantity("restitution");
  std::optional<JointStopsSpec> stops[2];
  for (std::size_t k = 0; k < 2; ++k) {
    if (lower[k] || upper[k]) stops[k] = JointStopsSpec{lower[k], upper[k], restitution};
  }
  const std::size_t first = stops[0] ? 0 : std::min<std::size_t>(1, coordinates.size() - 1);
  if (std::optional<BlockReader> force = block.block("force")) {
    law.stop_force = read_stop_force(*force, coordinates[first]);
    if (stops[0] && stops[1])
      block.report("force", "stops along the axis and about it have stiffnesses in different units",
                   "give 'lower' and 'upper' of one of them only, or use an integrator that takes impacts");
  }
  block.check_all_keys_were_read();
  if (!block.ok()) return;
  const std::string_view unit = coordinates[first] == dimensions::kLength ? "m" : "rad";
  if (!stops[0] && !stops[1]) {
    values_.report(block.at(), block.path(), "has neither a lower nor an upper bound",
                   fmt::format("add 'lower: -1 {0}', 'upper: 1 {0}' or both", unit));
  }
  for (std::size_t k = 0; k < 2; ++k) {
    if (lower[k] && upper[k]) check_order(block, *lower[k], *upper[k], coordinates[k]);
  }
  joint.stops = stops[0];
  joint.second_stops = stops[1];
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

// The blocks `forces` and `drivers`.
#include <fmt/format.h>

#include <algorithm>

#include "freeplay/io/model/model_reader.h"

namespace freeplay::io {

void ModelReader::read_forces(const YamlEntry* forces) {
  for (const YamlEntry* entry : named_entries(values_, forces, "forces")) read_force(*entry);
}

void ModelReader::read_force(const YamlEntry& entry) {
  const std::string path = "forces." + entry.key;
  claim_name(entry, path, "force");
  const BlockTable* table = table_of_type(entry, path, "force", block_types("force"), space());
  if (table == nullptr) return;
  BlockReader block(values_, space(), entry.value, entry.key_at, path, *table);
  const std::string type = block.word("type");
  if (type == "spring") {
    SpringSpec spring;
    spring.name = entry.key;
    spring.parent = block.reference("parent", body_names_);
    spring.child = block.reference("child", body_names_);
    spring.at_parent_m = block.vector("at_parent");
    spring.at_child_m = block.vector("at_child");
    spring.stiffness_N_m = block.quantity("stiffness");
    spring.damping_Ns_m = block.quantity("damping");
    spring.preload_N = block.quantity("preload");
    spring.free_length_m = block.optional_quantity("free_length");
    if (!spring.parent.empty() && spring.parent == spring.child) {
      block.report("child", fmt::format("the spring connects '{}' with itself", spring.child),
                   "name two different bodies");
    }
    model_.mechanism.springs.push_back(std::move(spring));
  } else if (type == "torsional_spring") {
    TorsionalSpringSpec spring;
    spring.name = entry.key;
    const JointSpec* joint = acted_joint(block, "on");
    if (joint != nullptr) {
      spring.joint = joint->name;
      if (joint->type != "revolute") {
        block.report("on",
                     fmt::format("'{}' is a {} joint, but a torsional spring acts on a revolute joint", joint->name,
                                 joint->type),
                     "use 'type: spring' between two points");
      }
    }
    spring.stiffness_Nm_rad = block.quantity("stiffness");
    spring.damping_Nms_rad = block.quantity("damping");
    spring.preload_Nm = block.quantity("preload");
    spring.free_angle = block.quantity("free_angle");
    model_.mechanism.torsional_springs.push_back(std::move(spring));
  } else {
    AppliedLoadSpec load;
    load.name = entry.key;
    load.kind = type == "torque" ? AppliedLoadSpec::Kind::kTorque : AppliedLoadSpec::Kind::kForce;
    load.body = block.reference("on", body_names_);
    load.at_m = block.vector("at");
    load.value = block.expressions("value");
    load.in_body_axes = block.word("frame") == "body";
    model_.mechanism.loads.push_back(std::move(load));
  }
  block.check_all_keys_were_read();
}

const JointSpec* ModelReader::acted_joint(BlockReader& block, std::string_view key) {
  const std::string name = block.reference(key, joint_names_);
  return name.empty() ? nullptr : find_joint(name);
}

const JointSpec* ModelReader::find_joint(const std::string& name) const {
  for (const std::vector<JointSpec>* joints : {&model_.mechanism.joints, &model_.mechanism.joints_with_play}) {
    const auto is_it = [&](const JointSpec& joint) { return joint.name == name; };
    const auto found = std::find_if(joints->begin(), joints->end(), is_it);
    if (found != joints->end() && !found->type.empty()) return &*found;
  }
  return nullptr;
}

void ModelReader::read_drivers(const YamlEntry* drivers) {
  for (const YamlEntry* entry : named_entries(values_, drivers, "drivers")) read_driver(*entry);
}

void ModelReader::read_driver(const YamlEntry& entry) {
  const std::string path = "drivers." + entry.key;
  claim_name(entry, path, "driver");
  BlockReader block(values_, space(), entry.value, entry.key_at, path, block_table("driver"));
  DriverSpec driver;
  driver.name = entry.key;
  const JointSpec* joint = acted_joint(block, "on");
  std::vector<std::string> given;
  for (const char* key : {"motion", "torque", "force"}) {
    if (block.has(key)) given.emplace_back(key);
  }
  if (given.size() != 1) {
    values_.report(block.at(), path, given.empty() ? "does nothing" : "has more than one of motion, torque and force",
                   "give exactly one: 'motion: 10 deg * sin(2*pi*1Hz*t)', 'torque: 5 N m' or 'force: 5 N'");
  }
  if (joint == nullptr || given.size() != 1) return;
  driver.joint = joint->name;
  const std::optional<JointCoordinates> coordinates = joint_coordinates(joint->type, space());
  if (coordinates->u != 1) {
    block.report("on",
                 fmt::format("'{}' has {} degrees of freedom, but a driver moves one", joint->name, coordinates->u),
                 "drive a revolute or prismatic joint");
    return;
  }
  const Dimension coordinate = joint_coordinate_dimension(joint->type, space(), 0);
  const bool turns = coordinate == dimensions::kAngle;
  if (given.front() == "motion") {
    driver.motion = block.expression("motion", Dependence::kTime, coordinate);
  } else if (given.front() == (turns ? "torque" : "force")) {
    driver.effort = block.expression(given.front(), Dependence::kTimeAndState);
  } else {
    block.report(given.front(),
                 fmt::format("'{}' is a {} joint, which is driven by a {}", joint->name, joint->type,
                             turns ? "torque" : "force"),
                 fmt::format("write '{}: ...'", turns ? "torque" : "force"));
    return;
  }
  block.check_all_keys_were_read();
  model_.mechanism.drivers.push_back(std::move(driver));
}

}  // namespace freeplay::io

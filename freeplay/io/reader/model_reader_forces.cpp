// The block `forces`.
#include <fmt/format.h>

#include <algorithm>

#include "freeplay/io/reader/model_reader.h"

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

}  // namespace freeplay::io

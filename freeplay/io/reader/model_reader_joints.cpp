// The block `joints`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/io/reader/model_reader.h"
#include "freeplay/mechanism/description/joint_table.h"

namespace freeplay::io {

void ModelReader::read_joints(const YamlEntry* joints) {
  const std::vector<const YamlEntry*> entries = named_entries(values_, joints, "joints");
  for (const YamlEntry* entry : entries) joint_names_.insert(entry->key);
  for (const YamlEntry* entry : entries) read_joint(*entry);
}

void ModelReader::read_joint(const YamlEntry& entry) {
  const std::string path = "joints." + entry.key;
  claim_name(entry, path, "joint");
  BlockReader block(values_, space(), entry.value, entry.key_at, path, block_table("joint"));
  JointSpec joint;
  joint.name = entry.key;
  joint.type = read_joint_type(block);
  joint.parent = block.reference("parent", body_names_);
  joint.child = block.reference("child", body_names_);
  if (!joint.parent.empty() && joint.parent == joint.child) {
    block.report("child", fmt::format("'{}' is connected with itself", joint.child),
                 "parent and child must be two different bodies");
  }
  joint.at_parent_m = block.vector("at_parent");
  joint.at_child_m = block.vector("at_child");
  joint.axis = block.direction("axis");
  joint.second_axis = block.direction("second_axis");
  joint.rotation = block.rotation("rotation").value_or(Eigen::Quaterniond::Identity());
  const std::optional<double> slot_radius_m = block.optional_quantity("slot_radius");
  if (joint.type == "pin_in_slot") joint.slot_radius_m = slot_radius_m;
  const bool is_constraint = block.word("as") == "constraint";
  read_joint_initial(block, joint);
  const std::string model = block.word("model");
  joint.as_constraint = is_constraint && model == "ideal";  // so that one word changes the model
  const bool has_clearance = model == "clearance";
  if (has_clearance) joint.joints_before = model_.mechanism.joints.size();
  read_joint_laws(block, model, joint);
  read_play(block, joint, has_clearance);
  read_bushing(block, model == "bushing", joint);
  block.check_all_keys_were_read();
  std::vector<JointSpec>& joints = has_clearance ? model_.mechanism.joints_with_play : model_.mechanism.joints;
  joints.push_back(std::move(joint));
}

std::string ModelReader::read_joint_type(BlockReader& block) {
  std::string type = block.word("type");
  if (type.empty() || find_joint_type(type, space()) != nullptr) return type;
  block.report("type", fmt::format("a {} joint exists only in space", type),
               fmt::format("in the plane use {}; or write 'space: spatial'",
                           find_joint_type(type, Space::kSpatial)->in_the_plane));
  return "";
}

void ModelReader::read_joint_initial(BlockReader& block, JointSpec& joint) {
  std::optional<BlockReader> initial = block.block("initial");
  const std::optional<JointCoordinates> coordinates = joint_coordinates(joint.type, space());
  if (!coordinates) return;  // an unknown type has been reported
  std::vector<Dimension> q, u;
  for (int k = 0; k < coordinates->q; ++k) q.push_back(joint_coordinate_dimension(joint.type, space(), k));
  joint.guess_q = block.coordinates("guess", q);
  if (!initial) return;
  for (int k = 0; k < coordinates->u; ++k) u.push_back(joint_rate_dimension(joint.type, space(), k));
  joint.initial_q = initial->coordinates("q", q);
  joint.initial_u = initial->coordinates("u", u);
  check_quaternion(*initial, joint);
  initial->check_all_keys_were_read();
}

void ModelReader::check_quaternion(BlockReader& initial, JointSpec& joint) {
  std::size_t at = 0;  // of the coordinates that a motion takes
  for (const ElementaryMotion& motion : find_joint_type(joint.type, space())->motions) {
    const std::size_t count = static_cast<std::size_t>(motion.q_count());
    if (motion.kind == ElementaryMotion::Kind::kBall && initial.ok() && joint.initial_q.size() >= at + count) {
      Vec4 e;
      for (std::size_t i = 0; i < count; ++i) e[static_cast<Eigen::Index>(i)] = joint.initial_q[at + i].value();
      const std::optional<Eigen::Quaterniond> unit =
          initial.unit_quaternion("q", e, "divide it by that; [1, 0, 0, 0] is no rotation");
      if (!unit) return;
      const Vec4 components(unit->w(), unit->x(), unit->y(), unit->z());
      for (std::size_t i = 0; i < count; ++i) joint.initial_q[at + i] = components[static_cast<Eigen::Index>(i)];
    }
    at += count;
  }
}

}  // namespace freeplay::io

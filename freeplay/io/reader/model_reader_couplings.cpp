// The block `couplings`.
#include <fmt/format.h>

#include <numbers>

#include "freeplay/io/reader/model_reader.h"

namespace freeplay::io {

namespace {

using Model = CouplingSpec::Model;

constexpr double kEqualRatio = 1e-9;

Dimension dimension_of(const CouplingSpec& coupling) {
  return coupling.is_angle ? dimensions::kAngle : dimensions::kLength;
}

// The revolute joint that carries one wheel and stands beside the other; null if there is none.
const JointSpec* carrier_of(const ModelSpec& model, const JointSpec& first, const JointSpec& second) {
  const auto carries = [&](const JointSpec& joint) {
    const auto lies_between = [&](const JointSpec& carried, const JointSpec& other) {
      return joint.child == carried.parent && joint.parent == other.parent;
    };
    return joint.type == "revolute" && (lies_between(first, second) || lies_between(second, first));
  };
  for (const JointSpec& joint : model.mechanism.joints) {
    if (carries(joint)) return &joint;
  }
  for (const ClearanceJointSpec& play : model.clearance_joints) {
    if (carries(play.joint)) return &play.joint;
  }
  return nullptr;
}

// Two joints on one body: whether their axes are parallel, and how far they are apart. Of other pairs the model file
// alone does not tell.
struct AxesOfPair {
  bool are_known = false, are_parallel = false;
  double apart_m = 0;
};
AxesOfPair axes_of(const JointSpec* first, const JointSpec* second) {
  AxesOfPair axes;
  axes.are_known = first != nullptr && second != nullptr && first->parent == second->parent;
  if (!axes.are_known) return axes;
  constexpr double kSameDirection = 1e-6;  // of directions that are typed with a few digits
  const auto axis = [](const JointSpec& joint) { return joint.axis ? joint.axis->normalized() : Vec3::UnitZ(); };
  const Vec3 a = axis(*first), between = second->at_parent_m - first->at_parent_m;
  axes.are_parallel = a.cross(axis(*second)).norm() <= kSameDirection;
  axes.apart_m = (between - a.dot(between) * a).norm();
  return axes;
}

}  // namespace

// Expressions of forces may use the positions of couplings, and stiffnesses channels of forces: those are read last.
void ModelReader::read_couplings(const YamlEntry* couplings) {
  for (const YamlEntry* entry : named_entries(values_, couplings, "couplings")) read_coupling(*entry);
}

void ModelReader::read_coupling_stiffness(const YamlEntry* couplings) {
  if (couplings == nullptr) return;
  for (CouplingSpec& coupling : model_.mechanism.couplings) {
    const YamlEntry* entry = couplings->value.find(coupling.name);
    const YamlEntry* stiffness = entry == nullptr ? nullptr : entry->value.find("stiffness");
    if (stiffness == nullptr) continue;
    const Dimension dimension = coupling.is_angle ? dimensions::kTorsionalStiffness : dimensions::kStiffness;
    const std::optional<Expression> given = values_.expression(
        stiffness->value, "couplings." + coupling.name + ".stiffness", dimension, Dependence::kTimeAndState);
    if (given) coupling.stiffness = *given;
  }
}

void ModelReader::read_coupling(const YamlEntry& entry) {
  const std::string path = "couplings." + entry.key;
  claim_name(entry, path, "coupling");
  const BlockTable* table = table_of_type(entry, path, "coupling", block_types("coupling"), space());
  if (table == nullptr) return;
  BlockReader block(values_, space(), entry.value, entry.key_at, path, *table);
  const std::string type = block.word("type");
  CouplingSpec coupling;
  coupling.name = entry.key;
  if (type == "gear")
    read_gear(block, coupling);
  else if (type == "coupler")
    read_coupler(block, coupling);
  else
    read_pair(block, type, coupling);
  read_coupling_model(block, coupling);
  block.check_all_keys_were_read();
  model_.mechanism.couplings.push_back(std::move(coupling));
}

// The joint under `key` as a term, if it moves as the coupling needs it.
const JointSpec* ModelReader::add_term(BlockReader& block, std::string_view key, std::string_view joint_type,
                                       double factor, CouplingSpec& coupling) {
  const JointSpec* joint = acted_joint(block, key);
  if (joint == nullptr) return nullptr;
  if (joint->type != joint_type) {
    block.report(key,
                 fmt::format("'{}' is a {} joint, but this must be a {} one", joint->name, joint->type, joint_type),
                 fmt::format("name a {} joint", joint_type));
    return nullptr;
  }
  coupling.terms.push_back({joint->name, 0, factor});
  return joint;
}

void ModelReader::read_gear(BlockReader& block, CouplingSpec& coupling) {
  std::optional<double> ratio = block.optional_quantity("ratio");
  const int teeth_1 = block.integer("teeth_1"), teeth_2 = block.integer("teeth_2");
  if (block.has("teeth_1") != block.has("teeth_2")) {
    block.report(block.has("teeth_1") ? "teeth_1" : "teeth_2", "the other wheel has no number of teeth",
                 "give both `teeth_1` and `teeth_2`");
  } else if (block.has("teeth_1") && block.ok()) {
    const double by_teeth = static_cast<double>(teeth_2) / teeth_1;
    if (ratio && std::abs(*ratio - by_teeth) > kEqualRatio * by_teeth)
      block.report("ratio", fmt::format("is {:.9g}, but the teeth give {:.9g}", *ratio, by_teeth),
                   "delete one of them");
    ratio = by_teeth;
  } else if (!ratio && block.ok()) {
    values_.report(block.at(), block.path(), "the ratio is unknown", "add 'ratio: 2', or 'teeth_1' and 'teeth_2'");
  }
  const bool is_internal = block.boolean("internal");
  std::optional<double> radius_m = block.optional_quantity("pitch_radius");
  const std::optional<double> module_m = block.optional_quantity("module");
  if (module_m && !block.has("teeth_1"))
    block.report("module", "the numbers of teeth are unknown", "add 'teeth_1' and 'teeth_2', or use 'pitch_radius'");
  if (module_m && radius_m && std::abs(*module_m * teeth_1 / 2 - *radius_m) > kEqualRatio * *radius_m)
    block.report("pitch_radius",
                 fmt::format("is {:.9g} m, but module and teeth give {:.9g} m", *radius_m, *module_m * teeth_1 / 2),
                 "delete one of them");
  if (module_m) radius_m = *module_m * teeth_1 / 2;
  const std::optional<double> pressure_angle = block.optional_quantity("pressure_angle");
  if (pressure_angle && !radius_m && block.ok())
    block.report("pressure_angle", "teeth need a pitch radius", "add 'pitch_radius: 20 mm', or 'module' and teeth");
  coupling.is_angle = !radius_m;
  const double unit = radius_m.value_or(1), i = ratio.value_or(1);
  const JointSpec* first = add_term(block, "first", "revolute", unit, coupling);
  const JointSpec* second = add_term(block, "second", "revolute", (is_internal ? -1 : 1) * unit * i, coupling);
  if (first != nullptr && first == second) block.report("second", "is the first wheel again", "name two joints");
  block.entry("carrier");  // read below, if it can be
  if (first != nullptr && second != nullptr) {
    read_carrier(block, *first, *second, coupling);
    // With teeth, the geometry of the mesh is checked when the mechanism is built.
    const JointSpec* carrier = block.has("carrier") || pressure_angle ? nullptr : carrier_of(model_, *first, *second);
    if (carrier != nullptr)
      values_.report(block.at(), block.path(),
                     fmt::format("one of the two wheels is carried round by '{}', and the gear does not know of it",
                                 carrier->name),
                     fmt::format("add 'carrier: {}'", carrier->name));
  }
  if (pressure_angle) coupling.mesh = GearMeshSpec{unit, unit * i, *pressure_angle, is_internal};
}

// The wheel that does not hang on the carrier turns against it by less: its coordinate minus that of the carrier.
void ModelReader::read_carrier(BlockReader& block, const JointSpec& first, const JointSpec& second,
                               CouplingSpec& coupling) {
  if (!block.has("carrier")) return;
  const JointSpec* carrier = acted_joint(block, "carrier");
  if (carrier == nullptr) return;
  const auto stands_beside = [&](const JointSpec& wheel) { return wheel.parent == carrier->parent; };
  const auto is_carried = [&](const JointSpec& wheel) { return wheel.parent == carrier->child; };
  const bool is_first_carried = is_carried(first) && stands_beside(second);
  if (carrier->type != "revolute" || !(is_first_carried || (stands_beside(first) && is_carried(second)))) {
    block.report(
        "carrier",
        fmt::format("'{}' is no revolute joint that carries one wheel and stands beside the other", carrier->name),
        "one wheel hangs on the child of this joint, the other on its parent");
    return;
  }
  coupling.terms.push_back({carrier->name, 0, -coupling.terms[is_first_carried ? 1 : 0].factor});
}

// All types that couple given joints by fixed factors.
void ModelReader::read_pair(BlockReader& block, std::string_view type, CouplingSpec& coupling) {
  if (type == "rack") {
    const double radius_m = block.quantity("pitch_radius");
    add_term(block, "pinion", "revolute", radius_m, coupling);
    add_term(block, "rack", "prismatic", block.boolean("reverse") ? 1 : -1, coupling);
    const std::optional<double> pressure_angle = block.optional_quantity("pressure_angle");
    if (pressure_angle) coupling.mesh = GearMeshSpec{radius_m, 0, *pressure_angle, false};
  } else if (type == "screw") {
    const double lead_m = block.quantity("lead");
    if (lead_m == 0 && block.ok()) block.report("lead", "is zero", "give the way of one turn, such as '5 mm'");
    const double per_rad_m = lead_m / (2 * std::numbers::pi);
    const JointSpec* turn = acted_joint(block, "turn");
    block.entry("shift");  // need not be there
    if (turn != nullptr && turn->type == "cylindrical") {
      coupling.terms = {{turn->name, 1, per_rad_m}, {turn->name, 0, -1}};
      if (block.has("shift"))
        block.report("shift", fmt::format("'{}' is cylindrical and shifts by itself", turn->name), "delete 'shift'");
    } else if (!block.has("shift")) {
      if (turn != nullptr)
        values_.report(block.at(), block.path(), "the joint that shifts is missing",
                       "add 'shift: JOINT', a prismatic joint, or make 'turn' cylindrical");
    } else {
      add_term(block, "turn", "revolute", per_rad_m, coupling);
      add_term(block, "shift", "prismatic", -1, coupling);
    }
  } else if (type == "belt") {
    const JointSpec* first = add_term(block, "first", "revolute", block.quantity("radius_1"), coupling);
    const double radius_2_m = block.quantity("radius_2");
    const JointSpec* second =
        add_term(block, "second", "revolute", block.boolean("crossed") ? radius_2_m : -radius_2_m, coupling);
    if (const AxesOfPair axes = axes_of(first, second); axes.are_known && !axes.are_parallel)
      block.report("second", "its axis is not parallel to that of the first pulley: the belt would run off",
                   "give both joints the same 'axis'");
  } else if (type == "differential") {
    coupling.is_angle = true;
    add_term(block, "left", "revolute", 1, coupling);
    add_term(block, "right", "revolute", 1, coupling);
    add_term(block, "ring", "revolute", -2, coupling);
  } else {  // a clutch
    coupling.is_angle = true;
    const bool has_two = block.entry("second") != nullptr;
    const JointSpec* second = has_two ? add_term(block, "second", "revolute", 1, coupling) : nullptr;
    const JointSpec* first = add_term(block, "first", "revolute", has_two ? -1 : 1, coupling);
    constexpr double kSamePlace_m = 1e-6;
    if (const AxesOfPair axes = axes_of(first, second); axes.are_known && !axes.are_parallel)
      block.report("second", "its axis is not parallel to that of the first rotor", "give both joints the same 'axis'");
    else if (axes.are_known && axes.apart_m > kSamePlace_m)
      block.report("second", fmt::format("its axis is {:.3g} mm away from that of the first rotor", 1e3 * axes.apart_m),
                   "a clutch couples rotors on one axis: give both joints the same place, or use a gear or a belt");
  }
}

void ModelReader::read_coupler(BlockReader& block, CouplingSpec& coupling) {
  struct Part {
    const JointSpec* joint;
    BlockReader block;
    int coordinate;
    bool is_angle;
  };
  std::vector<Part> parts;
  coupling.is_angle = true;
  for (const YamlEntry* entry : named_entries(values_, block.entry("joints"), block.path("joints"))) {
    const std::string path = block.path("joints") + "." + entry->key;
    BlockReader term(values_, space(), entry->value, entry->key_at, path, block_table("coupling_term"));
    const int coordinate = term.integer("coordinate");
    const JointSpec* joint = find_joint(entry->key);
    if (joint == nullptr) {
      if (!joint_names_.contains(entry->key))
        values_.report_unknown(entry->key_at, path, "there is no joint", entry->key,
                               [this] { return std::vector<std::string>(joint_names_.begin(), joint_names_.end()); });
      continue;
    }
    const std::optional<JointCoordinates> count = joint_coordinates(joint->type, space());
    if (coordinate > count->q) {
      term.report("coordinate", fmt::format("'{}' is a {} joint and has {}", joint->name, joint->type, count->q),
                  "give a smaller number");
      continue;
    }
    const bool is_angle = joint_coordinate_dimension(joint->type, space(), coordinate - 1) == dimensions::kAngle;
    coupling.is_angle = coupling.is_angle && is_angle;
    parts.push_back({joint, term, coordinate - 1, is_angle});
  }
  for (Part& part : parts) {
    const bool converts = part.is_angle && !coupling.is_angle;
    const double factor =
        part.block.optional_quantity("factor", converts ? dimensions::kLength : dimensions::kNone).value_or(0);
    if (factor == 0 && part.block.ok()) part.block.report("factor", "is zero", "leave the joint out, or give a factor");
    part.block.check_all_keys_were_read();
    coupling.terms.push_back({part.joint->name, part.coordinate, factor});
  }
  if (parts.empty() && block.ok())
    block.report("joints", "names no joint", "write 'joints: {a: {factor: 1}, b: {factor: -2}}'");
}

void ModelReader::read_coupling_model(BlockReader& block, CouplingSpec& coupling) {
  const std::string model = block.word("model");
  coupling.model = model == "backlash" ? Model::kBacklash : model == "compliant" ? Model::kCompliant : Model::kIdeal;
  coupling.offset = block.optional_quantity("offset", dimension_of(coupling)).value_or(0);
  const Dimension damping = coupling.is_angle ? dimensions::kTorsionalDamping : dimensions::kDamping;
  coupling.damping = block.optional_quantity("damping", damping).value_or(0);
  const std::optional<double> backlash = block.optional_quantity("backlash", dimension_of(coupling)),
                              as_angle = block.optional_quantity("angular_backlash");
  block.entry("stiffness");
  if (backlash && as_angle) block.report("angular_backlash", "the play is given twice", "delete one of the two");
  if (as_angle && block.word("type") == "coupler" && !coupling.is_angle)
    block.report("angular_backlash", "the position is a length", "give the play as a length, 'backlash: 0.1 mm'");
  if (as_angle && !coupling.terms.empty()) coupling.play = *as_angle * std::abs(coupling.terms.front().factor);
  if (backlash) coupling.play = *backlash;
  std::optional<BlockReader> contact = block.block("contact");
  std::optional<ContactLawSpec> law;
  if (contact) {
    law = read_law(*contact);
    contact->check_all_keys_were_read();
  }
  if (coupling.model == Model::kIdeal) coupling.play = 0;
  if (!block.ok()) return;
  const auto need = [&](bool is_there, const char* what, const char* cure) {
    if (!is_there) values_.report(block.at(), block.path(), fmt::format("'model: {}' needs {}", model, what), cure);
  };
  if (coupling.model == Model::kCompliant)
    need(block.has("stiffness"), "a stiffness",
         coupling.is_angle ? "add 'stiffness: 1e4 N m/rad'" : "add 'stiffness: 1e8 N/m'");
  if (coupling.model != Model::kBacklash) return;
  need(coupling.play > 0 || coupling.mesh, "a backlash greater than 0",
       coupling.is_angle ? "add 'backlash: 0.1 deg'" : "add 'backlash: 0.1 mm'");
  need(law.has_value(), "a contact law", "add 'contact: {impact: newton, restitution: 0.5}'");
  if (law) model_.backlashes.push_back({coupling.name, *law});
}

}  // namespace freeplay::io

// Springs, bushings, loads and drivers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/mechanism/building/mechanism_builder.h"

namespace freeplay::mechanism {

namespace {

// Of a motion that depends on the time alone; of any other one, zero.
TimeJet jet_at_start(const Expression& motion) {
  const std::vector<int>& variables = motion.variables();
  const bool is_of_time =
      std::all_of(variables.begin(), variables.end(), [](int v) { return v == Expression::kTimeVariable; });
  const double t = 0;
  return is_of_time ? motion.evaluate_jet({&t, 1}) : TimeJet{};
}

}  // namespace

void MechanismBuilder::add_forces() {
  for (const SpringSpec& spec : spec_.springs) {
    const std::string path = "forces." + spec.name;
    claim_name(spec.name, path);
    const std::optional<BodyIndex> parent = find_body(spec.parent, path + ".parent");
    const std::optional<BodyIndex> child = find_body(spec.child, path + ".child");
    if (spec.free_length_m && *spec.free_length_m < 0) {
      fail(path + ".free_length", fmt::format("the free length is {} m", *spec.free_length_m), "give 0 or more");
    }
    if (spec.damping_Ns_m < 0) fail(path + ".damping", "the damping is negative", "give 0 or more");
    if (!parent || !child) continue;
    const MarkerIndex at_parent = add_marker(*parent, {Mat3::Identity(), spec.at_parent_m}, path + ".at_parent");
    const MarkerIndex at_child = add_marker(*child, {Mat3::Identity(), spec.at_child_m}, path + ".at_child");
    mechanism_->springs.push_back({spec.name, at_parent, at_child, spec.stiffness_N_m, spec.damping_Ns_m,
                                   spec.preload_N, spec.free_length_m.value_or(0)});
  }
  for (const TorsionalSpringSpec& spec : spec_.torsional_springs) {
    const std::string path = "forces." + spec.name;
    claim_name(spec.name, path);
    const int joint = find_single_joint(spec.joint, path + ".on");
    if (spec.damping_Nms_rad < 0) fail(path + ".damping", "the damping is negative", "give 0 or more");
    if (joint < 0) continue;
    if (mechanism_->joints[static_cast<std::size_t>(joint)].type->motions.front().kind !=
        ElementaryMotion::Kind::kRotate) {
      fail(path + ".on", fmt::format("joint '{}' does not turn", spec.joint),
           "put a torsional spring on a revolute joint");
    }
    mechanism_->torsional_springs.push_back(
        {spec.name, joint, spec.stiffness_Nm_rad, spec.damping_Nms_rad, spec.preload_Nm, spec.free_angle});
  }
  for (const AppliedLoadSpec& spec : spec_.loads) {
    const std::string path = "forces." + spec.name;
    claim_name(spec.name, path);
    const std::optional<BodyIndex> body = find_body(spec.body, path + ".on");
    if (!body) continue;
    if (*body == kGround) fail(path + ".on", "a load on the ground moves nothing", "name a body");
    const bool is_torque = spec.kind == AppliedLoadSpec::Kind::kTorque;
    const bool is_anywhere = is_torque && !elastic_of_body_.contains(*body);  // on a rigid body it is all the same
    const MarkerIndex at =
        is_anywhere ? marker_of(*body) : add_marker(*body, {Mat3::Identity(), spec.at_m}, path + ".at");
    mechanism_->loads.push_back({spec.name, is_torque, at, spec.in_body_axes, spec.value});
  }
}

void MechanismBuilder::add_bushing(const JointSpec& spec, const std::string& path, Mechanism::Joint& joint) {
  if (joint.type->locked.empty()) {
    fail(path + ".model", fmt::format("a {} joint holds nothing that a bushing could hold elastically", spec.type),
         "use `type: fixed` for a bushing in all directions, or `model: ideal`");
  }
  if (spec.as_constraint) {
    fail(path + ".as", "a bushing has no bilateral rows to choose", "delete `as`, or use `model: ideal`");
  }
  const auto check = [&](const char* key, const Vec3& values) {
    if (values.allFinite() && values.minCoeff() >= 0) return;
    fail(fmt::format("{}.bushing.{}", path, key), "is negative or not finite in a direction", "give 0 or more");
  };
  check("stiffness", spec.bushing->stiffness_N_m);
  check("cubic_stiffness", spec.bushing->cubic_stiffness_N_m3);
  check("damping", spec.bushing->damping_Ns_m);
  check("torsional_stiffness", spec.bushing->torsional_stiffness_Nm_rad);
  check("torsional_cubic_stiffness", spec.bushing->torsional_cubic_stiffness_Nm_rad3);
  check("torsional_damping", spec.bushing->torsional_damping_Nms_rad);
  joint.role = Mechanism::JointRole::kBushing;
  joint.bushing = static_cast<int>(mechanism_->bushings.size());
  mechanism_->bushings.push_back({static_cast<int>(mechanism_->joints.size()), *spec.bushing});
}

void MechanismBuilder::add_drivers() {
  std::vector<std::string> moved_by(mechanism_->joints.size());
  for (const DriverSpec& spec : spec_.drivers) {
    const std::string path = "drivers." + spec.name;
    claim_name(spec.name, path);
    const int joint_index = find_single_joint(spec.joint, path + ".on");
    if (joint_index < 0) continue;
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(joint_index)];
    const ElementaryMotion& motion = joint.type->motions.front();
    const bool translates = motion.kind == ElementaryMotion::Kind::kTranslate;
    const int given = (spec.motion ? 1 : 0) + (spec.effort ? 1 : 0) + (spec.pid ? 1 : 0);
    if (given != 1) {
      fail(path, "needs either `motion` or an effort", "give one of `motion`, `torque`, `force`, `pid`");
      continue;
    }
    check_control(spec, path);
    Mechanism::Driver driver{spec.name, joint_index, spec.motion, spec.effort, -1, spec.pid, spec.sampling};
    if (spec.limit) driver.limit = *spec.limit;
    if (spec.motion) {
      std::string& owner = moved_by[static_cast<std::size_t>(joint_index)];
      if (!owner.empty()) {
        fail(path + ".on", fmt::format("the motion of '{}' is already prescribed by driver '{}'", joint.name, owner),
             "one driver with `motion` per joint");
      }
      owner = spec.name;
      for (const int variable : spec.motion->variables()) {
        if (variable == Expression::kTimeVariable) continue;
        fail(path + ".motion", "depends on a channel", "a prescribed motion is an expression of t and parameters");
      }
      // Assembly would blame lengths and frames.
      if (const TimeJet start = jet_at_start(*spec.motion); !std::isfinite(start.value + start.rate))
        fail(path + ".motion",
             fmt::format("{}is not a number at t = 0 s", std::isfinite(start.value) ? "its rate " : ""),
             "look for a division by zero, a root or logarithm, or a table that begins later");
    }
    if (spec.motion && !spec.limit) {
      Mechanism::Row row;
      row.joint = joint_index;
      row.driver = static_cast<int>(mechanism_->drivers.size());
      row.axis_parent = motion.axis;
      row.name = spec.name;
      if (!joint.is_edge()) {
        row.kind = translates ? Mechanism::Row::Kind::kRelativeTranslation : Mechanism::Row::Kind::kRelativeRotation;
      } else {
        row.kind = Mechanism::Row::Kind::kCoordinate;
        row.q = mechanism_->nodes[static_cast<std::size_t>(joint.node)].q;
        row.u = mechanism_->nodes[static_cast<std::size_t>(joint.node)].u;
      }
      driver.row = mechanism_->row_count();
      mechanism_->rows.push_back(row);
    }
    mechanism_->drivers.push_back(driver);
  }
}

void MechanismBuilder::add_strands() {
  for (const StrandSpec& spec : spec_.strands) {
    const std::string path = "strands." + spec.name;
    claim_name(spec.name, path);
    Mechanism::Strand strand{{}, spec.lower_corner_m, spec.upper_corner_m};
    for (const std::string& name : spec.joints) {
      const auto found = joint_of_name_.find(name);
      if (found == joint_of_name_.end()) {
        fail(path + ".joints", fmt::format("there is no joint '{}'", name), "name joints with `model: bushing`");
        continue;
      }
      // In the ideal twin of a mechanism (start_as_ideal.h) nothing is elastic.
      const int bushing = mechanism_->joints[static_cast<std::size_t>(found->second)].bushing;
      if (bushing >= 0) strand.bushings.push_back(bushing);
    }
    mechanism_->strands.push_back(std::move(strand));
  }
}

}  // namespace freeplay::mechanism

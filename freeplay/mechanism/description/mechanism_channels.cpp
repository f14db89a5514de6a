// The channels of a mechanism: names, units, sources.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "freeplay/mechanism/description/beam_stress.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

namespace {

using Kind = Mechanism::Channel::Kind;
constexpr std::array kAxes = {"x", "y", "z"};

class ChannelList {
 public:
  explicit ChannelList(const MechanismSpec& spec) : spec_(spec) {
    for (const JointSpec& joint : spec.joints) type_of_joint_.emplace(joint.name, joint.type);
    for (const JointSpec& joint : spec.joints_with_play) type_of_joint_.emplace(joint.name, joint.type);
  }

  std::vector<MechanismChannel> collect() {
    for (std::size_t i = 0; i < spec_.bodies.size(); ++i) add_body(spec_.bodies[i].name, static_cast<int>(i) + 1);
    for (std::size_t i = 0; i < spec_.joints.size(); ++i) add_joint(spec_.joints[i], static_cast<int>(i));
    for (std::size_t i = 0; i < spec_.joints_with_play.size(); ++i)
      add_joint(spec_.joints_with_play[i], static_cast<int>(spec_.joints.size() + i));
    for (std::size_t i = 0; i < spec_.springs.size(); ++i) {
      add(spec_.springs[i].name + ".length", dimensions::kLength, Kind::kSpringLength, static_cast<int>(i), 0);
      add(spec_.springs[i].name + ".force", dimensions::kForce, Kind::kSpringForce, static_cast<int>(i), 0);
    }
    for (std::size_t i = 0; i < spec_.torsional_springs.size(); ++i) {
      add(spec_.torsional_springs[i].name + ".moment", dimensions::kTorque, Kind::kTorsionalMoment, static_cast<int>(i),
          0);
    }
    for (std::size_t i = 0; i < spec_.drivers.size(); ++i) add_driver(spec_.drivers[i], static_cast<int>(i));
    for (std::size_t i = 0; i < spec_.strands.size(); ++i)
      add(spec_.strands[i].name + ".tension", dimensions::kForce, Kind::kStrandTension, static_cast<int>(i), 0);
    for (std::size_t i = 0; i < spec_.couplings.size(); ++i) add_coupling(spec_.couplings[i], static_cast<int>(i));
    int elastic = 0;
    for (const BodySpec& body : spec_.bodies) {
      if (body.elastic) add_elastic(body.name, *body.elastic, elastic++);
    }
    return std::move(channels_);
  }

 private:
  bool planar() const { return spec_.space == Space::kPlanar; }
  int translations() const { return planar() ? 2 : 3; }

  void add(std::string name, Dimension dimension, Kind kind, int index, int component) {
    const bool is_reaction = kind == Kind::kJointForce || kind == Kind::kJointMoment || kind == Kind::kDriverEffort;
    const bool is_pose = kind == Kind::kBodyPosition || kind == Kind::kBodyAngle || kind == Kind::kBodyQuaternion ||
                         kind == Kind::kModalCoordinate;
    channels_.push_back({{std::move(name), dimension, false, is_reaction, is_pose}, {kind, index, component}});
  }
  void add_angle(std::string name, Dimension dimension, Kind kind, int index, int component) {
    add(std::move(name), dimension, kind, index, component);
    channels_.back().description.is_angle = true;
  }
  // One channel per axis, e.g. "arm.vx", "arm.vy", "arm.vz".
  void add_axes(const std::string& prefix, int count, Dimension dimension, Kind kind, int index) {
    for (int k = 0; k < count; ++k) add(prefix + kAxes[static_cast<std::size_t>(k)], dimension, kind, index, k);
  }

  void add_body(const std::string& name, int index) {
    add_axes(name + ".", translations(), dimensions::kLength, Kind::kBodyPosition, index);
    add_axes(name + ".v", translations(), dimensions::kVelocity, Kind::kBodyVelocity, index);
    if (planar()) {
      add_angle(name + ".angle", dimensions::kAngle, Kind::kBodyAngle, index, 0);
      add_angle(name + ".omega", dimensions::kAngularVelocity, Kind::kBodyOmega, index, 2);
      return;
    }
    for (int k = 0; k < 4; ++k) add(fmt::format("{}.e{}", name, k), dimensions::kNone, Kind::kBodyQuaternion, index, k);
    for (int k = 0; k < 3; ++k) {
      add_angle(name + ".omega_" + kAxes[static_cast<std::size_t>(k)], dimensions::kAngularVelocity, Kind::kBodyOmega,
                index, k);
    }
    constexpr std::array kTurns = {"roll", "pitch", "yaw"};
    for (int k = 0; k < 3; ++k) {
      add_angle(name + "." + kTurns[static_cast<std::size_t>(k)], dimensions::kAngle, Kind::kBodyAttitude, index, k);
      channels_.back().description.is_on_request = true;  // the quaternion says the same, without jumps
    }
  }

  void add_joint(const JointSpec& joint, int index) {
    const std::optional<JointCoordinates> count = joint_coordinates(joint.type, spec_.space);
    if (!count) return;
    const auto name = [&](const char* symbol, int k, int of) {
      return of == 1 ? fmt::format("{}.{}", joint.name, symbol) : fmt::format("{}.{}_{}", joint.name, symbol, k + 1);
    };
    const bool has_quaternion = count->q != count->u;
    for (int k = 0; k < count->q; ++k) {
      const Dimension dimension = joint_coordinate_dimension(joint.type, spec_.space, k);
      add(name("q", k, count->q), dimension, Kind::kJointCoordinate, index, k);
      channels_.back().description.is_angle = dimension == dimensions::kAngle && !has_quaternion;
    }
    for (int k = 0; k < count->u; ++k) {
      const Dimension dimension = joint_rate_dimension(joint.type, spec_.space, k);
      add(name("u", k, count->u), dimension, Kind::kJointVelocity, index, k);
      channels_.back().description.is_angle = dimension == dimensions::kAngularVelocity;
    }
    add_axes(joint.name + ".force_", translations(), dimensions::kForce, Kind::kJointForce, index);
    if (planar()) {
      add(joint.name + ".moment", dimensions::kTorque, Kind::kJointMoment, index, 2);
    } else {
      add_axes(joint.name + ".moment_", 3, dimensions::kTorque, Kind::kJointMoment, index);
    }
    if (joint.bushing) add_eccentricity(joint, index);
  }

  // Where the joint's point on the child is, seen from its frame on the parent.
  void add_eccentricity(const JointSpec& joint, int index) {
    add_axes(joint.name + ".eccentricity_", translations(), dimensions::kLength, Kind::kEccentricity, index);
  }

  // Modes, the strain energy, and at each station what the beam does there.
  void add_elastic(const std::string& name, const ElasticSpec& beam, int index) {
    for (int k = 0; k < beam.mode_count(); ++k) {
      const bool twists = k >= beam.mode_count() - beam.torsion_mode_count();
      add(fmt::format("{}.modal_{}", name, k + 1), twists ? dimensions::kAngle : dimensions::kLength,
          Kind::kModalCoordinate, index, k);
      channels_.back().description.is_angle = twists;
      add(fmt::format("{}.modal_{}_rate", name, k + 1), twists ? dimensions::kAngularVelocity : dimensions::kVelocity,
          Kind::kModalVelocity, index, k);
      channels_.back().description.is_angle = twists;
    }
    add(name + ".strain_energy", dimensions::kEnergy, Kind::kStrainEnergy, index, 0);
    if (beam.nodes) return add_nodes(name, beam, index);
    if (beam.bending_planes() > 0) add(name + ".max_moment", dimensions::kTorque, Kind::kLargestMoment, index, 0);
    if (stress_factors(beam)) add(name + ".max_stress", dimensions::kPressure, Kind::kLargestStress, index, 0);
    for (std::size_t i = 0; i < beam.stations_m.size(); ++i) {
      const int k = static_cast<int>(i);
      const auto of_station = [&](const char* word) { return fmt::format("{}.{}_{}", name, word, k + 1); };
      if (beam.bending != BendingShapes::kNone) {
        add(of_station("deflection"), dimensions::kLength, Kind::kDeflection, index, k);
        add(of_station("moment"), dimensions::kTorque, Kind::kBendingMoment, index, k);
        if (beam.section_modulus_m3 > 0) {
          add(of_station("stress"), dimensions::kPressure, Kind::kBendingStress, index, k);
        }
      }
      if (beam.axial != AxialShapes::kNone) {
        add(of_station("axial_force"), dimensions::kForce, Kind::kAxialForce, index, k);
      }
      if (beam.bending_planes() > 1) {
        add(of_station("deflection_xz"), dimensions::kLength, Kind::kDeflectionXz, index, k);
        add(of_station("moment_xz"), dimensions::kTorque, Kind::kBendingMomentXz, index, k);
      }
      if (beam.torsion != AxialShapes::kNone) {
        add_angle(of_station("twist"), dimensions::kAngle, Kind::kTwist, index, k);
        add(of_station("torque"), dimensions::kTorque, Kind::kTorque, index, k);
      }
      add_station_axes(name, "", k, Kind::kStationPosition, index);
    }
  }

  // Of a body from a file: what the file knows of its nodes.
  void add_nodes(const std::string& name, const ElasticSpec& body, int index) {
    const std::vector<ElasticNode>& nodes = body.nodes->nodes;
    const auto some = [&](MatX ElasticNode::*loads) {
      return std::any_of(nodes.begin(), nodes.end(), [&](const ElasticNode& node) { return (node.*loads).size() > 0; });
    };
    if (some(&ElasticNode::moments)) add(name + ".max_moment", dimensions::kTorque, Kind::kLargestMoment, index, 0);
    if (some(&ElasticNode::stresses)) add(name + ".max_stress", dimensions::kPressure, Kind::kLargestStress, index, 0);
    for (std::size_t i = 0; i < body.station_nodes.size(); ++i) {
      const ElasticNode* node = body.nodes->find(body.station_nodes[i]);
      if (node == nullptr) continue;  // told by the builder
      const int k = static_cast<int>(i);
      const auto add_load = [&](const char* word, Dimension dimension, Kind kind) {
        add(fmt::format("{}.{}_{}", name, word, k + 1), dimension, kind, index, k);
      };
      add_station_axes(name, "displacement_", k, Kind::kNodeDisplacement, index);
      if (node->moments.size() > 0) add_load("moment", dimensions::kTorque, Kind::kBendingMoment);
      if (node->moments.size() > 0 && !planar()) add_load("moment_xz", dimensions::kTorque, Kind::kBendingMomentXz);
      if (node->stresses.size() > 0) add_load("stress", dimensions::kPressure, Kind::kNodeStress);
      add_station_axes(name, "", k, Kind::kStationPosition, index);
    }
  }

  // BODY.x_1, BODY.y_1, ... of station k.
  void add_station_axes(const std::string& name, const char* word, int k, Kind kind, int index) {
    for (int axis = 0; axis < translations(); ++axis) {
      add(fmt::format("{}.{}{}_{}", name, word, kAxes[static_cast<std::size_t>(axis)], k + 1), dimensions::kLength,
          kind, index, 3 * k + axis);
    }
  }

  // With play the forces are those of its flanks, which are contacts.
  void add_coupling(const CouplingSpec& coupling, int index) {
    const bool turns = coupling.is_angle;
    add(coupling.name + ".position", turns ? dimensions::kAngle : dimensions::kLength, Kind::kCouplingPosition, index,
        0);
    channels_.back().description.is_angle = turns;
    add(coupling.name + ".rate", turns ? dimensions::kAngularVelocity : dimensions::kVelocity, Kind::kCouplingRate,
        index, 0);
    channels_.back().description.is_angle = turns;
    if (coupling.model == CouplingSpec::Model::kBacklash) return;
    add(coupling.name + (turns ? ".torque" : ".force"), turns ? dimensions::kTorque : dimensions::kForce,
        Kind::kCouplingEffort, index, 0);
    channels_.back().description.needs_accelerations = true;
  }

  void add_driver(const DriverSpec& driver, int index) {
    const auto type = type_of_joint_.find(driver.joint);
    if (type == type_of_joint_.end()) return;
    const bool translates = joint_coordinate_dimension(type->second, spec_.space, 0) == dimensions::kLength;
    if (driver.pid && driver.pid->i != 0) {
      add(driver.name + ".integral", driver.pid->of.dimension() * dimensions::kTime, Kind::kDriverIntegral, index, 0);
    }
    if (driver.motion && driver.limit) return;  // a contact point tells its effort
    add(driver.name + (translates ? ".force" : ".torque"), translates ? dimensions::kForce : dimensions::kTorque,
        Kind::kDriverEffort, index, 0);
  }

  const MechanismSpec& spec_;
  std::unordered_map<std::string_view, std::string_view> type_of_joint_;
  std::vector<MechanismChannel> channels_;
};

}  // namespace

std::vector<MechanismChannel> mechanism_channels(const MechanismSpec& spec) {
  return ChannelList(spec).collect();
}

bool usable_in_expressions(const MechanismChannel& channel) {
  // Reactions follow from the forces, and the sign of a quaternion is chosen for a continuous record.
  return !channel.description.needs_accelerations && channel.source.kind != Kind::kBodyQuaternion;
}

}  // namespace freeplay::mechanism

#include "freeplay/mechanism/building/start_as_ideal.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "freeplay/core/error.h"
#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/building/decided_start.h"
#include "freeplay/mechanism/building/mechanism_builder.h"
#include "freeplay/mechanism/description/joint_axes.h"

namespace freeplay::mechanism {

namespace {

constexpr double kWishTolerance = 1e-12;  // relative to the value, or absolute below 1

// The absolute position and velocity of every body at a state, each value given.
std::vector<BodyInitialSpec> motion_of_bodies(const Mechanism& mechanism, const State& state) {
  using Kind = Mechanism::Channel::Kind;
  const std::unique_ptr<Dynamics> dynamics = mechanism.make_dynamics();
  // The state may be that of a twin with the same tree; turns that are counted behind its coordinates move no body.
  VecX q = VecX::Zero(mechanism.coordinate_count());
  const Eigen::Index common = std::min(q.size(), state.q.size());
  q.head(common) = state.q.head(common);
  dynamics->set_position(state.t, q);
  dynamics->set_velocity(state.u);
  std::vector<BodyInitialSpec> motion(mechanism.bodies.size() - 1);
  for (std::size_t c = 0; c < mechanism.channel_table.size(); ++c) {
    const Mechanism::Channel& channel = mechanism.channel_table[c];
    if (channel.kind > Kind::kBodyOmega) continue;  // not of a body
    const int index = static_cast<int>(c);
    double value = 0;
    dynamics->read_channels(std::span(&index, 1), std::span(&value, 1));
    BodyInitialSpec& body = motion[static_cast<std::size_t>(channel.index) - 1];
    const std::size_t k = static_cast<std::size_t>(channel.component);
    if (channel.kind == Kind::kBodyPosition) body.position_m[k] = value;
    if (channel.kind == Kind::kBodyVelocity) body.velocity_m_s[k] = value;
    if (channel.kind == Kind::kBodyAngle) body.angle = value;
    if (channel.kind == Kind::kBodyOmega) body.angular_velocity[k] = value;
    if (channel.kind != Kind::kBodyQuaternion) continue;
    if (!body.quaternion) body.quaternion = Vec4::Zero();
    (*body.quaternion)[channel.component] = value;
  }
  return motion;
}

// How far the absolute initial values of bodies are missed.
double missed_wishes(const MechanismSpec& spec, const Mechanism& mechanism, const State& state) {
  const std::vector<BodyInitialSpec> motion = motion_of_bodies(mechanism, state);
  double worst = 0;
  const auto compare = [&](const std::optional<double>& wish, const std::optional<double>& value) {
    if (wish && value) worst = std::max(worst, std::abs(*value - *wish) / std::max(1.0, std::abs(*wish)));
  };
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const BodyInitialSpec &wish = spec.bodies[i].initial, &value = motion[i];
    for (std::size_t k = 0; k < 3; ++k) {
      compare(wish.position_m[k], value.position_m[k]);
      compare(wish.velocity_m_s[k], value.velocity_m_s[k]);
      compare(wish.angular_velocity[k], value.angular_velocity[k]);
    }
    compare(wish.angle, value.angle);
    if (!wish.quaternion || !value.quaternion) continue;
    const Mat3 between =
        rotation_from_quaternion(*wish.quaternion).transpose() * rotation_from_quaternion(*value.quaternion);
    worst = std::max(worst, rotation_vector_from_rotation(between).norm());
  }
  return worst;
}

// The initial state of a mechanism if it can be assembled and meets what its bodies ask for.
std::optional<State> assembled(const MechanismSpec& spec) {
  try {
    const std::shared_ptr<const Mechanism> mechanism = MechanismBuilder(spec).build();
    const State state = mechanism->initial_state();
    if (missed_wishes(spec, *mechanism, state) <= kWishTolerance) return state;
  } catch (const ModelError&) {
    // The bodies say otherwise: the joint then starts off its centre, or with a relative velocity.
  }
  return std::nullopt;
}

bool gives_velocities(const MechanismSpec& spec) {
  const auto is_given = [](const std::optional<double>& value) { return value.has_value(); };
  const auto of_body = [&](const BodySpec& body) {
    return std::ranges::any_of(body.initial.velocity_m_s, is_given) ||
           std::ranges::any_of(body.initial.angular_velocity, is_given);
  };
  const auto of_joint = [](const JointSpec& joint) { return !joint.initial_u.empty(); };
  return std::ranges::any_of(spec.bodies, of_body) || std::ranges::any_of(spec.joints, of_joint) ||
         std::ranges::any_of(spec.joints_with_play, of_joint);
}

MechanismSpec without_velocities(MechanismSpec spec) {
  for (BodySpec& body : spec.bodies) body.initial.velocity_m_s = body.initial.angular_velocity = {};
  for (JointSpec& joint : spec.joints) joint.initial_u.clear();
  for (JointSpec& joint : spec.joints_with_play) joint.initial_u.clear();
  return spec;
}

enum class Hold : std::uint8_t { kPositions, kPositionsAndVelocities };

// The same description with every body held where it is at `state`, and on request moving as it does there.
MechanismSpec held_at(MechanismSpec spec, const Mechanism& mechanism, const State& state, Hold hold) {
  const std::vector<BodyInitialSpec> motion = motion_of_bodies(mechanism, state);
  for (std::size_t i = 0; i < motion.size(); ++i) {
    BodyInitialSpec& initial = spec.bodies[i].initial;
    const BodyInitialSpec given = initial;
    initial = motion[i];
    spec.bodies[i].guess = {};  // the choice has been made
    if (hold == Hold::kPositionsAndVelocities) continue;
    initial.velocity_m_s = given.velocity_m_s;
    initial.angular_velocity = given.angular_velocity;
  }
  for (JointSpec& joint : spec.joints) joint.guess_q.clear();
  return spec;
}

// All joints as ideal ones, in the order of the file.
struct IdealJoints {
  std::vector<JointSpec> joints;
  std::vector<bool> are_loose;  // in `spec`
};
IdealJoints ideal_joints(const MechanismSpec& spec) {
  IdealJoints ideal;
  auto play = spec.joints_with_play.begin();
  for (std::size_t j = 0; j <= spec.joints.size(); ++j) {
    const bool is_end = j == spec.joints.size();
    for (; play != spec.joints_with_play.end() && (is_end || play->joints_before.value_or(j + 1) <= j); ++play) {
      ideal.joints.push_back(*play);
      ideal.are_loose.push_back(true);
    }
    if (is_end) break;
    ideal.joints.push_back(spec.joints[j]);
    ideal.joints.back().bushing.reset();
    ideal.are_loose.push_back(spec.joints[j].bushing.has_value());
  }
  return ideal;
}

// The start of `spec` with its bodies as they are in the initial state of another mechanism, which has the same ones.
State start_of_bodies(const MechanismSpec& spec, const Mechanism& other) {
  MechanismSpec held = held_at(spec, other, other.initial_state(), Hold::kPositionsAndVelocities);
  for (std::vector<JointSpec>* joints : {&held.joints, &held.joints_with_play}) {
    for (JointSpec& joint : *joints) {
      joint.initial_q.clear();
      joint.initial_u.clear();
    }
  }
  return MechanismBuilder(held).build()->initial_state();
}

// Where the mechanism starts when its loose joints are ideal ones, `initial` on them included. Throws ModelError.
State start_of_ideal_joints(const MechanismSpec& spec) {
  MechanismSpec ideal = spec;
  IdealJoints made = ideal_joints(spec);
  ideal.joints = std::move(made.joints);
  ideal.joints_with_play.clear();
  const std::shared_ptr<const Mechanism> mechanism = MechanismBuilder(ideal).build();
  bool is_same_tree = true;  // then the coordinates are the same, too
  for (std::size_t j = 0; j < made.are_loose.size(); ++j)
    is_same_tree = is_same_tree && !(made.are_loose[j] && mechanism->joints[j].is_edge());
  return is_same_tree ? mechanism->initial_state() : start_of_bodies(spec, *mechanism);
}

// A start with all loose joints centred and at equal rates that meets what the bodies ask for, if there is one.
std::optional<State> centred_start(const MechanismSpec& spec) {
  try {
    const State state = start_of_ideal_joints(spec);
    if (missed_wishes(spec, *Mechanism::build(spec, state), state) <= kWishTolerance) return state;
  } catch (const ModelError&) {
    // Ideal joints may make another tree, without the coordinates that other joints were given values for.
  }
  return assembled(ideal_twin(spec));
}

// Centred and at equal rates, or else centred with the rates that the bodies ask for.
std::optional<State> centred_start_with_rates(const MechanismSpec& spec) {
  if (std::optional<State> start = centred_start(spec)) return start;
  if (!gives_velocities(spec)) return std::nullopt;  // they are not what was contradicted
  std::optional<State> start = centred_start(without_velocities(spec));
  if (!start) return std::nullopt;
  const std::shared_ptr<const Mechanism> at_rest = Mechanism::build(spec, *start);
  const std::optional<State> moving = assembled(held_at(spec, *at_rest, *start, Hold::kPositions));
  if (!moving) return std::nullopt;
  start->u = moving->u;
  return start;
}

// Where free bodies contradict the loose joints: what they say holds, and what they do not say is taken from where
// ideal joints would put them.
std::optional<State> start_with_free_bodies_displaced(const MechanismSpec& spec, const Mechanism& mechanism) {
  const auto is_free = [&](std::size_t i) {
    const int node = mechanism.node_of_body[i + 1];
    return mechanism.nodes[static_cast<std::size_t>(node)].joint < 0;
  };
  MechanismSpec undecided = spec;
  std::vector<bool> are_free(spec.bodies.size());
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    are_free[i] = is_free(i);
    if (is_free(i)) undecided.bodies[i].initial = {};
  }
  if (chosen_bodies_say_all(spec, are_free)) return std::nullopt;
  const std::optional<State> centred = centred_start(undecided);
  if (!centred) return std::nullopt;
  const std::vector<BodyInitialSpec> motion = motion_of_bodies(mechanism, *centred);
  MechanismSpec displaced = spec;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    if (!is_free(i)) continue;
    BodyInitialSpec& initial = displaced.bodies[i].initial;
    const auto fill = [](auto& value, const auto& centre) { value = value ? value : centre; };
    for (std::size_t k = 0; k < 3; ++k) {
      fill(initial.position_m[k], motion[i].position_m[k]);
      fill(initial.velocity_m_s[k], motion[i].velocity_m_s[k]);
      fill(initial.angular_velocity[k], motion[i].angular_velocity[k]);
    }
    fill(initial.angle, motion[i].angle);
    fill(initial.quaternion, motion[i].quaternion);
  }
  return assembled(displaced);
}

bool has_initial_values(const JointSpec& joint) {
  return !joint.initial_q.empty() || !joint.initial_u.empty();
}

bool starts_on_its_way(const JointSpec& joint) {
  return joint.slot_radius_m && has_initial_values(joint);
}

// A pin in a curved slot has no coordinates of its own. Where the slot starts it is as a straight one along the way
// there, which has: at a place of the way given by the first coordinate of `initial`, where that of the straight slot
// is 0.
void straighten_at_start(JointSpec& joint, Space space) {
  if (!starts_on_its_way(joint)) return;
  const JointType* type = find_joint_type(joint.type, space);
  if (type == nullptr || type->u_count() != 2) return;  // the builder reports it
  joint.initial_q.resize(2);
  const double radius = *joint.slot_radius_m, turn = joint.initial_q[0].value_or(0) / radius;
  const Mat3 R = frame_axes(joint, *type, space);
  joint.at_parent_m += R * Vec3(radius * std::sin(turn), radius * (1 - std::cos(turn)), 0);
  joint.axis = R * Vec3(std::cos(turn), std::sin(turn), 0);
  if (space == Space::kSpatial) joint.second_axis = R.col(2);
  joint.initial_q[0] = 0;
  joint.slot_radius_m.reset();
}

}  // namespace

MechanismSpec ideal_twin(const MechanismSpec& spec) {
  MechanismSpec twin = spec;
  const auto make_rigid = [](JointSpec& joint) {
    joint.bushing.reset();
    joint.as_constraint = true;
    joint.initial_q.clear();  // of a constraint; they have been met already
    joint.initial_u.clear();
  };
  for (JointSpec& joint : twin.joints) {
    if (joint.bushing) make_rigid(joint);
  }
  for (const JointSpec& joint : spec.joints_with_play) make_rigid(twin.joints.emplace_back(joint));
  twin.joints_with_play.clear();
  return twin;
}

std::shared_ptr<const Mechanism> build_started_as(const MechanismSpec& spec, const MechanismSpec& twin) {
  return Mechanism::build(spec, start_of_bodies(spec, *build_started_as_ideal(twin)));
}

std::shared_ptr<const Mechanism> build_started_as_ideal(const MechanismSpec& spec) {
  std::vector<JointSpec> loose = spec.joints_with_play;
  std::copy_if(spec.joints.begin(), spec.joints.end(), std::back_inserter(loose),
               [](const JointSpec& joint) { return joint.bushing.has_value(); });
  const auto is_on_its_way = [](const JointSpec& joint) { return starts_on_its_way(joint); };
  if (std::ranges::any_of(spec.joints, is_on_its_way) || std::ranges::any_of(loose, is_on_its_way)) {
    MechanismSpec straight = spec;
    for (std::vector<JointSpec>* joints : {&straight.joints, &straight.joints_with_play}) {
      for (JointSpec& joint : *joints) straighten_at_start(joint, spec.space);
    }
    return build_started_as(spec, straight);
  }
  if (loose.empty()) return MechanismBuilder(spec).build();
  // What is wrong with the ideal joints is then wrong with the model.
  if (std::any_of(loose.begin(), loose.end(), &has_initial_values)) {
    return Mechanism::build(spec, start_of_ideal_joints(spec));
  }
  if (bodies_say_all(spec, loose)) return MechanismBuilder(spec).build();
  if (!bodies_contradict(spec, loose)) {
    if (const std::optional<State> start = centred_start_with_rates(spec)) return Mechanism::build(spec, *start);
  }
  const std::shared_ptr<const Mechanism> as_bodies_say = MechanismBuilder(spec).build();
  const std::optional<State> displaced = start_with_free_bodies_displaced(spec, *as_bodies_say);
  return displaced ? Mechanism::build(spec, *displaced) : as_bodies_say;
}

}  // namespace freeplay::mechanism

#include "freeplay/contact/clearance_start.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "freeplay/core/error.h"

namespace freeplay {

namespace {

constexpr double kWishTolerance = 1e-9;  // relative to the value, or absolute below 1

// Values of channels of a mechanism at a state.
class ChannelReader {
 public:
  ChannelReader(const Mechanism& mechanism, const State& state)
      : mechanism_(mechanism), dynamics_(mechanism.make_dynamics()) {
    dynamics_->set_position(state.t, state.q);
    dynamics_->set_velocity(state.u);
  }
  double operator()(const std::string& channel) {
    const int index = find_channel(mechanism_, channel);
    FREEPLAY_ASSERT(index >= 0);
    double value = 0;
    dynamics_->read_channels(std::span(&index, 1), std::span(&value, 1));
    return value;
  }

 private:
  const Mechanism& mechanism_;
  std::unique_ptr<Dynamics> dynamics_;
};

// How far the absolute initial values of bodies are missed.
double missed_wishes(const MechanismSpec& spec, const Mechanism& mechanism, const State& state) {
  ChannelReader value_of(mechanism, state);
  double worst = 0;
  const auto compare = [&](const std::string& channel, const std::optional<double>& wish) {
    if (!wish) return;
    worst = std::max(worst, std::abs(value_of(channel) - *wish) / std::max(1.0, std::abs(*wish)));
  };
  for (const BodySpec& body : spec.bodies) {
    const BodyInitialSpec& initial = body.initial;
    compare(body.name + ".x", initial.position_m[0]);
    compare(body.name + ".y", initial.position_m[1]);
    compare(body.name + ".angle", initial.angle);
    compare(body.name + ".vx", initial.velocity_m_s[0]);
    compare(body.name + ".vy", initial.velocity_m_s[1]);
    compare(body.name + ".omega", initial.angular_velocity[2]);
  }
  return worst;
}

// The initial state of a mechanism if it can be assembled and meets what its bodies ask for.
std::optional<State> assembled(const MechanismSpec& spec) {
  try {
    const std::shared_ptr<const Mechanism> mechanism = Mechanism::build(spec);
    const State state = mechanism->initial_state();
    if (missed_wishes(spec, *mechanism, state) <= kWishTolerance) return state;
  } catch (const ModelError&) {
    // The bodies say otherwise: the joint then starts off its centre, or with a relative velocity.
  }
  return std::nullopt;
}

MechanismSpec without_velocities(MechanismSpec spec) {
  for (BodySpec& body : spec.bodies) body.initial.velocity_m_s = body.initial.angular_velocity = {};
  for (JointSpec& joint : spec.joints) joint.initial_u.clear();
  return spec;
}

enum class Hold : std::uint8_t { kPositions, kPositionsAndVelocities };

// The same description with every body held where it is at `state`, and on request moving as it does there.
MechanismSpec held_at(MechanismSpec spec, const Mechanism& mechanism, const State& state, Hold hold) {
  ChannelReader value_of(mechanism, state);
  for (BodySpec& body : spec.bodies) {
    body.initial.position_m[0] = value_of(body.name + ".x");
    body.initial.position_m[1] = value_of(body.name + ".y");
    body.initial.angle = value_of(body.name + ".angle");
    if (hold == Hold::kPositions) continue;
    body.initial.velocity_m_s[0] = value_of(body.name + ".vx");
    body.initial.velocity_m_s[1] = value_of(body.name + ".vy");
    body.initial.angular_velocity[2] = value_of(body.name + ".omega");
  }
  return spec;
}

bool has_initial_values(const ClearanceJointSpec& play) {
  return !play.joint.initial_q.empty() || !play.joint.initial_u.empty();
}

// Where the mechanism starts when its joints with play are ideal ones, `initial` on them included. What is wrong with
// that is wrong with the model.
std::shared_ptr<const Mechanism> build_as_if_ideal(const MechanismSpec& spec,
                                                   const std::vector<ClearanceJointSpec>& clearance_joints) {
  MechanismSpec ideal = spec;
  for (const ClearanceJointSpec& play : clearance_joints) ideal.joints.push_back(play.joint);
  const std::shared_ptr<const Mechanism> mechanism = Mechanism::build(ideal);
  MechanismSpec held = held_at(spec, *mechanism, mechanism->initial_state(), Hold::kPositionsAndVelocities);
  for (JointSpec& joint : held.joints) {
    joint.initial_q.clear();
    joint.initial_u.clear();
  }
  return Mechanism::build(spec, Mechanism::build(held)->initial_state());
}

}  // namespace

MechanismSpec ideal_twin(const MechanismSpec& spec, const std::vector<ClearanceJointSpec>& clearance_joints) {
  MechanismSpec twin = spec;
  for (const ClearanceJointSpec& play : clearance_joints) {
    twin.joints.push_back(play.joint);
    twin.joints.back().as_constraint = true;
    twin.joints.back().initial_q.clear();  // of a constraint; they have been met already
    twin.joints.back().initial_u.clear();
  }
  return twin;
}

std::shared_ptr<const Mechanism> build_mechanism_with_play(const MechanismSpec& spec,
                                                           const std::vector<ClearanceJointSpec>& clearance_joints) {
  if (clearance_joints.empty() || spec.space != Space::kPlanar) return Mechanism::build(spec);
  if (std::any_of(clearance_joints.begin(), clearance_joints.end(), &has_initial_values)) {
    return build_as_if_ideal(spec, clearance_joints);
  }
  const MechanismSpec twin = ideal_twin(spec, clearance_joints);
  if (const std::optional<State> start = assembled(twin)) return Mechanism::build(spec, *start);

  // Centred, but with the rates that the bodies ask for.
  if (const std::optional<State> centred = assembled(without_velocities(twin))) {
    const std::shared_ptr<const Mechanism> at_rest = Mechanism::build(spec, *centred);
    if (const std::optional<State> moving = assembled(held_at(spec, *at_rest, *centred, Hold::kPositions))) {
      State start = *centred;
      start.u = moving->u;
      return Mechanism::build(spec, start);
    }
  }
  return Mechanism::build(spec);
}

}  // namespace freeplay

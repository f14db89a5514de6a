// Controllers: what can be wrong with them, and where their memory is in the state.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/mechanism/building/mechanism_builder.h"
#include "freeplay/mechanism/dynamics/sample_clock.h"

namespace freeplay::mechanism {

namespace {

constexpr double kMostWaiting = 1000;  // values on their way: they are coordinates of the state

bool has_integral(const DriverSpec& spec) {
  return spec.pid && spec.pid->i != 0;
}

bool depends_on_state(const Expression& expression) {
  for (const int variable : expression.variables()) {
    if (variable != Expression::kTimeVariable) return true;
  }
  return false;
}

}  // namespace

void MechanismBuilder::check_control(const DriverSpec& spec, const std::string& path) {
  if (spec.limit && !(*spec.limit > 0))
    fail(path, fmt::format("the limit is {}", *spec.limit), "give a torque or force greater than 0");
  if (spec.pid) {
    const PidSpec& pid = *spec.pid;
    if (!std::isfinite(pid.p) || !std::isfinite(pid.i) || !std::isfinite(pid.d))
      fail(path + ".pid", "a gain is not finite", "give finite gains");
    if (pid.d != 0 && depends_on_state(pid.target))
      fail(path + ".pid.target", "depends on a channel, whose rate `d` would need",
           "give a target of t and parameters, or leave `d` out");
    if (pid.anti_windup_s && !(*pid.anti_windup_s > 0))
      fail(path + ".pid.anti_windup_time", fmt::format("the time is {} s", *pid.anti_windup_s),
           "give a time greater than 0");
  }
  if (!spec.sampling) return;
  const SamplingSpec& sampling = *spec.sampling;
  if (spec.motion)
    fail(path + ".sample", "a prescribed motion is not sampled", "sample a `torque`, a `force` or a `pid`");
  constexpr double kShortest_s = 1e-9;  // shorter ones would be lost in the rounding of t
  if (!(sampling.period_s >= kShortest_s) || !std::isfinite(sampling.period_s)) {
    fail(path + ".sample", fmt::format("the time between two samples is {} s", sampling.period_s),
         "give a time of at least 1 ns");
  } else if (!(sampling.delay_s >= 0) || !(sampling.delay_s <= kMostWaiting * sampling.period_s)) {
    fail(path + ".delay", fmt::format("the delay is {} s", sampling.delay_s),
         fmt::format("give a time from 0 to {} times the time between two samples", kMostWaiting));
  }
}

// Before the velocities are put in order.
void MechanismBuilder::append_integrals() {
  for (const DriverSpec& spec : spec_.drivers) {
    if (!has_integral(spec) || spec.sampling) continue;
    Mechanism::Node node;
    node.type = find_joint_type("revolute", spec_.space);
    node.parent_marker = node.child_marker = marker_of(kGround);
    node.q = mechanism_->q_count_++;
    node.u = mechanism_->u_count_++;
    node.is_memory = true;
    ++mechanism_->memory_count_;
    mechanism_->nodes.push_back(node);
  }
}

// Behind all other coordinates.
void MechanismBuilder::place_control() {
  auto integral = mechanism_->nodes.begin();
  for (std::size_t d = 0; d < spec_.drivers.size(); ++d) {
    const DriverSpec& spec = spec_.drivers[d];
    Mechanism::Driver& driver = mechanism_->drivers[d];
    if (has_integral(spec) && !spec.sampling) {
      integral =
          std::find_if(integral, mechanism_->nodes.end(), [](const Mechanism::Node& node) { return node.is_memory; });
      driver.integral_u = (integral++)->u;
    }
    if (!spec.sampling) continue;
    driver.waiting = SampleClock::whole_periods(*spec.sampling) + 1;
    driver.held_q = mechanism_->q_count_;
    const int count = 1 + driver.waiting + (has_integral(spec) ? 1 : 0);
    if (has_integral(spec)) driver.integral_q = driver.held_q + count - 1;
    mechanism_->q_count_ += count;
    mechanism_->held_count_ += count;
  }
}

// What is no number at the start would end the run with its first step.
void MechanismBuilder::check_efforts(const State& state) {
  const std::unique_ptr<BodyDynamics> dynamics = make_mechanism_dynamics(mechanism_);
  dynamics->set_position(state.t, state.q);
  dynamics->set_velocity(state.u);
  const std::string path = dynamics->undefined_effort();
  if (path.empty()) return;
  fail(path, fmt::format("is not a number in the initial state, at t = {:.6g} s", state.t),
       "look for a division by zero, a root or logarithm of a negative number, or a table that begins later");
}

}  // namespace freeplay::mechanism

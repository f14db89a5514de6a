// Efforts of drivers: expressions, controllers, sampled or not. Included by mechanism_dynamics_evaluation.h only.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"
#include "freeplay/mechanism/dynamics/sample_clock.h"

namespace freeplay::mechanism {

template <class Algebra>
Vec3 MechanismDynamics<Algebra>::load_value(const Mechanism::Load& load) const {
  return {load.value[0].evaluate(variables_), load.value[1].evaluate(variables_), load.value[2].evaluate(variables_)};
}

// v = p e + i I + d de/dt (PidSpec), or the expression.
template <class Algebra>
double MechanismDynamics<Algebra>::demand(const Mechanism::Driver& driver, double integral) const {
  if (driver.effort) return driver.effort->evaluate(variables_);
  if (!driver.pid) return 0;  // silenced: force_elements.h
  const PidSpec& pid = *driver.pid;
  const TimeJet target = pid.target.evaluate_jet(variables_);
  double demanded = pid.p * (target.value - pid.of.evaluate(variables_)) + pid.i * integral;
  if (pid.d != 0) demanded += pid.d * (target.rate - pid.of_rate.evaluate(variables_));
  return demanded;
}

// dI/dt = e - (v - F) / (i T): the integral is led back to where the effort is just what the limit allows, with the
// time constant T. The alternative, to stop it while v is beyond the limit, jumps, and may chatter along the limit.
template <class Algebra>
double MechanismDynamics<Algebra>::integral_rate(const Mechanism::Driver& driver, double demanded) const {
  if (!driver.pid) return 0;
  const PidSpec& pid = *driver.pid;
  const double error = pid.target.evaluate(variables_) - pid.of.evaluate(variables_);
  if (!pid.anti_windup_s) return error;
  // A sampled integral must not be led back beyond where it was to come.
  const double time_s = driver.sampling ? std::max(*pid.anti_windup_s, driver.sampling->period_s) : *pid.anti_windup_s;
  const double excess = demanded - std::clamp(demanded, -driver.limit, driver.limit);
  return error - excess / (pid.i * time_s);
}

template <class Algebra>
double MechanismDynamics<Algebra>::integral_of(const Mechanism::Driver& driver) const {
  if (driver.integral_q >= 0) return q_[driver.integral_q];
  return driver.integral_u >= 0 ? u_[driver.integral_u] : 0;
}

template <class Algebra>
void MechanismDynamics<Algebra>::apply_drivers() {
  for (std::size_t d = 0; d < mechanism_->drivers.size(); ++d) {
    const Mechanism::Driver& driver = mechanism_->drivers[d];
    if (driver.motion) continue;
    if (driver.sampling) {
      driver_effort_[d] = q_[driver.held_q];
    } else {
      const double demanded = demand(driver, integral_of(driver));
      driver_effort_[d] = std::clamp(demanded, -driver.limit, driver.limit);
      if (driver.integral_u >= 0) data_.effort[driver.integral_u] = integral_rate(driver, demanded);
    }
    add_joint_effort(driver.joint, driver_effort_[d]);
    load_powers_.input += driver_effort_[d] * joint_velocity(driver.joint);
  }
}

// All controllers look at the same state: what they find enters it only then.
template <class Algebra>
void MechanismDynamics<Algebra>::take_samples(State& state) {
  if (mechanism_->held_count() == 0) return;
  set_position(state.t, state.q);
  set_velocity(state.u);
  for (const Mechanism::Driver& driver : mechanism_->drivers) {
    if (driver.sampling) take_sample(driver, state.q);
  }
}

template <class Algebra>
void MechanismDynamics<Algebra>::take_sample(const Mechanism::Driver& driver, VecX& q) const {
  const int newest = driver.held_q + 1, oldest = driver.held_q + driver.waiting;
  if (SampleClock(*driver.sampling).is_at(t_)) {
    const double integral = integral_of(driver), demanded = demand(driver, integral);
    for (int k = oldest; k > newest; --k) q[k] = q[k - 1];
    q[newest] = std::clamp(demanded, -driver.limit, driver.limit);
    if (driver.integral_q >= 0)
      q[driver.integral_q] = integral + driver.sampling->period_s * integral_rate(driver, demanded);
  }
  if (SampleClock::acting(*driver.sampling).is_at(t_)) q[driver.held_q] = q[oldest];
}

template <class Algebra>
std::string MechanismDynamics<Algebra>::undefined_effort() {
  for (const Mechanism::Load& load : mechanism_->loads) {
    if (!load_value(load).allFinite()) return "forces." + load.name + ".value";
  }
  for (std::size_t d = 0; d < mechanism_->drivers.size(); ++d) {
    const Mechanism::Driver& driver = mechanism_->drivers[d];
    const bool is_defined = driver.motion ? std::isfinite(motion_[d].value + motion_[d].rate + motion_[d].acceleration)
                                          : std::isfinite(demand(driver, integral_of(driver)));
    if (!is_defined) return "drivers." + driver.name;
  }
  return {};
}

}  // namespace freeplay::mechanism

#include "freeplay/simulation/forces/force_window.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::simulation {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

// rad/s, of all bodies and joints at the start.
double fastest_turn_at_start(const System& system) {
  std::vector<int> turns;
  for (std::size_t i = 0; i < system.channels().size(); ++i) {
    const ChannelDescription& channel = system.channels()[i];
    if (channel.is_angle && channel.dimension == dimensions::kAngularVelocity) turns.push_back(static_cast<int>(i));
  }
  std::vector<double> values(turns.size(), 0.0);
  const State start = system.initial_state();
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  dynamics->set_position(start.t, start.q);
  dynamics->set_velocity(start.u);
  dynamics->read_channels(turns, values);
  double fastest = 0;
  for (const double value : values) fastest = std::max(fastest, std::abs(value));
  return fastest;
}

// rad/s, of a prescribed motion over the run.
double turn_of_driver(const Expression& motion, double duration_s) {
  constexpr int kLooks = 1000;
  double speed = 0, acceleration = 0;
  std::vector<double> variables(1 +
                                (motion.variables().empty() ? 0 : static_cast<std::size_t>(motion.variables().back())));
  for (int i = 0; i <= kLooks; ++i) {
    variables[Expression::kTimeVariable] = duration_s * i / kLooks;
    const TimeJet jet = motion.evaluate_jet(variables);
    if (std::isfinite(jet.rate)) speed = std::max(speed, std::abs(jet.rate));
    if (std::isfinite(jet.acceleration)) acceleration = std::max(acceleration, std::abs(jet.acceleration));
  }
  if (motion.dimension() != dimensions::kLength) return speed;
  // x = a sin(w t) has the largest speed a w and the largest acceleration a w^2.
  return speed > 0 ? acceleration / speed : 0;
}

double fastest_turn(const System& system, double duration_s) {
  double fastest = fastest_turn_at_start(system);
  if (const auto* mechanism = dynamic_cast<const Mechanism*>(&system)) {
    for (const Mechanism::Driver& driver : mechanism->drivers) {
      if (driver.motion) fastest = std::max(fastest, turn_of_driver(*driver.motion, duration_s));
    }
  }
  return fastest;
}

}  // namespace

double natural_force_window_s(const System& system, double duration_s) {
  constexpr double kLeastTurn = 10 * kDegree, kShareOfDuration = 1e-3;
  const double turn = fastest_turn(system, duration_s);
  return turn * duration_s >= kLeastTurn ? kDegree / turn : kShareOfDuration * duration_s;
}

ForceWindow force_window(const System& system, bool has_contacts, const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  const bool has_impulses = entry != nullptr && entry->traits.contact_treatment == ContactTreatment::kImpulses &&
                            entry->traits.step_rule == StepRule::kFixed && options.step_s;
  if (!has_impulses || (!has_contacts && !options.force_window_s)) return {};
  const double wanted_s =
      options.force_window_s ? *options.force_window_s : natural_force_window_s(system, options.duration_s);
  constexpr double kMostSteps = 1e6;
  const double steps = std::clamp(std::round(wanted_s / *options.step_s), 1.0, kMostSteps);
  return {steps * *options.step_s, static_cast<int>(steps)};
}

}  // namespace freeplay::simulation

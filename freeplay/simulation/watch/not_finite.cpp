#include "freeplay/simulation/watch/not_finite.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::simulation {

namespace {

struct Effort {
  int channel = 0;
  std::string words;  // "the torque of driver 'motor' is not finite"
};

std::vector<Effort> efforts_of(const Mechanism& mechanism) {
  std::vector<Effort> efforts;
  const auto add = [&](const std::string& name, auto words) {
    for (std::size_t i = 0; i < mechanism.channels().size(); ++i) {
      const std::string& channel = mechanism.channels()[i].name;
      for (const char* quantity : {"torque", "force"}) {
        if (channel == name + "." + quantity) efforts.push_back({static_cast<int>(i), words(quantity)});
      }
    }
  };
  for (const Mechanism::Driver& driver : mechanism.drivers) {
    if (driver.motion) continue;
    add(driver.name, [&](const char* quantity) {
      return fmt::format("the {} of driver '{}' is not finite", quantity, driver.name);
    });
  }
  for (const Mechanism::Coupling& coupling : mechanism.couplings) {
    if (coupling.model != CouplingSpec::Model::kCompliant || coupling.stiffness.is_constant()) continue;
    add(coupling.name, [&](const char*) {
      return fmt::format("the stiffness of coupling '{}' is negative or not finite", coupling.name);
    });
  }
  return efforts;
}

}  // namespace

std::string not_finite_effort(const System& system, Dynamics& dynamics, const State& state, double step_s) {
  const auto* mechanism = dynamic_cast<const Mechanism*>(&system);
  if (mechanism == nullptr || !state.q.allFinite() || !state.u.allFinite()) return {};
  const std::vector<Effort> efforts = efforts_of(*mechanism);
  if (efforts.empty()) return {};
  std::vector<int> channels;
  for (const Effort& effort : efforts) channels.push_back(effort.channel);
  std::vector<double> values(channels.size(), 0.0);
  // Quaternions do not move along their velocities; those of other mechanisms do.
  const bool can_move = state.q.size() == state.u.size();
  VecX forces = VecX::Zero(state.u.size());
  constexpr int kLooks = 40;  // from a step of rounding to a whole one
  for (int look = 0; look <= kLooks; ++look) {
    const double dt = look == 0 ? 0 : step_s * std::pow(2.0, look - kLooks);
    const VecX q = can_move ? VecX(state.q + dt * state.u) : state.q;
    dynamics.set_position(state.t + dt, q);
    dynamics.set_velocity(state.u);
    dynamics.forces(forces);  // and with them the efforts of drivers and couplings
    dynamics.read_channels(channels, values);
    for (std::size_t i = 0; i < efforts.size(); ++i) {
      if (!std::isfinite(values[i])) return fmt::format("{} at t = {:.9g} s", efforts[i].words, state.t + dt);
    }
  }
  return {};
}

}  // namespace freeplay::simulation

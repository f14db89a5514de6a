#include "freeplay/simulation/energy_ledger.h"

#include <algorithm>
#include <cmath>

namespace freeplay::simulation {

namespace {

void set_dynamics(Dynamics& dynamics, const State& state, const VecX& q) {
  dynamics.set_position(state.t, q);
  dynamics.set_velocity(state.u);
}

}  // namespace

void EnergyLedger::open(Dynamics& dynamics, const State& state, RunSummary& summary) {
  const Energies start = dynamics.energies();
  memory_ = {start.kinetic + start.potential, 0};
  for (const ContactMemory& contact : state.contacts) memory_.initial_J += contact.elastic_energy;
  summary.energy_initial_J = memory_.initial_J;
}

void EnergyLedger::book(Dynamics& dynamics, const State& state, const StepRecord& record, RunSummary& summary) {
  // The velocity of row 0 belongs to its own position, whatever the first step did.
  const bool is_elsewhere = record.is_known && record.position_of_velocity.size() > 0 && state.t > record.t;
  if (is_elsewhere) set_dynamics(dynamics, state, record.position_of_velocity);
  const Energies energies = dynamics.energies();
  if (is_elsewhere) set_dynamics(dynamics, state, state.q);

  const EnergyAccount& account = state.account;
  entries_[kKinetic] = energies.kinetic;
  entries_[kPotential] = energies.potential;
  for (const ContactMemory& contact : state.contacts) entries_[kPotential] += contact.elastic_energy;
  entries_[kTotal] = entries_[kKinetic] + entries_[kPotential];
  entries_[kImpactLoss] = account.impact_loss;
  entries_[kFrictionLoss] = account.friction_loss;
  entries_[kDampingLoss] = account.damping_loss;
  entries_[kInput] = account.input;
  // What no source or sink explains: the integrator's error and the projection of drift.
  entries_[kDrift] = entries_[kTotal] - memory_.initial_J - account.input + account.impact_loss +
                     account.friction_loss + account.damping_loss;

  memory_.largest_kinetic_J = std::max(memory_.largest_kinetic_J, entries_[kKinetic]);
  summary.energy_final_J = entries_[kTotal];
  summary.account = account;
  summary.energy_drift_J = entries_[kDrift];
  summary.max_energy_drift_J = std::max(summary.max_energy_drift_J, std::abs(entries_[kDrift]));
}

}  // namespace freeplay::simulation

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

double EnergyLedger::Memory::exchanged_J(const EnergyAccount& account) const {
  return std::max({largest_kinetic_J, largest_potential_J - least_potential_J, std::abs(account.input),
                   std::abs(account.damping_loss), std::abs(account.impact_loss), std::abs(account.friction_loss)});
}

double EnergyLedger::Memory::rounding_J() const {
  return 1e-9 * std::max({std::abs(least_potential_J), std::abs(largest_potential_J), largest_kinetic_J});
}

void EnergyLedger::open(Dynamics& dynamics, const State& state, RunSummary& summary) {
  const Energies start = dynamics.energies();
  double potential = start.potential;
  for (const ContactMemory& contact : state.contacts) potential += contact.elastic_energy;
  memory_ = {};
  memory_.initial_J = start.kinetic + potential;
  memory_.least_potential_J = memory_.largest_potential_J = potential;
  summary.energy_initial_J = memory_.initial_J;
}

// Friction turns energy into heat, except within an impact by Newton's law that turns the sliding back: what it gives
// there is a gain of the impact.
void EnergyLedger::follow_losses(const EnergyAccount& account) {
  memory_.least_impact_loss_J = std::min(memory_.least_impact_loss_J, account.impact_loss);
  const double lost = account.impact_loss + account.friction_loss;
  memory_.most_lost_J = std::max(memory_.most_lost_J, lost);
  memory_.largest_gain_J = std::max(memory_.largest_gain_J, memory_.most_lost_J - lost);
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
  memory_.least_potential_J = std::min(memory_.least_potential_J, entries_[kPotential]);
  memory_.largest_potential_J = std::max(memory_.largest_potential_J, entries_[kPotential]);
  const bool is_worse = !(std::abs(entries_[kDrift]) <= std::abs(memory_.worst_drift_J));  // also where it is no number
  if (is_worse && !std::isnan(memory_.worst_drift_J)) memory_.worst_drift_J = entries_[kDrift];
  summary.energy_final_J = entries_[kTotal];
  summary.account = account;
  summary.energy_drift_J = entries_[kDrift];
  summary.max_energy_drift_J = std::max(summary.max_energy_drift_J, std::abs(entries_[kDrift]));
}

}  // namespace freeplay::simulation

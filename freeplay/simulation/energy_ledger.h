// The energy ledger of a run: what is in the system, what has crossed its border, and what no source explains.
#pragma once

#include <array>
#include <cstdint>

#include "freeplay/integrators/step_record.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

class EnergyLedger {
 public:
  enum Entry : std::uint8_t {
    kKinetic,
    kPotential,
    kTotal,
    kImpactLoss,
    kFrictionLoss,
    kDampingLoss,
    kInput,
    kDrift,
    kEntryCount
  };
  static constexpr std::array<const char*, kEntryCount> kChannels = {
      "energy.kinetic",       "energy.potential",    "energy.total", "energy.impact_loss",
      "energy.friction_loss", "energy.damping_loss", "energy.input", "energy.drift"};

  // What later entries are compared with, and how far they went.
  struct Memory {
    double initial_J = 0;
    double largest_kinetic_J = 0;
    double least_potential_J = 0, largest_potential_J = 0;
    double worst_drift_J = 0;  // with its sign
    double least_impact_loss_J = 0;
    // Of impacts and friction together: what was lost at most, and how far it went back from there.
    double most_lost_J = 0, largest_gain_J = 0;

    // The energy that went from one form to another, or over the border: what an error is to be compared with. The zero
    // of the potential does not matter.
    double exchanged_J(const EnergyAccount& account) const;
    // What the rounding of the entries makes of a drift.
    double rounding_J() const;
  };

  // Opens the account at `state`, where `dynamics` stands.
  void open(Dynamics& dynamics, const State& state, RunSummary& summary);
  // After every step, be it recorded or not: what was lost up to now.
  void follow_losses(const EnergyAccount& account);
  // Entries at `state`, where `dynamics` stands before and after. `record`: of the step that led there.
  void book(Dynamics& dynamics, const State& state, const StepRecord& record, RunSummary& summary);

  const std::array<double, kEntryCount>& entries() const { return entries_; }  // J
  const Memory& memory() const { return memory_; }
  void set_memory(const Memory& memory) { memory_ = memory; }

 private:
  Memory memory_;
  std::array<double, kEntryCount> entries_{};
};

}  // namespace freeplay::simulation

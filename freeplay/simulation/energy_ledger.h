// The energy ledger of a run: what is in the system, what has crossed its border, and what no source explains.
#pragma once

#include <array>
#include <cstdint>

#include "freeplay/integrators/step_record.h"
#include "freeplay/simulation/recorder.h"

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

  // What all later entries are compared with.
  struct Memory {
    double initial_J = 0;
    double largest_kinetic_J = 0;
  };

  // Opens the account at `state`, where `dynamics` stands.
  void open(Dynamics& dynamics, const State& state, RunSummary& summary);
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

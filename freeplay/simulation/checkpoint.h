// All that the rest of a run depends on: a value. A run that goes on from it, in this process or another, gives the
// bits that the run gives that was not interrupted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/advice.h"
#include "freeplay/simulation/energy_ledger.h"
#include "freeplay/simulation/measures.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::simulation {

struct Checkpoint {
  std::string integrator;         // that has left State::method
  State state;                    // with the contacts' memory and what the method remembers
  IntegratorCounts counts;        // since the start of the run
  StepReport report;              // of the last step, or of the start
  RunSummary summary;             // so far; its status says why the run ended there
  std::int64_t grid_index = 1;    // the next step ends at this multiple of `step`
  bool first_row_waits = false;   // row 0 is to be written after the first step
  EnergyLedger::Memory ledger;    // what energies are compared with
  Advice::Memory advice;          // what has been told
  double drift_at_look_J = 0;     // StepStability::drift_at_look_J()
  double doubtful_J = 0;          // ExplosionWatch::doubtful_J()
  std::vector<double> contacts;   // ContactRecorder::memory()
  std::vector<double> reactions;  // ReactionWindows::memory()
  std::vector<double> channels;   // Dynamics::channel_memory()
  std::vector<double> passages;   // PassedParts::memory()
  Measures::Memory measures;      // of the rows so far
};

}  // namespace freeplay::simulation

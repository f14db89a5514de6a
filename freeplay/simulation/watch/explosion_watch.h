// Whether a run is carried away by energy that has no source, as by an explicit step that is too long for what is
// stiff.
//
// Doubt begins where energy without a source is more than half of all that was exchanged. A force that saturates, or a
// stop, may then bound the motion: it is wrong, but goes on. Only where the energy has grown ten thousand times since
// then is there nothing left of the motion that was asked for.
#pragma once

#include "freeplay/simulation/energy_ledger.h"

namespace freeplay::simulation {

class ExplosionWatch {
 public:
  // After `ledger` was booked. Energy that a driver or a load puts in has a source, and begins no doubt.
  bool is_exploding(const EnergyLedger& ledger, const EnergyAccount& account);
  // The energy is large for another reason than a step that is unstable: asks again when it has grown as much again.
  void go_on_from(const EnergyLedger& ledger);

  // What was exchanged when doubt began, 0 without doubt: all that a run that goes on elsewhere has to know.
  double doubtful_J() const { return doubtful_J_; }
  void set_doubtful_J(double energy_J) { doubtful_J_ = energy_J; }

 private:
  double doubtful_J_ = 0;
};

}  // namespace freeplay::simulation

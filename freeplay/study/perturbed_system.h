// A system that starts a little faster: the twin whose distance from the original tells how far ahead a run can be
// predicted.
#pragma once

#include "freeplay/mechanism/system.h"

namespace freeplay::study {

// All initial velocities are multiplied by 1 + `relative`; where all are zero, `relative` (m/s or rad/s) is added to
// each. Positions stay: gaps and loops that are closed remain so, and bilateral rows without prescribed motion hold for
// the scaled velocities too. What drivers prescribe, the start of a run projects back. `system` must outlive this.
class PerturbedSystem final : public System {
 public:
  PerturbedSystem(const System& system, double relative) : system_(system), relative_(relative) {}

  int coordinate_count() const override { return system_.coordinate_count(); }
  int velocity_count() const override { return system_.velocity_count(); }
  int row_count() const override { return system_.row_count(); }
  std::string row_name(int row) const override { return system_.row_name(row); }
  const MassStructure& mass_structure() const override { return system_.mass_structure(); }
  const std::vector<ChannelDescription>& channels() const override { return system_.channels(); }
  std::unique_ptr<Dynamics> make_dynamics() const override { return system_.make_dynamics(); }
  State initial_state() const override {
    State state = system_.initial_state();
    if (state.u.size() == 0) return state;
    if (state.u.cwiseAbs().maxCoeff() > 0)
      state.u *= 1 + relative_;
    else
      state.u.setConstant(relative_);
    return state;
  }

 private:
  const System& system_;
  double relative_;
};

}  // namespace freeplay::study

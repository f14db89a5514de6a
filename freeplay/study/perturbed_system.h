// A system that starts a little faster: the twin whose distance from the original tells how far ahead a run can be
// predicted.
#pragma once

#include <algorithm>
#include <cmath>

#include "freeplay/mechanism/system.h"

namespace freeplay::study {

// All velocities are multiplied by 1 + `relative`. One that is zero becomes up to `relative` times the largest
// (or 1 m/s or rad/s, if all are zero), with another factor for each: bodies that rest side by side, or move together,
// do so no longer.
inline VecX perturbed_velocities(const VecX& velocities, double relative) {
  VecX u = velocities;
  double largest = 0;
  for (const double each : u) largest = std::max(largest, std::abs(each));
  if (largest == 0) largest = 1;
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    // The cosine of a whole number has either sign and repeats no value.
    u[i] = u[i] != 0 ? (1 + relative) * u[i] : relative * largest * std::cos(static_cast<double>(i));
  }
  return u;
}

// Positions stay: gaps and loops that are closed remain so. What rows and drivers do not allow, the start of a run
// projects back. `system` must outlive this.
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
  double next_sample(double t) const override { return system_.next_sample(t); }
  double next_break(double t) const override { return system_.next_break(t); }
  double shortest_period() const override { return system_.shortest_period(); }
  std::optional<MotionJump> next_motion_jump(double t) const override { return system_.next_motion_jump(t); }
  State initial_state() const override {
    State state = system_.initial_state();
    state.u = perturbed_velocities(state.u, relative_);
    return state;
  }

 private:
  const System& system_;
  double relative_;
};

}  // namespace freeplay::study

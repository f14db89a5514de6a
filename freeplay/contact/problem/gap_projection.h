// Pushes bodies apart that time stepping has let penetrate: the mass-orthogonal displacement with  g_N >= -threshold,
// bilateral rows kept closed. Velocities stay; what the displacement does to the energy shows up as drift.
#pragma once

#include <vector>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/contact/points/contact_model.h"
#include "freeplay/core/status.h"

namespace freeplay::contact {

class GapProjection {
 public:
  // A small positive threshold keeps the contact closed: at g = 0 rounding would open it and let it strike again.
  GapProjection(const System& system, const ContactModel& contacts, double threshold_m);

  // Moves state.q. Afterwards `dynamics` stands at the projected position. Allocates nothing.
  [[nodiscard]] StepStatus project(Dynamics& dynamics, ContactKinematics& kinematics, State& state);

 private:
  bool is_met(const VecX& g) const;
  void assemble(Dynamics& dynamics, ContactKinematics& kinematics);

  const ContactModel& contacts_;
  double threshold_;
  int bilateral_count_;
  std::unique_ptr<Solver> solver_;
  MassMatrix M_;
  BilateralRows bilateral_;
  ContactRows rows_;
  VecX g_, bilateral_g_, c_, Lambda_, delta_;
  MatX B_, G_;
  std::vector<ImpulseBlock> blocks_;
  std::vector<int> points_;
  int count_ = 0;
};

}  // namespace freeplay::contact

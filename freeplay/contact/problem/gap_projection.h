// Pushes bodies apart that time stepping has let penetrate: the mass-orthogonal displacement with  g_N >= -threshold,
// bilateral rows kept closed. Velocities stay; what the displacement does to the energy shows up as drift.
#pragma once

#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/contact/problem/delassus.h"
#include "freeplay/contact/problem/impulse_solver.h"
#include "freeplay/core/status.h"

namespace freeplay::contact {

class GapProjection {
 public:
  // A small positive threshold keeps the contact closed: at g = 0 rounding would open it and let it strike again.
  GapProjection(const System& system, const ContactModel& contacts, double threshold_m);

  // Moves state.q. Afterwards `dynamics` stands at the projected position, and `kinematics` has found what is near
  // there. Cost and memory follow the points that are near.
  [[nodiscard]] StepStatus project(Dynamics& dynamics, ContactKinematics& kinematics, State& state);

 private:
  bool is_met(const ContactSet& points) const;
  void assemble(Dynamics& dynamics, ContactKinematics& kinematics);
  void make_room(int rows);

  double threshold_;
  int bilateral_count_;
  ImpulseSolver solver_;
  MassMatrix M_;
  RowStore rows_, rows_of_point_;
  Delassus G_;
  VecX g_, bilateral_g_, c_, Lambda_, delta_;
  std::vector<ImpulseBlock> blocks_;
  std::vector<int> block_begin_;
  std::vector<char> was_closed_;  // per point: during this projection
};

}  // namespace freeplay::contact

#include "freeplay/integrators/step_reactions.h"

namespace freeplay::integrators {

void begin_record(const State& state, const VecX& accelerations, const VecX& row_efforts, StepRecord& record) {
  record.is_known = true;
  record.t = state.t;
  record.q = state.q;
  record.u = state.u;
  record.accelerations = accelerations;
  record.row_efforts = row_efforts;
  record.contact_forces.clear();
  record.position_of_velocity.resize(0);
}

Dynamics& set_reactions(const StepRecord& record, Dynamics& spare) {
  return StepReactions().set(record, spare);
}

Dynamics& StepReactions::set(const StepRecord& record, Dynamics& spare) {
  Dynamics& dynamics = record.dynamics_there == nullptr ? spare : *record.dynamics_there;
  if (record.dynamics_there == nullptr) {
    dynamics.set_position(record.t, record.q);
    dynamics.set_velocity(record.u);
  }
  if (asked_ != &dynamics) {
    asked_ = &dynamics;
    bodies_ = dynamic_cast<BodyDynamics*>(&dynamics);
  }
  if (bodies_ != nullptr) bodies_->set_contact_forces(record.contact_forces);
  dynamics.set_accelerations(record.accelerations, record.row_efforts);
  return dynamics;
}

}  // namespace freeplay::integrators

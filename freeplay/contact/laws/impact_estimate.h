// What an impact would do to each compliant contact: looked at before a run, from the initial state.
#pragma once

#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::contact {

struct ImpactEstimate {
  int point = 0;                  // of ContactModel::points(); it has a force law
  ContactOnset onset;             // mass: infinite if the bilateral rows do not let the point move
  bool speed_is_assumed = false;  // the bodies do not approach in the initial state
  double depth_m = 0, time_s = 0;
  double delivered_restitution = 1;
};

// One entry for each point that has a force law. The speed is that of approach in the initial state, or 1 m/s where
// there is none; the mass is 1/(w^T M^-1 w) there, with the bilateral rows taken as rigid.
std::vector<ImpactEstimate> estimate_impacts(const System& system, const ContactModel& contacts);

}  // namespace freeplay::contact

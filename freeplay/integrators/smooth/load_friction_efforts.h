// Friction of joints by load (LoadFriction) under a smooth integrator. The effort depends on the reactions, and these
// on the effort, at the same instant:
//
//   M du/dt = h + W lambda + sum_k w_k tau_k,   tau_k = -(dry_effort + limit(lambda)) r(v_k)
//
// r is the ramp of regularised friction (sliding_force_law.h). It is a fixed point in tau, which is found anew at every
// evaluation from nothing, so that the same state has the same accelerations.
#pragma once

#include <vector>

#include "freeplay/integrators/smooth/compliant_contacts.h"
#include "freeplay/mechanism/rows/projection.h"

namespace freeplay::integrators {

class LoadFrictionEfforts {
 public:
  // Both must outlive this.
  LoadFrictionEfforts(const System& system, const ContactModel& contacts);
  bool is_empty() const { return joints_.empty(); }

  // The equations of motion: h with all other loads, and where the answer goes.
  struct Equations {
    BilateralWorkspace& workspace;  // updated, with zeta
    VecX& h;                        // gets the efforts of friction as well
    VecX &du, &lambda;
  };
  // After CompliantContacts::add_loads(). As BilateralWorkspace::accelerations(); negative if no fixed point is found.
  [[nodiscard]] double accelerations(const Equations& on, CompliantContacts& contacts, ContactKinematics& kinematics);
  // What friction by load takes, W.
  double power(const CompliantContacts& contacts) const;

 private:
  struct Joint {
    int point = 0;
    const PointLaw* law = nullptr;
    double effort = 0;
  };
  std::vector<Joint> joints_;
  RowStore rows_;  // one per joint
  VecX free_;      // h without friction by load
};

}  // namespace freeplay::integrators

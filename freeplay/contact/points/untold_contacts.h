// Contacts that a gap function does not tell, since they are farther apart than its reach, and of which it would tell
// nothing either once they are as deep: those of meshes.
#pragma once

#include <limits>

#include "freeplay/core/layers.h"

namespace freeplay::contact {

// Of one pair, at the position and velocity of the kinematics. Infinite gaps: it tells all of its contacts.
struct UntoldContacts {
  double reach_m = std::numeric_limits<double>::infinity();
  double gap_m = reach_m;  // the surfaces are no nearer there; no less than the reach
  double speed_m_s = 0;    // the one surface moves no faster against the other, at any place where they could touch
};

}  // namespace freeplay::contact

// Mechanisms with joints with play: they start as if those joints were ideal (mechanism/building/start_as_ideal.h).
#pragma once

#include <memory>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::contact {

// The description with these joints, and no others, as MechanismSpec::joints_with_play.
MechanismSpec with_play(MechanismSpec spec, const std::vector<ClearanceJointSpec>& clearance_joints);

// The mechanism with its joints with play centred and at equal rates; where the initial values of bodies contradict
// that, the bodies win. Without such joints this is Mechanism::build. Throws ModelError.
std::shared_ptr<const Mechanism> build_mechanism_with_play(const MechanismSpec& spec,
                                                           const std::vector<ClearanceJointSpec>& clearance_joints);

}  // namespace freeplay::contact

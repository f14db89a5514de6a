// How loose joints start. A joint is loose if it has play or is a bushing: no tree edge, no rows. It starts as if it
// were ideal, centred and at equal rates, unless a body's initial values say otherwise.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

// The description with its bushings, and behind all other joints those `with_play`, as ideal constraints: the tree and
// its coordinates stay the same.
MechanismSpec ideal_twin(const MechanismSpec& spec, const std::vector<JointSpec>& with_play);

// The mechanism of `spec`; the joints `with_play` are not in it, but it starts with them centred as well. Where the
// initial values of bodies contradict that, the bodies win. Throws ModelError.
std::shared_ptr<const Mechanism> build_started_as_ideal(const MechanismSpec& spec,
                                                        const std::vector<JointSpec>& with_play);

}  // namespace freeplay::mechanism

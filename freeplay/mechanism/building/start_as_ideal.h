// How loose joints start. A joint is loose if it has play or is a bushing: no tree edge, no rows. It starts as if it
// were ideal, centred and at equal rates, unless a body's initial values say otherwise.
#pragma once

#include <memory>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

// The description with its bushings, and behind all other joints those with play, as ideal constraints: the tree and
// its coordinates stay the same.
MechanismSpec ideal_twin(const MechanismSpec& spec);

// The mechanism of `spec`, with its loose joints centred and at equal rates. Where the initial values of bodies
// contradict that, the bodies win. Throws ModelError.
std::shared_ptr<const Mechanism> build_started_as_ideal(const MechanismSpec& spec);

// The mechanism of `spec`, with all bodies placed and moving as `twin` starts: the same bodies and joints, of which
// some are tree edges there and constraints in `spec`, and may have initial values in the one place only. Throws
// ModelError.
std::shared_ptr<const Mechanism> build_started_as(const MechanismSpec& spec, const MechanismSpec& twin);

}  // namespace freeplay::mechanism

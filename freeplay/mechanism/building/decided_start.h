// What the initial values of bodies decide about loose joints before any ideal joint is tried in their places: the
// ideal twin of a chain of hundreds of links is one deep tree, or a system of all its equations.
#pragma once

#include <vector>

#include "freeplay/mechanism/description/mechanism_spec.h"

namespace freeplay::mechanism {

// Whether everything that these loose joints could decide is given already: they connect bodies that no other joint
// holds and that say where they are and how they move, or the ground. Where nothing says that anything moves, ideal
// joints would leave bodies at rest, and the place is enough.
bool bodies_say_all(const MechanismSpec& spec, const std::vector<JointSpec>& loose);

// Whether these bodies (one flag each) say the same of themselves, if nothing that the others say of their velocities
// reaches them.
bool chosen_bodies_say_all(const MechanismSpec& spec, const std::vector<bool>& chosen);

// Whether one of the loose joints is off its centre between two bodies that say where they are, by more than rounding:
// no ideal joint in its place can then meet what they say.
bool bodies_contradict(const MechanismSpec& spec, const std::vector<JointSpec>& loose);

}  // namespace freeplay::mechanism

// Which contacts a step in the plane may take for closed before it has solved anything.
#pragma once

#include <span>

#include "freeplay/complementarity/problem/local_problem.h"
#include "freeplay/contact/problem/law_writer.h"

namespace freeplay::contact {

// Where a first solve may start: contacts of joints with play that were loaded in the step before, and all that
// approach, are closed, and slide on the way they went. In a chain of free bodies most contacts are closed by what
// others carry, which their own velocities do not tell. No impulse is taken over, and nothing sticks: which of several
// solutions is found is not for the past to say. (Contacts of shapes may be redundant, and share their load otherwise.)
// False where the velocities alone say the same, or where the rows are not those of the plane.
bool guess_lasting(const LawRows& rows, std::span<const int> first_row, std::span<const ImpulseBlock> blocks,
                   const ConstVecRef& c, VecRef Lambda);

}  // namespace freeplay::contact

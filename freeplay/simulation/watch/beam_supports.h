// Beams whose shapes do not fit what joints do to them: looked for before the first step, and told in words.
#pragma once

#include <string>
#include <vector>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::simulation {

// Shapes that hold an end of a beam which nothing else holds, in words.
std::vector<std::string> warnings_on_held_ends(const System& system);
// Ends to which another elastic body is fixed, and whose shapes carry no moment there.
std::vector<std::string> warnings_on_momentless_ends(const System& system);
// Beams that cannot bend, since joints hold their ends apart and they cannot stretch.
std::vector<std::string> warnings_on_locked_beams(const System& system);

}  // namespace freeplay::simulation

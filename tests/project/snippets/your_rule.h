// Around the rule of docs/develop/integrator.md (tests/project/snippets_test.py).
#pragma once

#include <memory>

#include "freeplay/integrators/moreau/moreau_stepping.h"

namespace freeplay::integrators {

// here

}  // namespace freeplay::integrators

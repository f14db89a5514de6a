// Solver "semismooth-newton": Newton's method on the prox equation (newton_iteration.h), first in the form of Alart and
// Curnier (1991), then, where that stalls, as natural map. Few iterations, each a linear system of the closed contacts;
// fails where the start is far and friction large, which proximal-point mends.
#pragma once

#include <memory>

#include "freeplay/complementarity/solver.h"

namespace freeplay {

std::unique_ptr<Solver> make_semismooth_newton();

}  // namespace freeplay

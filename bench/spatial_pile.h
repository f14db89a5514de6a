// The second part of bench/spatial.cpp: spheres that fall into a box, here, in ODE and in Bullet.
#pragma once

#include "bench/effort.h"

namespace freeplay::bench {

// Prints steps per second beside how well each engine keeps the laws of contact.
void compare_piles(Effort effort);

}  // namespace freeplay::bench

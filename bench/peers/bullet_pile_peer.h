// Bullet (https://github.com/bulletphysics/bullet3) as a peer of bench/spatial.cpp. Needs no header of Bullet.
#pragma once

#include "bench/pile.h"

namespace freeplay::bench {

// By btSequentialImpulseConstraintSolver with its defaults (warm start), so many sweeps per step, friction in two
// directions each for itself.
std::unique_ptr<PilePeer> make_bullet_pile(const PileScene& scene, int iterations);

}  // namespace freeplay::bench

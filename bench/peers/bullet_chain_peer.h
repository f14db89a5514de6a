// Bullet (https://github.com/bulletphysics/bullet3) as a peer of bench/chain.cpp. Needs no header of Bullet.
#pragma once

#include "bench/chain_peer.h"

namespace freeplay::bench {

// Pins are ball joints without elasticity, rollers small spheres on the links, pulleys cylinders; everything moves in
// the plane only. By btSequentialImpulseConstraintSolver with its defaults (warm start), so many sweeps per step.
std::unique_ptr<ChainPeer> make_bullet_chain(const ChainScene& scene, int iterations);

}  // namespace freeplay::bench

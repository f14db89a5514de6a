// Bullet (https://pybullet.org) as a peer of bench/shapes.cpp. Needs no header of Bullet.
#pragma once

#include "bench/shape_pair.h"

namespace freeplay::bench {

// btGjkPairDetector with the default penetration solver. An ellipsoid is a sphere whose scale differs along its axes.
std::unique_ptr<ShapePeer> make_bullet_shapes(const SolidPair& pair);

}  // namespace freeplay::bench

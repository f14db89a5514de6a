// What other engines do with three small scenes, at their usual settings. Plain numbers: no header of an engine is
// needed.
#pragma once

namespace freeplay::bench {

// A block of 1 kg, 200 x 100 x 100 mm, is thrown along a floor at 5 m/s, friction 0.5, without restitution: the largest
// speed at which it rises in a second, m/s. Steps of 1 ms.
double bullet_lift_m_s();
double ode_lift_m_s(bool by_iterations);

// The block stands between two walls with 1 mm of play on either side and is pushed to one and to the other: how far it
// gets, m. As a box, or as the hull of its corners, with the margin that Bullet gives to every shape.
double bullet_travel_m(bool as_hull);

// Ten balls of 50 mm on top of each other; nine have 1 kg, the one on top has `top_kg`. How far it has sunk after a
// second, m. Steps of 1 ms.
double bullet_sink_m(double top_kg, int iterations);
double ode_sink_m(double top_kg, int iterations);

}  // namespace freeplay::bench

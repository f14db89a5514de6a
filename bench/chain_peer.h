// The chain of examples/roller_chain.yaml as plain numbers for engines of rigid bodies. Needs no header of an engine.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace freeplay::bench {

struct ChainLink {
  double x_m, y_m, angle, vx_m_s, vy_m_s, omega;
};

struct ChainScene {
  double pitch_m, mass_kg, inertia_kg_m2;
  double pulley_radius_m, pulley_inertia_kg_m2, centre_distance_m, speed, friction, step_s;
  std::vector<ChainLink> links;
};

class ChainPeer {
 public:
  virtual ~ChainPeer() = default;
  virtual void step() = 0;
  virtual double driven_speed() const = 0;
  // How far the two halves of the worst pin are apart.
  virtual double widest_pin_m() const = 0;
};

}  // namespace freeplay::bench

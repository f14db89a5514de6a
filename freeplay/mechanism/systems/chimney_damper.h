// A chimney with a pendulum at its top, whose rod moves a stack of plates by the holes in them (Pfeiffer 1999, section
// 3.3). The paper gives no equations; the model is that of docs/examples/chimney_damper.md. Small motions.
#pragma once

#include <span>

#include "freeplay/core/layers.h"

namespace freeplay::mechanism {

// Metres, kilograms, seconds; in the order of the parameters of the registry.
struct ChimneyDamperParameters {
  double plates, graduation, friction;
  double smallest_clearance, restitution, plate_mass;
  double pendulum_mass, pendulum_length, pendulum_damping, locked;
  double chimney_mass, frequency, damping_ratio;
  double g;
  double displacement;  // of the chimney at the start

  int plate_count() const { return static_cast<int>(plates); }
  bool is_locked() const { return locked != 0; }
  double mass_of_a_plate() const { return plate_mass / plates; }
  // Of the rod in the hole of a plate, to either side. Plates are counted from the top, 0, 1, ...: holes grow in equal
  // steps from the smallest clearance to `graduation`; a single plate has half of `graduation`, as in the paper.
  double clearance(int plate) const;
  // On the surface below a plate: its own weight, and that of all above.
  double normal_load(int plate) const { return g * mass_of_a_plate() * (plate + 1); }
};

// The coordinates: the chimney's displacement x, that of the rod against the chimney s, those of the plates against it.
struct ChimneyDamperCoordinates {
  static constexpr int kChimney = 0, kPendulum = 1;
  static constexpr int plate(int i) { return 2 + i; }
  static constexpr int count(int plates) { return 2 + plates; }
};

// `values`: one per parameter of the system "chimney_damper", as the registry checks them.
ChimneyDamperParameters chimney_damper_parameters(std::span<const double> values);

}  // namespace freeplay::mechanism

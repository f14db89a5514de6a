// The woodpecker toy of Glocker (1995): a sleeve with play on a pole, a bird on it by a spring. Small angles.
#pragma once

#include <span>

#include "freeplay/core/layers.h"

namespace freeplay::mechanism {

// Metres, kilograms, seconds; in the order of the parameters of the registry.
struct WoodpeckerParameters {
  double pole_radius, sleeve_radius, sleeve_half_height, pivot_distance, bird_distance, beak_height, beak_length;
  double sleeve_mass, bird_mass, sleeve_inertia, bird_inertia, stiffness, g;
  double beak_restitution, sleeve_restitution, friction;
  double y, sleeve_angle, bird_angle, vy, sleeve_omega, bird_omega;  // at the start
};

// `values`: one per parameter of the system "woodpecker", as the registry checks them.
WoodpeckerParameters woodpecker_parameters(std::span<const double> values);

}  // namespace freeplay::mechanism

// Simbody (https://github.com/simbody/simbody) as a peer of bench/tree.cpp. Needs no header of Simbody, and is C++17.
#pragma once

#include <vector>

#include "bench/measure.h"
#include "bench/tree_model.h"

namespace freeplay::bench {

// Forward dynamics by Simbody: du/dt at (q, u) under gravity. One number per body in each vector.
std::vector<double> simbody_accelerations(Topology topology, const std::vector<double>& q,
                                          const std::vector<double>& u);

// Evaluations of the same per second, at the states of fill_state().
double simbody_evaluations_per_second(Topology topology, int bodies, const MeasureOptions& measure);

}  // namespace freeplay::bench

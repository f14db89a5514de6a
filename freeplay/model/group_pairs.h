// Groups of few shapes for integrators that follow every pair all the time: each pair becomes a contact with a name.
#pragma once

#include <cstddef>

#include "freeplay/integrators/integrator.h"
#include "freeplay/model/model_spec.h"

namespace freeplay::model {

// Of all groups together. Every pair is looked at in every step, and has channels: with more of them both would be
// slower than time stepping with its search for what is near.
inline constexpr std::size_t kMostNamedPairs = 300;

// How many pairs of shapes of different bodies the groups have.
std::size_t group_pair_count(const ModelSpec& spec);

// Whether the groups of the model are to be taken as contacts: the integrator does not know groups, and there are few
// pairs.
bool names_group_pairs(const ModelSpec& spec, const IntegratorEntry& integrator);

// The model with a contact "<group>_<body>_<shape>_<body>_<shape>" for every pair, and no groups.
ModelSpec with_named_pairs(ModelSpec spec);

}  // namespace freeplay::model

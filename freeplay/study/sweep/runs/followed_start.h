// A run that begins where another one, of a model with slightly other values, has ended.
#pragma once

#include <span>

#include "freeplay/model/model.h"

namespace freeplay::study {

// `numbers`: coordinates, then velocities. Time begins anew, and what a drive has turned by whole turns is turned back.
// What the other values do not allow, loops that do not close and parts that overlap, is put right by the shortest way
// (GapProjection). Throws ModelError where that is not possible, where the model has other coordinates, and where its
// drives begin somewhere else.
State followed_start(const Model& model, std::span<const double> numbers);

}  // namespace freeplay::study

// Derivatives of recorded numbers, recorded themselves.
#pragma once

#include "freeplay/math/recording/recorded.h"

namespace freeplay::math {

// As TimeJet: value and first two derivatives.
struct RecordedJet {
  Recorded value, rate, acceleration;
};

// Derivatives of `value` with respect to `variable`, by the rules of expressions. `value` must be made of `variable`
// and of constants alone.
RecordedJet jet_along(const Recorded& value, const Recorded& variable);

}  // namespace freeplay::math

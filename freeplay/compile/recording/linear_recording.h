// The recording of a LinearSystem (mechanism/systems/linear_system.h) with its linear contacts, such as the woodpecker:
// constant matrices and rows.
#pragma once

#include "freeplay/compile/recording/recorded_outputs.h"

namespace freeplay::compile {

// Whether the system and its contacts, if it has any, are linear.
bool is_linear_model(const Model& model);
// As record_model().
ModelRecording record_linear_model(const Model& model, const WantedOutputs& wanted);

}  // namespace freeplay::compile

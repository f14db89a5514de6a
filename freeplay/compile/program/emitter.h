// Straight-line C++ of a graph, in stages: what follows from the member's numbers alone, from the position, the rows of
// contacts, the forces, the solution with M, the channels, and what is
// measured of impacts.
#pragma once

#include <string>

#include "freeplay/compile/program/graph.h"
#include "freeplay/compile/recording/model_recording.h"

namespace freeplay::compile {

std::string emit_mechanism(const Graph& graph, const ModelRecording& recording, int members);

// A number as C++ reads it back with the same bits: "0x1.8p+1".
std::string exact_text(double value);

}  // namespace freeplay::compile

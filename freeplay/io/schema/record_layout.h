// What a result file says about the model it comes from.
#pragma once

#include "freeplay/io/model/model_file.h"
#include "freeplay/simulation/recording/recorder.h"

namespace freeplay::io {

// Attributes (the model's text, its parameters, how it is run, which version runs it) and geometry; Simulation::run
// adds the channels. Holds no clock time and no path but the file's name, so that two runs give the same data.
//
//   model, model_file, name, reference    texts
//   parameters                            JSON: {NAME: {"text", "value", "unit"} or {"text", "word"}}, values in SI
//   overrides                             JSON: the texts of --set
//   version, integrator, solver           texts
//   simulate                              JSON: every option of `simulate` that has a value, in SI, and record_every
RecordLayout record_layout(const ModelFile& file);

}  // namespace freeplay::io

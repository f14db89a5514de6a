// The builders of freeplay/model/model.h for models from files: what they throw gets its place in the file.
#pragma once

#include "freeplay/io/model/model_file.h"
#include "freeplay/model/model.h"

namespace freeplay::io {

// Each does what its namesake for a ModelSpec does. Every ModelError that leaves from here, and every obstacle, has its
// mark and its line of the file.
std::shared_ptr<const System> build_system(const ModelFile& file);
Model build_model(const ModelFile& file);
std::vector<Diagnostic> run_obstacles(const ModelFile& file);
std::unique_ptr<Simulation> build_simulation(const ModelFile& file, const Model& model);

}  // namespace freeplay::io

#include "freeplay/io/model/model_build.h"

namespace freeplay::io {

namespace {

template <class Action>
auto located(const ModelFile& file, Action action) {
  try {
    return action();
  } catch (const ModelError& error) {
    throw file.located(error);
  }
}

}  // namespace

std::shared_ptr<const System> build_system(const ModelFile& file) {
  return located(file, [&] { return model::build_system(file); });
}

Model build_model(const ModelFile& file) {
  return located(file, [&] { return model::build_model(file); });
}

std::vector<Diagnostic> run_obstacles(const ModelFile& file) {
  std::vector<Diagnostic> obstacles = model::run_obstacles(file);
  if (obstacles.empty()) return obstacles;
  return file.located(ModelError(std::move(obstacles))).diagnostics();
}

std::unique_ptr<Simulation> build_simulation(const ModelFile& file, const Model& model) {
  return located(file, [&] { return model::build_simulation(file, model); });
}

}  // namespace freeplay::io

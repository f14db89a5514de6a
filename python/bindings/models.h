// A model as Python holds it, and what a run of it is asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "interruptible.h"

namespace freeplay::app::python {

// A function of Python as a force or a torque on a body.
struct PythonLoad {
  std::string body;
  py::function function;  // of t and the channels
  std::vector<std::string> reads;
  Vec3 at_m = Vec3::Zero();
  bool is_torque = false;
};

// Functions of Python as laws of a contact or of a joint with play: either mu(v), or an elastic force and what damping
// adds to it.
struct PythonLaw {
  std::string contact;
  std::optional<py::function> elastic{}, damping{}, friction{};
};

// A model file, read and built: frozen, so that threads may share it.
struct LoadedModel {
  ModelFile file;
  Model model;
  std::vector<PythonLoad> loads;
  std::vector<std::shared_ptr<const PythonLaw>> laws;  // `file` and `model` have them
};

// Where a run starts instead of at the model's own initial state.
struct StartState {
  double t = 0;
  std::vector<double> q, u;
};

// The initial state with other numbers. Throws UsageError if there are too many of them or too few.
State start_of(const LoadedModel& model, const std::optional<StartState>& start);

}  // namespace freeplay::app::python

// Loads whose values are functions of Python, and a run of a model with functions.
#pragma once

#include <exception>
#include <memory>
#include <mutex>

#include "forced_system.h"
#include "models.h"

namespace freeplay::app::python {

// One run of a model with its loads and laws. What a function of Python throws ends the run at its next step, since it
// must not pass through the C code of an integrator; rethrow() is for the time after.
class RunModel {
 public:
  // Requires the interpreter's lock.
  RunModel(std::shared_ptr<LoadedModel> model, StopFlag& stop);

  const ModelFile& file() const { return file_; }
  const Model& model() const { return model_; }
  void rethrow() const;

 private:
  void take_laws();
  void take_loads();
  Vec3 ask(const PythonLoad& load, double t, std::span<const double> channels);
  void keep_failure();

  std::shared_ptr<LoadedModel> loaded_;
  StopFlag& stop_;
  ModelFile file_;
  Model model_;
  mutable std::mutex mutex_;
  std::exception_ptr failure_;
};

// Checks it against the model. Throws UsageError.
FunctionLoad load_on(const LoadedModel& model, const PythonLoad& load);

}  // namespace freeplay::app::python

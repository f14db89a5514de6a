// Runs one formulation of a model, or a variant of it.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>

#include "freeplay/io/model/model_build.h"
#include "freeplay/study/formulation.h"
#include "freeplay/study/trace.h"

namespace freeplay::study {

struct RunVariant {
  double perturbation = 0;        // of the initial velocities: a twin
  int refinement = 1;             // 2: half of the step, or a hundredth of the tolerance; 4: half of these; ...
  std::optional<double> until_s;  // ends earlier
};

// Who watches. Every function may be empty.
struct StudyHooks {
  const std::atomic<bool>* stop_requested = nullptr;
  std::function<void(const std::string& title, double duration_s)> run_begins;
  std::function<void(double fraction, std::int64_t steps)> progress;
  std::function<void(const StudyRun&)> run_ends;

  bool should_stop() const { return stop_requested != nullptr && stop_requested->load(std::memory_order_relaxed); }
};

// Never throws for what the model refuses or for a run that fails: it stands in the result. `result`: where the result
// file goes; nothing is written without it. Throws IoError.
StudyRun run_formulation(const ModelFile& given, const Formulation& formulation, const RunVariant& variant,
                         const std::vector<std::string>& curves, const std::optional<std::filesystem::path>& result,
                         const StudyHooks& hooks);

}  // namespace freeplay::study

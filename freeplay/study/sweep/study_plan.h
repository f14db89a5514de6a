// What a study was asked for, read back from its file.
#pragma once

#include <filesystem>
#include <optional>

#include "freeplay/study/sweep/runs/sweep_runner.h"

namespace freeplay::study {

// Of the model's text in the file, or of `model`, where it names tables, meshes or other files. Throws IoError if the
// file does not say what it holds.
SweepPlan plan_of_study(const SweepTable& table, const std::optional<std::filesystem::path>& model);

}  // namespace freeplay::study

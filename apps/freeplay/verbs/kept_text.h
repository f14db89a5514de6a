// Models from the text that a result or a study keeps. It is the text of the model's own file: files that it includes,
// tables, meshes and modes are not in it.
#pragma once

#include <filesystem>
#include <optional>

#include "freeplay/core/error.h"

namespace freeplay::app {

// The same error; where the kept text names another file, it asks for --model.
[[noreturn]] void rethrow_of_kept_text(const ModelError& error);

// What `work` gives, which reads the kept text unless there is `model`, the option --model.
template <class Work>
auto from_kept_text(const std::optional<std::filesystem::path>& model, const Work& work) {
  try {
    return work();
  } catch (const ModelError& error) {
    if (model) throw;
    rethrow_of_kept_text(error);
  }
}

}  // namespace freeplay::app

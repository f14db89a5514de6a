// The rows of a run in memory.
#pragma once

#include <filesystem>
#include <memory>

#include "freeplay/simulation/recording/memory_sink.h"

namespace freeplay::app::python {

// What a run has left, frozen: arrays of Python look at its columns.
struct RunRows {
  MemorySink kept;

  // Writes the result file that the run would have written.
  void write(const std::filesystem::path& path) const;
};

}  // namespace freeplay::app::python

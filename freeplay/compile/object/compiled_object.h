// A shared object of a compiled mechanism, loaded.
#pragma once

#include <filesystem>
#include <memory>

#include "freeplay/compile/step/compiled_interface.h"
#include "freeplay/core/layers.h"

namespace freeplay::compile {

class CompiledObject {
 public:
  // Throws CompileError if it is not one of this version.
  explicit CompiledObject(const std::filesystem::path& file);

  const FreeplaySizes& sizes() const { return sizes_; }
  // From several threads at once, with different data.
  void run(FreeplayRun& run) const { run_(&run); }

 private:
  std::shared_ptr<void> library_;
  FreeplaySizes sizes_{};
  void (*run_)(FreeplayRun*) = nullptr;
};

}  // namespace freeplay::compile

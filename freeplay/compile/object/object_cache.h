// Shared objects of emitted sources: compiled once by the system's compiler, kept in a folder of the user's own.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::compile {

// There is no shared object, and why: no compiler, one that fails, no room, a folder that others could write to. Runs
// can be done by the engine all the same.
class CompileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CachedObject {
  std::filesystem::path file;
  bool was_there = false;
  double seconds = 0;
};

// $XDG_CACHE_HOME/freeplay/compiled, or ~/.cache/freeplay/compiled; for the user alone (0700). Throws CompileError.
std::filesystem::path object_folder();

// How a source becomes a shared object.
struct Toolchain {
  std::filesystem::path compiler;
  std::vector<std::string> flags;
  std::string suffix;  // of the source
  std::string target;  // what the object is for, beside the compiler and its flags
};
// The first of c++, g++, clang++ on the path, or $FREEPLAY_CXX; for this processor. Throws CompileError.
Toolchain processor_toolchain();
// nvcc: $FREEPLAY_NVCC, on the path, in bin below $CUDA_PATH or $CUDA_HOME, or where CUDA is installed by default; for
// GPUs of one architecture, such as "sm_90". Throws CompileError.
Toolchain gpu_toolchain(const std::string& architecture);

// Throws CompileError for an object that is in the cache and of no use; it is removed, so that the next try compiles
// again.
[[noreturn]] void refuse_object(const std::filesystem::path& file, const std::string& reason);

// Compiles `source` unless an object of the same text, version, compiler and target is there. No shell, and nothing
// of the model on the command line; the file appears whole or not at all. Throws CompileError.
CachedObject compile_object(const std::string& source, const Toolchain& toolchain);

}  // namespace freeplay::compile

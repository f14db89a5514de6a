// Shared objects of emitted sources: compiled once by the system's compiler, kept in a folder of the user's own.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

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

// The compiler: $FREEPLAY_CXX, or the first of c++, g++, clang++ on the path. Throws CompileError.
std::filesystem::path find_compiler();

// Compiles `source` unless an object of the same text, version, compiler and processor is there. No shell, and nothing
// of the model on the command line; the file appears whole or not at all. Throws CompileError.
CachedObject compile_object(const std::string& source);

}  // namespace freeplay::compile

// A shared object of the cache, loaded into this process.
#pragma once

#include <filesystem>
#include <memory>

#include "freeplay/core/layers.h"

namespace freeplay::compile {

// Whether all that is mapped from a shared object is in the file: its head and its segments. dlopen looks at the head
// alone, and pages behind the end of a file are a bus error. Throws CompileError where the file cannot be read: that
// says nothing about it.
bool is_whole_object(const std::filesystem::path& file);

// The library, unloaded with the last copy of it. Throws CompileError. Only a damaged file is removed, which the system
// would load and then crash on: a whole one that does not load now may do so when there is memory again, a library is
// back, or the folder's disk lets programs run.
std::shared_ptr<void> load_object(const std::filesystem::path& file);

}  // namespace freeplay::compile

#include "freeplay/compile/object/compiled_object.h"

#include <dlfcn.h>

#include "freeplay/compile/object/object_cache.h"
#include "freeplay/compile/object/shared_object.h"

namespace freeplay::compile {

CompiledObject::CompiledObject(const std::filesystem::path& file) : library_(load_object(file)) {
  void* sizes = dlsym(library_.get(), "freeplay_sizes");
  void* run = dlsym(library_.get(), "freeplay_run");
  if (sizes == nullptr || run == nullptr) refuse_object(file, "is no compiled mechanism");
  reinterpret_cast<void (*)(FreeplaySizes*)>(sizes)(&sizes_);
  run_ = reinterpret_cast<void (*)(FreeplayRun*)>(run);
}

}  // namespace freeplay::compile

#include "freeplay/compile/object/compiled_object.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "freeplay/compile/object/object_cache.h"

namespace freeplay::compile {

CompiledObject::CompiledObject(const std::filesystem::path& file)
    : library_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
        if (handle != nullptr) dlclose(handle);
      }) {
  if (library_ == nullptr) refuse_object(file, fmt::format("cannot be loaded: {}", dlerror()));
  void* sizes = dlsym(library_.get(), "freeplay_sizes");
  void* run = dlsym(library_.get(), "freeplay_run");
  if (sizes == nullptr || run == nullptr) refuse_object(file, "is no compiled mechanism");
  reinterpret_cast<void (*)(FreeplaySizes*)>(sizes)(&sizes_);
  run_ = reinterpret_cast<void (*)(FreeplayRun*)>(run);
}

}  // namespace freeplay::compile

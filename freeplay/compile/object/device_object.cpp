#include "freeplay/compile/object/device_object.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "freeplay/compile/object/object_cache.h"
#include "freeplay/compile/object/shared_object.h"

namespace freeplay::compile {

namespace {

using DeviceText = std::array<char, 256>;

template <class Function>
void load_function(void* library, const char* name, Function*& function) {
  void* found = dlsym(library, name);
  if (found == nullptr) throw CompileError(fmt::format("a compiled mechanism for a device has no '{}'", name));
  function = reinterpret_cast<Function*>(found);
}

}  // namespace

DeviceObject::DeviceObject(const std::filesystem::path& file) : library_(load_object(file)) {
  void (*fill_sizes)(FreeplaySizes*) = nullptr;
  int (*open)(char*, int) = nullptr;
  load_function(library_.get(), "freeplay_sizes", fill_sizes);
  load_function(library_.get(), "freeplay_device_open", open);
  load_function(library_.get(), "freeplay_batch_begin", begin_);
  load_function(library_.get(), "freeplay_batch_advance", advance_);
  load_function(library_.get(), "freeplay_batch_bring_back", bring_back_);
  load_function(library_.get(), "freeplay_batch_end", end_);
  fill_sizes(&sizes_);
  DeviceText text{};
  if (open(text.data(), static_cast<int>(text.size())) != kDeviceDone)
    throw CompileError(fmt::format("the GPU cannot be used: {}", text.data()));
  device_name_ = text.data();
}

void DeviceObject::check(int code, const char* text) {
  if (code == kDeviceDone) return;
  if (code == kDeviceMemory) throw DeviceFailure(fmt::format("the GPU has no memory left: {}", text), true);
  throw DeviceFailure(fmt::format("the GPU failed: {}", text), false);
}

DeviceObject::Run::Run(const DeviceObject& object, FreeplayBatch& batch) : object_(object) {
  DeviceText text{};
  const int code = object_.begin_(&batch, &run_, text.data(), static_cast<int>(text.size()));
  if (code == kDeviceDone) return;
  object_.end_(run_);
  check(code, text.data());
}

DeviceObject::Run::~Run() {
  object_.end_(run_);
}

void DeviceObject::Run::advance(long long first_step, long long steps) {
  DeviceText text{};
  check(object_.advance_(run_, first_step, steps, text.data(), static_cast<int>(text.size())), text.data());
}

void DeviceObject::Run::bring_back() {
  DeviceText text{};
  check(object_.bring_back_(run_, text.data(), static_cast<int>(text.size())), text.data());
}

}  // namespace freeplay::compile

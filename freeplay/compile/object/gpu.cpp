#include "freeplay/compile/object/gpu.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <memory>

#include "freeplay/compile/object/object_cache.h"

namespace freeplay::compile {

namespace {

// Numbers of the driver's interface (cuda.h), which is not needed to build freeplay.
constexpr int kCudaMajor = 75, kCudaMinor = 76;

template <class Function>
Function* driver_function(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) throw CompileError(fmt::format("the driver of the GPU has no '{}'", name));
  return reinterpret_cast<Function*>(found);
}

}  // namespace

Gpu find_gpu() {
  const std::unique_ptr<void, int (*)(void*)> library(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), &dlclose);
  if (library == nullptr) throw CompileError("there is no GPU for CUDA: its driver (libcuda.so.1) is not installed");
  const auto call = [&](const char* what, int status) {
    if (status != 0)
      throw CompileError(fmt::format("there is no GPU for CUDA: {} of its driver gives the code {}", what, status));
  };
  int count = 0, device = 0, major = 0, minor = 0;
  std::array<char, 256> name{};
  call("cuInit", driver_function<int(unsigned)>(library.get(), "cuInit")(0));
  call("cuDeviceGetCount", driver_function<int(int*)>(library.get(), "cuDeviceGetCount")(&count));
  if (count == 0) throw CompileError("there is no GPU for CUDA: its driver has no device");
  call("cuDeviceGet", driver_function<int(int*, int)>(library.get(), "cuDeviceGet")(&device, 0));
  call("cuDeviceGetName", driver_function<int(char*, int, int)>(library.get(), "cuDeviceGetName")(
                              name.data(), static_cast<int>(name.size()), device));
  const auto attribute = driver_function<int(int*, int, int)>(library.get(), "cuDeviceGetAttribute");
  call("cuDeviceGetAttribute", attribute(&major, kCudaMajor, device));
  call("cuDeviceGetAttribute", attribute(&minor, kCudaMinor, device));
  return {name.data(), fmt::format("sm_{}{}", major, minor)};
}

}  // namespace freeplay::compile

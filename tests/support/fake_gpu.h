// A GPU that is none: a driver and a compiler of CUDA made on the spot, with which the text for a device runs on the
// processor and fails when it is told to. FAKE_GPU_BYTES: how much memory it gives at once. FAKE_GPU_CALLS: how many
// launches go well, on all ranks of mpirun or on that of FAKE_GPU_RANK alone.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace freeplay::test {

class FakeGpu {
 public:
  explicit FakeGpu(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    write("memory.h", R"(#include <cstdlib>
inline void* fake_memory(size_t bytes) {
  const char* limit = getenv("FAKE_GPU_BYTES");
  return limit != nullptr && bytes > strtoull(limit, nullptr, 10) ? nullptr : malloc(bytes);
}
#define malloc(bytes) fake_memory(bytes)
#define freeplay_batch_advance own_batch_advance
)");
    write("advance.cpp", R"(#undef freeplay_batch_advance
#undef malloc
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
static bool is_meant() {
  const char *chosen = getenv("FAKE_GPU_RANK"), *rank = getenv("OMPI_COMM_WORLD_RANK");
  return chosen == nullptr || (rank != nullptr && strcmp(chosen, rank) == 0);
}
extern "C" int own_batch_advance(void* run, long long first_step, long long steps, char* text, int size);
static std::atomic<long> calls{0};
extern "C" int freeplay_batch_advance(void* run, long long first_step, long long steps, char* text, int size) {
  const char* most = getenv("FAKE_GPU_CALLS");
  if (most == nullptr || !is_meant() || ++calls <= atol(most)) return own_batch_advance(run, first_step, steps, text, size);
  snprintf(text, size, "unspecified launch failure");
  return 1;
}
)");
    write("driver.cpp", R"(#include <cstdio>
extern "C" int cuInit(unsigned) { return 0; }
extern "C" int cuDeviceGetCount(int* count) { return *count = 1, 0; }
extern "C" int cuDeviceGet(int* device, int) { return *device = 0; }
extern "C" int cuDeviceGetName(char* name, int size, int) { return snprintf(name, size, "a fake"), 0; }
extern "C" int cuDeviceGetAttribute(int* value, int, int) { return *value = 9, 0; }
)");
    // The last words are "-o OUT SOURCE"; the others are for nvcc.
    write("nvcc",
          "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\nexec c++ -std=c++17 -O1 -fPIC -shared -w -include '" +
              (folder_ / "memory.h").string() + "' -x c++ \"$3\" '" + (folder_ / "advance.cpp").string() +
              "' -o \"$2\"\n");
    chmod(compiler().c_str(), 0700);
    const std::string driver = "c++ -shared -fPIC -o '" + (folder_ / "libcuda.so.1").string() + "' '" +
                               (folder_ / "driver.cpp").string() + "'";
    EXPECT_EQ(std::system(driver.c_str()), 0);
    setenv("FREEPLAY_NVCC", compiler().c_str(), 1);
    setenv("LD_LIBRARY_PATH", folder_.c_str(), 1);  // of commands that are started from here on
  }
  ~FakeGpu() {
    for (const char* name : {"FREEPLAY_NVCC", "LD_LIBRARY_PATH", "FAKE_GPU_BYTES", "FAKE_GPU_CALLS", "FAKE_GPU_RANK"})
      unsetenv(name);
  }
  FakeGpu(const FakeGpu&) = delete;
  FakeGpu& operator=(const FakeGpu&) = delete;

  std::filesystem::path compiler() const { return folder_ / "nvcc"; }
  static void set_memory(std::size_t bytes) { setenv("FAKE_GPU_BYTES", std::to_string(bytes).c_str(), 1); }
  static void set_calls(int count) { setenv("FAKE_GPU_CALLS", std::to_string(count).c_str(), 1); }
  static void set_failing_rank(int rank) { setenv("FAKE_GPU_RANK", std::to_string(rank).c_str(), 1); }
  static void mend() {
    unsetenv("FAKE_GPU_BYTES");
    unsetenv("FAKE_GPU_CALLS");
    unsetenv("FAKE_GPU_RANK");
  }

 private:
  void write(const char* name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  std::filesystem::path folder_;
};

}  // namespace freeplay::test

// Which compilers there are.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <system_error>

#include "freeplay/compile/object/object_cache.h"

namespace freeplay::compile {

namespace {

namespace fs = std::filesystem;

bool is_runnable(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

// What the user has named by a variable; it must be a program.
std::optional<fs::path> chosen_compiler(const char* variable) {
  const char* chosen = std::getenv(variable);
  if (chosen == nullptr || chosen[0] == '\0') return std::nullopt;
  if (chosen[0] == '/' && is_runnable(chosen)) return chosen;
  throw CompileError(fmt::format("{} is '{}', which is no compiler's full path", variable, chosen));
}

std::optional<fs::path> find_on_path(const char* name) {
  const char* list = std::getenv("PATH");
  const std::string path = list != nullptr ? list : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    fs::path candidate = fs::path(path.substr(begin, end - begin)) / name;
    if (candidate.is_absolute() && is_runnable(candidate)) return candidate;
    begin = end + 1;
  }
  return std::nullopt;
}

fs::path find_processor_compiler() {
  if (const std::optional<fs::path> chosen = chosen_compiler("FREEPLAY_CXX")) return *chosen;
  for (const char* name : {"c++", "g++", "clang++"}) {
    if (const std::optional<fs::path> found = find_on_path(name)) return *found;
  }
  throw CompileError(
      "there is no C++ compiler (c++, g++ or clang++) on the path; the engine runs the model without one");
}

fs::path find_gpu_compiler() {
  if (const std::optional<fs::path> chosen = chosen_compiler("FREEPLAY_NVCC")) return *chosen;
  if (const std::optional<fs::path> found = find_on_path("nvcc")) return *found;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    const char* folder = std::getenv(variable);
    if (folder != nullptr && folder[0] == '/' && is_runnable(fs::path(folder) / "bin" / "nvcc"))
      return fs::path(folder) / "bin" / "nvcc";
  }
  fs::path usual = "/usr/local/cuda/bin/nvcc";  // where CUDA installs itself
  if (is_runnable(usual)) return usual;
  throw CompileError(
      "there is no nvcc, the compiler of CUDA: neither on the path nor below CUDA_PATH, CUDA_HOME or /usr/local/cuda");
}

// Objects use what this processor has; homes are shared by several machines.
std::string processor_features() {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line)) {
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  }
  return "unknown";
}

}  // namespace

// None of these lets the compiler reorder sums: the same source gives the same bits on the same processor.
Toolchain processor_toolchain() {
  return {find_processor_compiler(),
          {"-std=c++17", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-shared", "-w"},
          ".cpp",
          processor_features()};
}

Toolchain gpu_toolchain(const std::string& architecture) {
  return {find_gpu_compiler(),
          {"-std=c++17", "-O3", "-arch=" + architecture, "-shared", "-Xcompiler", "-fPIC", "-w"},
          ".cu",
          architecture};
}

}  // namespace freeplay::compile

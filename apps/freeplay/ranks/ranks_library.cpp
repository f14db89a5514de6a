#include "ranks/ranks_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "freeplay/core/error.h"
#include "text/error_report.h"

namespace freeplay::app {

namespace {

constexpr const char* kRanksLibrary = "libfreeplay_mpi.so";

// Beside the command where it was built, in the folder of libraries where it was installed.
void* load_ranks_library() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& place : {folder, folder / FREEPLAY_LIBRARIES_FROM_COMMAND}) {
    if (void* library = ::dlopen((place / kRanksLibrary).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

}  // namespace

Ranks* ranks_of_mpirun() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return nullptr;  // what mpirun of Open MPI tells its processes
  void* const library = load_ranks_library();
  if (library == nullptr)
    throw IoError(
        fmt::format("mpirun has started freeplay, but {} is not there: this freeplay was built without MPI, "
                    "or {}",
                    kRanksLibrary, ::dlerror()));
  auto* const open = reinterpret_cast<OpenRanks*>(::dlsym(library, kOpenRanks));
  if (open == nullptr) throw IoError(fmt::format("{} is of another version of freeplay", kRanksLibrary));
  return open();
}

void require_one_process(const char* verb) {
  const char* const processes = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (processes == nullptr || std::string_view(processes) == "1") return;
  throw UsageError(
      fmt::format("mpirun has started {} processes, and 'freeplay {}' is the work of one", processes, verb),
      "leave out mpirun; many processes share the runs of 'freeplay sweep' and 'freeplay study'");
}

}  // namespace freeplay::app

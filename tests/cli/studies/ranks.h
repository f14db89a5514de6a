// Commands under mpirun.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/places.h"

namespace freeplay::test {

inline bool has_mpirun() {
  return std::system("mpirun --version > /dev/null 2>&1") == 0;
}

// The shell command that runs freeplay on so many ranks in this folder; what it prints goes to mpi.log there.
inline std::string command_on_ranks(const std::filesystem::path& folder, int ranks,
                                    const std::vector<std::string>& words) {
  std::string command = fmt::format(
      "cd '{}' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun --oversubscribe -n {} "
      "'{}'",
      folder.string(), ranks, command_path());
  for (const std::string& word : words) command += " '" + word + "'";
  return command + " > mpi.log 2>&1";
}

}  // namespace freeplay::test

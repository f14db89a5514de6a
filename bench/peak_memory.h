// How much memory some work takes, measured where nothing else has been done before: in a process of its own.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

namespace freeplay::bench {

// Largest resident size in MB of a process that does `work` and nothing else, the program itself and its libraries
// included; nothing if that process could not be started or failed. Call it first in main(): what the caller has
// allocated by then would be counted too.
template <class Work>
std::optional<double> peak_memory_MB(Work&& work) {
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    int status = 1;
    try {
      work();
      status = 0;
    } catch (...) {  // the caller hears of it from the status
    }
    _exit(status);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0) return std::nullopt;
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;  // Linux counts in units of 1024 bytes
}

}  // namespace freeplay::bench

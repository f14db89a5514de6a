// A first attempt in a process of its own, for libraries that a damaged file can bring down.
#pragma once

#include <cstdint>
#include <functional>

namespace freeplay::app {

struct TrialLimits {
  int cpu_seconds;
  std::uint64_t memory_bytes;  // not under the address sanitizer, which reserves more than there is
};

// Whether `action` comes to an end in a child process, be it by an exception. False if it crashed there or went beyond
// a limit. True without any attempt where no process can be made.
bool survives_trial(const std::function<void()>& action, const TrialLimits& limits);

}  // namespace freeplay::app

// What would otherwise be global: log sink, stop request, progress. Travels by reference through a run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include "freeplay/core/layers.h"

namespace freeplay::core {

enum class LogLevel : std::uint8_t { kInfo, kWarning };

struct RunContext {
  std::function<void(LogLevel, std::string_view)> log;  // may be empty
  std::function<void(double fraction, std::int64_t steps)>
      progress;                                       // called at most a few times a second; may be empty
  const std::atomic<bool>* stop_requested = nullptr;  // set by a signal handler; checked after each step
  std::function<void()> stopping;                     // called when that request is followed; may be empty
  std::uint64_t seed = 0;
  int threads = 1;

  void info(std::string_view text) const {
    if (log) log(LogLevel::kInfo, text);
  }
  void warn(std::string_view text) const {
    if (log) log(LogLevel::kWarning, text);
  }
  bool should_stop() const { return stop_requested != nullptr && stop_requested->load(std::memory_order_relaxed); }
};

}  // namespace freeplay::core

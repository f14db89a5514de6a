#include "stop_signal.h"

#include <csignal>

namespace freeplay::app {

namespace {

// A signal handler can reach nothing but a global; everything else gets it by reference.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "only then may a signal handler write it");

void request_stop(int) {
  stop_requested.store(true, std::memory_order_relaxed);
}

}  // namespace

const std::atomic<bool>& stop_flag() {
  return stop_requested;
}

const std::atomic<bool>& stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = &request_stop;
  // RESETHAND: the second signal has its usual effect. RESTART: writing the file is not cut short.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return stop_requested;
}

}  // namespace freeplay::app

// Long work beside the interpreter: without its lock, and with an ear for Ctrl-C.
#pragma once

#include <atomic>
#include <functional>

namespace freeplay::app::python {

// Set from any thread; whoever works looks at it between two steps.
struct StopFlag {
  std::atomic<bool> is_set{false};
};

// Does `work` on a thread of its own while this one waits without the interpreter's lock. A few times a second this one
// takes the lock, calls `look` (may be empty), and sees whether a signal has arrived. A signal, or what `look` throws,
// sets `stop`; once the work has ended the exception of Python is thrown here (KeyboardInterrupt), before any of the
// work itself. Requires the lock.
void work_interruptibly(StopFlag& stop, const std::function<void()>& work, const std::function<void()>& look);

}  // namespace freeplay::app::python

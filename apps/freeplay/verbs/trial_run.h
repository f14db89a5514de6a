// A first attempt in a process of its own, for libraries that a damaged file can bring down.
#pragma once

#include <functional>

namespace freeplay::app {

// Whether `action` comes to an end in a child process, be it by an exception. False if it crashed there or took more
// than `seconds` of CPU time. True without any attempt where no process can be made.
bool survives_trial(const std::function<void()>& action, int seconds);

}  // namespace freeplay::app

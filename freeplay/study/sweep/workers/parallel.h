// The same work for many places of a list, on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "freeplay/core/layers.h"

namespace freeplay::study {

// Called where a request to stop has not been followed for 0.8 s, with how many places were done from the first one on
// without a gap: a thread cannot be ended, and the process is to end here.
using LeaveAtOnce = std::function<void(std::size_t done)>;

// Calls `work` with 0 ... count - 1, each once, on so many threads at most; waits for all. After a stop, or where
// `work` gives false, no more begin; the result is how many there were from the first one on without a gap that came to
// an end with true. Throws what `work` has thrown. Without `leave` all are waited for, however long they take.
std::size_t work_in_parallel(std::size_t count, int workers, const std::atomic<bool>* stop_requested,
                             const std::function<bool(std::size_t place)>& work, const LeaveAtOnce& leave = {});

// One per core where 0 is given.
int worker_count(int given);

}  // namespace freeplay::study

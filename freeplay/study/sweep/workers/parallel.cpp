#include "freeplay/study/sweep/workers/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace freeplay::study {

std::size_t work_in_parallel(std::size_t count, int workers, const std::atomic<bool>* stop_requested,
                             const std::function<bool(std::size_t place)>& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> gives_up = false;
  std::vector<char> is_done(count, 0);  // one byte each: threads write side by side
  std::exception_ptr failure;
  std::mutex mutex;
  const auto take_places = [&] {
    try {
      for (std::size_t place = next++; place < count; place = next++) {
        const bool is_stopped = stop_requested != nullptr && stop_requested->load(std::memory_order_relaxed);
        if (is_stopped || gives_up || !work(place)) {
          gives_up = true;
          return;
        }
        is_done[place] = 1;
      }
    } catch (...) {
      gives_up = true;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  const std::size_t wanted = std::min(count, static_cast<std::size_t>(std::max(1, workers)));
  try {
    for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(take_places);
  } catch (const std::system_error&) {
    // As many as the system gives: this one alone would do.
  }
  take_places();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  return static_cast<std::size_t>(std::find(is_done.begin(), is_done.end(), 0) - is_done.begin());
}

int worker_count(int given) {
  return given > 0 ? given : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace freeplay::study
